import type { Administration } from '../../en/administration/index.ts'

export const integrations: Administration['integrations'] = {
  title: 'Integrationen',
  incoming: 'Meldungen anderer Dienste veröffentlichen',
  setUp: 'Einrichten',
  setUpOf: (service) => `${service} einrichten`,
  bot: 'Bot',
  noBot: 'Bot wählen',
  botOf: (bot, person) => `${bot} (${person})`,
  makeBot: 'Bot erstellen',
  botMore: 'Der Bot braucht dort Schreibrechte. Die URL enthält seinen API-Schlüssel.',
  channel: 'Kanal',
  direct: 'Direktnachricht an den Besitzer des Bots',
  topic: 'Thema',
  topicHint: 'Leer lassen für automatische Themen',
  events: 'Ereignisse',
  allEvents: 'Alle Ereignisse',
  someEvents: (count) => (count === 1 ? '1 Ereignistyp' : `${count} Ereignistypen`),
  secret: 'Webhook-Secret',
  secretMore: 'Weist alles ab, was der Dienst nicht signiert hat. Gib dasselbe Secret beim Dienst ein.',
  address: 'URL',
  addressMore:
    'Wer die URL hat, kann als der Bot schreiben. Um sie zu widerrufen, erstelle einen neuen API-Schlüssel für den Bot.',
  copyAddress: 'URL kopieren',
  test: 'Test senden',
  tested: 'Test gesendet',
  came: 'Veröffentlichte Nachricht',
  unseen: 'Der Test wurde angenommen, hat aber keine Nachricht ergeben oder keine, die du lesen kannst.',
  elsewhere:
    'Der Test wurde angenommen. Du siehst die Nachricht nicht, weil der Bot einer anderen Person gehört oder dort schreibt, wo du keinen Zugriff hast.',
  services: {
    alertmanager: {
      title: 'Alertmanager',
      about: 'Ausgelöste und behobene Prometheus-Alarme',
      steps:
        'Füge in der Konfiguration von Alertmanager einen Receiver mit webhook_configs und dieser URL als url hinzu, verweise in einer Route auf ihn und lade die Konfiguration neu.',
    },
    bitbucket: {
      title: 'Bitbucket',
      about: 'Pushes, Pull-Requests und Kommentare',
      steps:
        'Füge in den Repository-Einstellungen bei Bitbucket Cloud unter „Webhooks“ einen Webhook mit dieser URL hinzu und wähle seine Auslöser aus der vollständigen Liste: Pushes und Pull-Requests. Gib das Secret im gleichnamigen Feld ein.',
    },
    circleci: {
      title: 'CircleCI',
      about: 'Abgeschlossene Workflows und Jobs',
      steps:
        'Füge in den Projekteinstellungen unter „Webhooks“ einen Webhook mit dieser URL als Receiver URL hinzu und wähle Workflow- oder Job-Ereignisse. Gib das Secret im Feld für das Secret Token ein.',
    },
    gitea: {
      title: 'Gitea, Forgejo und Gogs',
      about: 'Pushes, Pull-Requests, Issues, Kommentare und Releases',
      steps:
        'Füge in den Repository-Einstellungen unter „Webhooks“ einen Webhook vom Typ Gitea, Forgejo oder Gogs hinzu, mit dieser URL als Ziel-URL, der Methode POST und dem Inhaltstyp application/json.',
    },
    github: {
      title: 'GitHub',
      about: 'Pushes, Pull-Requests, Reviews, Issues, Kommentare, Releases und Workflows',
      steps:
        'Füge in den Einstellungen des Repositorys oder der Organisation unter „Webhooks“ einen Webhook mit dieser URL als Payload URL und dem Inhaltstyp application/json hinzu und wähle die Ereignisse.',
    },
    gitlab: {
      title: 'GitLab',
      about: 'Pushes, Merge-Requests, Issues, Kommentare, Pipelines und Releases',
      steps:
        'Füge in den Einstellungen des Projekts oder der Gruppe unter „Webhooks“ einen Webhook mit dieser URL hinzu und wähle seine Auslöser. Gib das Secret im Feld für das Secret Token ein.',
    },
    grafana: {
      title: 'Grafana',
      about: 'Ausgelöste und behobene Alarme',
      steps:
        'Füge unter „Alerting“ einen Contact Point vom Typ Webhook mit dieser URL hinzu und verwende ihn in einer Notification Policy. Gib das Secret als HMAC-Signatur ein.',
    },
    jenkins: {
      title: 'Jenkins',
      about: 'Gestartete und abgeschlossene Builds',
      steps:
        'Installiere das Notification-Plugin. Füge im Job unter „Job Notifications“ einen Endpunkt mit dem Format JSON, dem Protokoll HTTP und dieser URL hinzu.',
    },
    jira: {
      title: 'Jira',
      about: 'Erstellte, geänderte und gelöschte Vorgänge sowie Kommentare',
      steps:
        'Öffne als Jira-Administrator in den Systemeinstellungen „WebHooks“, erstelle einen Webhook mit dieser URL und wähle Ereignisse zu Vorgängen und Kommentaren.',
    },
    json: {
      title: 'Ein eigenes Skript',
      about: 'Beliebiges JSON eines Programms',
      steps:
        'Sende JSON per POST an diese URL. Ein Objekt mit content und optional topic wird als Markdown-Nachricht veröffentlicht; anderes JSON wird unverändert angezeigt.',
    },
    pagerduty: {
      title: 'PagerDuty',
      about: 'Ausgelöste, angenommene, neu zugewiesene und behobene Vorfälle',
      steps:
        'Öffne unter „Integrations“ die Generic Webhooks (v3) und füge einen Webhook mit dieser URL hinzu. Gib hier das Secret ein, das PagerDuty anzeigt, und aktualisiere dann dort die URL.',
    },
    sentry: {
      title: 'Sentry',
      about: 'Fehler, Alarme und Kommentare',
      steps:
        'Erstelle in den Entwicklereinstellungen der Organisation eine Internal Integration mit dieser URL als Webhook-URL und schalte Alarme sowie die Ereignisse zu Issues und Kommentaren ein. Gib hier ihr Client Secret ein.',
    },
    slack_incoming: {
      title: 'Slack-kompatible Programme',
      about: 'Programme, die an einen eingehenden Slack-Webhook schreiben',
      steps: 'Gib überall, wo ein Programm die URL eines eingehenden Slack-Webhooks verlangt, diese URL ein.',
    },
    stripe: {
      title: 'Stripe',
      about: 'Zahlungen, Rechnungen, Abonnements, Einsprüche und Auszahlungen',
      steps:
        'Öffne unter „Developers“ die Webhooks, füge einen Endpunkt mit dieser URL hinzu und wähle seine Ereignisse. Gib hier das Signing Secret ein, das Stripe anzeigt, und aktualisiere dann dort die URL.',
    },
    uptimekuma: {
      title: 'Uptime Kuma',
      about: 'Monitore, die ausfallen oder wieder laufen',
      steps:
        'Richte in den Einstellungen unter „Benachrichtigungen“ eine Benachrichtigung vom Typ Webhook mit dieser URL als Post-URL und JSON als Inhalt ein und verwende sie in deinen Monitoren.',
    },
  },
}
