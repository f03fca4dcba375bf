import type { Administration } from '../../en/administration/index.ts'

export const integrations: Administration['integrations'] = {
  title: 'Integrationen',
  incoming: 'Was Dienste draußen melden, wird zu Nachrichten',
  setUp: 'Einrichten',
  setUpOf: (service) => `${service} einrichten`,
  bot: 'Wer schreibt',
  noBot: 'Bot wählen',
  botOf: (bot, person) => `${bot} (${person})`,
  makeBot: 'Dafür einen Bot anlegen',
  botMore: 'Der Bot muss dort schreiben dürfen. Sein Schlüssel steht in der Adresse.',
  channel: 'Wohin',
  direct: 'Direkt an die Person, der der Bot gehört',
  topic: 'Thema',
  topicHint: 'Worum es in der Nachricht geht',
  events: 'Ereignisse',
  allEvents: 'Alle Ereignisse',
  someEvents: (count) => (count === 1 ? 'Eine Art von Ereignissen' : `${count} Arten von Ereignissen`),
  secret: 'Geheimnis',
  secretMore:
    'Damit wird nur angenommen, was der Dienst unterschrieben hat. Trage dasselbe Geheimnis auch beim Dienst ein.',
  address: 'Adresse',
  addressMore: 'Wer sie hat, kann als der Bot schreiben. Ein anderer Schlüssel für den Bot beendet sie.',
  copyAddress: 'Adresse kopieren',
  test: 'Ausprobieren',
  tested: 'Ausprobiert',
  came: 'Die Nachricht, die daraus wurde',
  unseen: 'Die Adresse hat es angenommen, aber es wurde keine Nachricht daraus, oder eine, die du nicht lesen kannst.',
  elsewhere:
    'Die Adresse hat es angenommen. Du kannst die Nachricht nicht lesen, weil der Bot jemand anderem gehört oder dort schreibt, wo du nicht bist.',
  services: {
    alertmanager: {
      title: 'Alertmanager',
      about: 'Alarme von Prometheus: dass sie ausgelöst werden, und dass sie vorbei sind',
      steps:
        'Füge in der Konfiguration von Alertmanager einen Empfänger mit webhook_configs und der Adresse als url hinzu, nenne ihn in einer Route und lass die Konfiguration neu lesen.',
    },
    bitbucket: {
      title: 'Bitbucket',
      about: 'Pushes, Pull-Requests und Kommentare dazu',
      steps:
        'Füge in den Einstellungen des Repositorys bei Bitbucket Cloud unter Webhooks einen mit der Adresse als URL hinzu und wähle seine Auslöser aus der ganzen Liste: Pushes und die von Pull-Requests. Ein Geheimnis gehört in das Feld mit diesem Namen.',
    },
    circleci: {
      title: 'CircleCI',
      about: 'Wie Workflows ausgehen, und jeder ihrer Jobs',
      steps:
        'Füge in den Einstellungen des Projekts unter Webhooks einen mit der Adresse als Receiver-URL hinzu und wähle, ob er von Workflows oder von jedem Job berichtet. Ein Geheimnis gehört in das Feld für das Secret-Token.',
    },
    gitea: {
      title: 'Gitea, Forgejo und Gogs',
      about: 'Pushes, Pull-Requests, Issues, Kommentare und Releases',
      steps:
        'Füge in den Einstellungen des Repositorys unter Webhooks einen der Art Gitea, Forgejo oder Gogs hinzu, mit der Adresse als Ziel-URL, der Methode POST und dem Inhaltstyp application/json.',
    },
    github: {
      title: 'GitHub',
      about: 'Pushes, Pull-Requests, Reviews, Issues, Kommentare, Releases und Workflows',
      steps:
        'Füge in den Einstellungen des Repositorys oder der Organisation unter Webhooks einen hinzu, mit der Adresse als Payload-URL und dem Inhaltstyp application/json, und wähle, welche Ereignisse geschickt werden.',
    },
    gitlab: {
      title: 'GitLab',
      about: 'Pushes, Merge-Requests, Issues, Kommentare, Pipelines und Releases',
      steps:
        'Füge in den Einstellungen des Projekts oder der Gruppe unter Webhooks einen mit der Adresse als URL hinzu und wähle seine Auslöser. Ein Geheimnis gehört in das Feld für das Secret-Token.',
    },
    grafana: {
      title: 'Grafana',
      about: 'Alarme: dass sie ausgelöst werden, und dass sie vorbei sind',
      steps:
        'Füge unter Alerting einen Contact Point der Art Webhook mit der Adresse als URL hinzu und lass eine Notification Policy ihn verwenden. Ein Geheimnis gehört in seine HMAC-Signatur.',
    },
    jenkins: {
      title: 'Jenkins',
      about: 'Dass Builds beginnen, und wie sie ausgehen',
      steps:
        'Installiere das Notification-Plugin. Füge im Job unter Job Notifications einen Endpunkt mit dem Format JSON, dem Protokoll HTTP und der Adresse als URL hinzu.',
    },
    jira: {
      title: 'Jira',
      about: 'Vorgänge, die angelegt, geändert und gelöscht werden, und Kommentare',
      steps:
        'Öffne in der Verwaltung von Jira die WebHooks des Systems, lege einen mit der Adresse als URL an und wähle Ereignisse von Vorgängen und Kommentaren.',
    },
    json: {
      title: 'Ein eigenes Skript',
      about: 'Beliebiges JSON, das ein Programm schickt',
      steps:
        'Schicke JSON mit POST an die Adresse. Ein Objekt mit content, und vielleicht topic, ist eine Nachricht in Markdown; anderes JSON wird gezeigt, wie es ist.',
    },
    pagerduty: {
      title: 'PagerDuty',
      about: 'Vorfälle: ausgelöst, angenommen, übergeben, gelöst',
      steps:
        'Öffne unter Integrations die Generic Webhooks (v3) und füge einen mit der Adresse als Webhook-URL hinzu. Trage dann hier das Geheimnis ein, das PagerDuty dir zeigt, und ändere dort die Adresse.',
    },
    sentry: {
      title: 'Sentry',
      about: 'Fehler, Alarme und Kommentare',
      steps:
        'Lege in den Entwicklereinstellungen der Organisation eine Internal Integration mit der Adresse als Webhook-URL an und schalte ihre Alarme und die Ereignisse von Issues und Kommentaren ein. Ihr Client-Secret gehört hierher.',
    },
    slack_incoming: {
      title: 'Was für Slack gemacht ist',
      about: 'Programme, die an einen eingehenden Webhook von Slack schreiben',
      steps: 'Wo ein Programm nach der Adresse eines eingehenden Webhooks von Slack fragt, gib ihm diese Adresse.',
    },
    stripe: {
      title: 'Stripe',
      about: 'Zahlungen, Rechnungen, Abonnements, Einsprüche und Auszahlungen',
      steps:
        'Öffne unter Developers die Webhooks, füge einen Endpunkt mit der Adresse hinzu und wähle seine Ereignisse. Trage dann hier das Geheimnis ein, das Stripe dir zeigt, und ändere dort die Adresse.',
    },
    uptimekuma: {
      title: 'Uptime Kuma',
      about: 'Dass ein Monitor ausfällt, und dass er wieder da ist',
      steps:
        'Richte in den Einstellungen unter Notifications eine der Art Webhook ein, mit der Adresse als Post-URL und JSON als Inhalt, und verwende sie in deinen Monitoren.',
    },
  },
}
