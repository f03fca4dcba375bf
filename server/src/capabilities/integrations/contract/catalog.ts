import type { ClientLanguage } from '../../organizations/contract/settings.ts'

/* The list of integrations, with plain values only: the web client imports it too. */

export interface ListedIntegration {
  /** The last part of the URL, and the name of the files with the rules and the samples. */
  readonly name: string
  readonly displayName: string
  /** Null if the service has only one event. */
  readonly eventTypes: readonly string[] | null
  readonly signs: boolean
  /** Texts for the web client, in each of its languages. */
  readonly texts: Readonly<Record<ClientLanguage, IntegrationTexts>>
}

interface IntegrationTexts {
  /** Defaults to the display name. */
  readonly title?: string
  /** A noun phrase: the events that the service reports. */
  readonly about: string
  /** One or two sentences about the setup at the service. */
  readonly steps: string
}

export const INTEGRATIONS: readonly ListedIntegration[] = [
  {
    name: 'alertmanager',
    displayName: 'Alertmanager',
    eventTypes: ['firing', 'resolved'],
    signs: false,
    texts: {
      en: {
        about: 'Firing and resolved Prometheus alerts',
        steps:
          'In Alertmanager’s configuration, add a receiver with webhook_configs and this URL as url, reference the receiver in a route, and reload the configuration.',
      },
      de: {
        about: 'Ausgelöste und behobene Prometheus-Alarme',
        steps:
          'Füge in der Konfiguration von Alertmanager einen Receiver mit webhook_configs und dieser URL als url hinzu, verweise in einer Route auf ihn und lade die Konfiguration neu.',
      },
    },
  },
  {
    name: 'bitbucket',
    displayName: 'Bitbucket',
    eventTypes: splitWords(`
      pullrequest:approved pullrequest:changes_request_created pullrequest:changes_request_removed
      pullrequest:comment_created pullrequest:comment_deleted pullrequest:comment_updated pullrequest:created
      pullrequest:fulfilled pullrequest:rejected pullrequest:unapproved pullrequest:updated
      repo:commit_comment_created repo:commit_status_created repo:commit_status_updated repo:fork repo:push
    `),
    signs: true,
    texts: {
      en: {
        about: 'Pushes, pull requests, and comments',
        steps:
          'In the repository settings on Bitbucket Cloud, under Webhooks, add a webhook with this URL and choose its triggers from the full list: pushes and pull request events. Enter the secret in the Secret field.',
      },
      de: {
        about: 'Pushes, Pull-Requests und Kommentare',
        steps:
          'Füge in den Repository-Einstellungen bei Bitbucket Cloud unter „Webhooks“ einen Webhook mit dieser URL hinzu und wähle seine Auslöser aus der vollständigen Liste: Pushes und Pull-Requests. Gib das Secret im gleichnamigen Feld ein.',
      },
    },
  },
  {
    name: 'circleci',
    displayName: 'CircleCI',
    eventTypes: ['job-completed', 'workflow-completed'],
    signs: true,
    texts: {
      en: {
        about: 'Finished workflows and jobs',
        steps:
          'In the project settings, under Webhooks, add a webhook with this URL as the receiver URL and choose workflow or job events. Enter the secret in the secret token field.',
      },
      de: {
        about: 'Abgeschlossene Workflows und Jobs',
        steps:
          'Füge in den Projekteinstellungen unter „Webhooks“ einen Webhook mit dieser URL als Receiver URL hinzu und wähle Workflow- oder Job-Ereignisse. Gib das Secret im Feld für das Secret Token ein.',
      },
    },
  },
  {
    name: 'gitea',
    displayName: 'Gitea',
    eventTypes: splitWords(`
      create delete fork issue_comment issues pull_request pull_request_approved pull_request_comment
      pull_request_rejected push release repository wiki
    `),
    signs: true,
    texts: {
      en: {
        title: 'Gitea, Forgejo, and Gogs',
        about: 'Pushes, pull requests, issues, comments, and releases',
        steps:
          'In the repository settings, under Webhooks, add a webhook of type Gitea, Forgejo, or Gogs with this URL as the target URL, the method POST, and the content type application/json.',
      },
      de: {
        title: 'Gitea, Forgejo und Gogs',
        about: 'Pushes, Pull-Requests, Issues, Kommentare und Releases',
        steps:
          'Füge in den Repository-Einstellungen unter „Webhooks“ einen Webhook vom Typ Gitea, Forgejo oder Gogs hinzu, mit dieser URL als Ziel-URL, der Methode POST und dem Inhaltstyp application/json.',
      },
    },
  },
  {
    name: 'github',
    displayName: 'GitHub',
    eventTypes: splitWords(`
      check_run code_scanning_alert commit_comment create delete dependabot_alert deployment_status discussion
      discussion_comment fork gollum issue_comment issues member milestone ping public pull_request
      pull_request_review pull_request_review_comment pull_request_review_thread push release repository
      secret_scanning_alert star status workflow_run
    `),
    signs: true,
    texts: {
      en: {
        about: 'Pushes, pull requests, reviews, issues, comments, releases, and workflows',
        steps:
          'In the settings of the repository or organization, under Webhooks, add a webhook with this URL as the payload URL and the content type application/json, and choose which events to send.',
      },
      de: {
        about: 'Pushes, Pull-Requests, Reviews, Issues, Kommentare, Releases und Workflows',
        steps:
          'Füge in den Einstellungen des Repositorys oder der Organisation unter „Webhooks“ einen Webhook mit dieser URL als Payload URL und dem Inhaltstyp application/json hinzu und wähle die Ereignisse.',
      },
    },
  },
  {
    name: 'gitlab',
    displayName: 'GitLab',
    eventTypes: splitWords(`
      deployment feature_flag issue job member merge_request milestone note pipeline push release
      resource_access_token tag_push vulnerability wiki_page
    `),
    signs: true,
    texts: {
      en: {
        about: 'Pushes, merge requests, issues, comments, pipelines, and releases',
        steps:
          'In the settings of the project or group, under Webhooks, add a webhook with this URL and choose its triggers. Enter the secret in the secret token field.',
      },
      de: {
        about: 'Pushes, Merge-Requests, Issues, Kommentare, Pipelines und Releases',
        steps:
          'Füge in den Einstellungen des Projekts oder der Gruppe unter „Webhooks“ einen Webhook mit dieser URL hinzu und wähle seine Auslöser. Gib das Secret im Feld für das Secret Token ein.',
      },
    },
  },
  {
    name: 'grafana',
    displayName: 'Grafana',
    eventTypes: ['firing', 'no_data', 'resolved'],
    signs: true,
    texts: {
      en: {
        about: 'Firing and resolved alerts',
        steps:
          'Under Alerting, add a contact point of type Webhook with this URL and use it in a notification policy. Enter the secret as its HMAC signature.',
      },
      de: {
        about: 'Ausgelöste und behobene Alarme',
        steps:
          'Füge unter „Alerting“ einen Contact Point vom Typ Webhook mit dieser URL hinzu und verwende ihn in einer Notification Policy. Gib das Secret als HMAC-Signatur ein.',
      },
    },
  },
  {
    name: 'jenkins',
    displayName: 'Jenkins',
    eventTypes: ['finalized', 'started'],
    signs: false,
    texts: {
      en: {
        about: 'Started and finished builds',
        steps:
          'Install the Notification plugin. In the job, under Job Notifications, add an endpoint with the format JSON, the protocol HTTP, and this URL.',
      },
      de: {
        about: 'Gestartete und abgeschlossene Builds',
        steps:
          'Installiere das Notification-Plugin. Füge im Job unter „Job Notifications“ einen Endpunkt mit dem Format JSON, dem Protokoll HTTP und dieser URL hinzu.',
      },
    },
  },
  {
    name: 'jira',
    displayName: 'Jira',
    eventTypes: splitWords(`
      comment_created comment_deleted comment_updated jira:issue_created jira:issue_deleted jira:issue_updated
      jira:version_released sprint_closed sprint_started
    `),
    signs: true,
    texts: {
      en: {
        about: 'Created, changed, and deleted issues, and comments',
        steps:
          'As a Jira admin, open WebHooks in the system settings, create a webhook with this URL, and choose issue and comment events.',
      },
      de: {
        about: 'Erstellte, geänderte und gelöschte Vorgänge sowie Kommentare',
        steps:
          'Öffne als Jira-Administrator in den Systemeinstellungen „WebHooks“, erstelle einen Webhook mit dieser URL und wähle Ereignisse zu Vorgängen und Kommentaren.',
      },
    },
  },
  {
    name: 'json',
    displayName: 'JSON',
    eventTypes: null,
    signs: false,
    texts: {
      en: {
        title: 'Your own script',
        about: 'Any JSON from a program',
        steps:
          'Send JSON to this URL with POST. An object with content, and optionally topic, is posted as a Markdown message; any other JSON is shown as is.',
      },
      de: {
        title: 'Ein eigenes Skript',
        about: 'Beliebiges JSON eines Programms',
        steps:
          'Sende JSON per POST an diese URL. Ein Objekt mit content und optional topic wird als Markdown-Nachricht veröffentlicht; anderes JSON wird unverändert angezeigt.',
      },
    },
  },
  {
    name: 'pagerduty',
    displayName: 'PagerDuty',
    eventTypes: splitWords(`
      incident.acknowledged incident.annotated incident.delegated incident.escalated incident.priority_updated
      incident.reassigned incident.reopened incident.resolved incident.responder.added incident.responder.replied
      incident.service_updated incident.status_update_published incident.triggered incident.unacknowledged pagey.ping
    `),
    signs: true,
    texts: {
      en: {
        about: 'Triggered, acknowledged, reassigned, and resolved incidents',
        steps:
          'Under Integrations, open Generic Webhooks (v3) and add a webhook with this URL. Enter the secret that PagerDuty shows here, then update the URL there.',
      },
      de: {
        about: 'Ausgelöste, angenommene, neu zugewiesene und behobene Vorfälle',
        steps:
          'Öffne unter „Integrations“ die Generic Webhooks (v3) und füge einen Webhook mit dieser URL hinzu. Gib hier das Secret ein, das PagerDuty anzeigt, und aktualisiere dann dort die URL.',
      },
    },
  },
  {
    name: 'sentry',
    displayName: 'Sentry',
    eventTypes: ['comment', 'error', 'event_alert', 'issue', 'metric_alert'],
    signs: true,
    texts: {
      en: {
        about: 'Errors, alerts, and comments',
        steps:
          'In the organization’s developer settings, create an internal integration with this URL as the webhook URL, and turn on alerts and the issue and comment events. Enter its client secret here.',
      },
      de: {
        about: 'Fehler, Alarme und Kommentare',
        steps:
          'Erstelle in den Entwicklereinstellungen der Organisation eine Internal Integration mit dieser URL als Webhook-URL und schalte Alarme sowie die Ereignisse zu Issues und Kommentaren ein. Gib hier ihr Client Secret ein.',
      },
    },
  },
  {
    name: 'slack_incoming',
    displayName: 'Slack-compatible',
    eventTypes: null,
    signs: false,
    texts: {
      en: {
        title: 'Slack-compatible programs',
        about: 'Programs that post to a Slack incoming webhook',
        steps: 'Wherever a program asks for a Slack incoming webhook URL, enter this URL.',
      },
      de: {
        title: 'Slack-kompatible Programme',
        about: 'Programme, die an einen eingehenden Slack-Webhook schreiben',
        steps: 'Gib überall, wo ein Programm die URL eines eingehenden Slack-Webhooks verlangt, diese URL ein.',
      },
    },
  },
  {
    name: 'stripe',
    displayName: 'Stripe',
    eventTypes: splitWords(`
      charge.dispute.closed charge.dispute.created charge.dispute.funds_reinstated charge.dispute.funds_withdrawn
      charge.failed charge.refunded charge.succeeded checkout.session.async_payment_failed
      checkout.session.async_payment_succeeded checkout.session.completed checkout.session.expired customer.created
      customer.deleted customer.subscription.created customer.subscription.deleted customer.subscription.paused
      customer.subscription.resumed customer.subscription.trial_will_end customer.subscription.updated
      invoice.finalized invoice.marked_uncollectible invoice.paid invoice.payment_action_required
      invoice.payment_failed invoice.payment_succeeded invoice.upcoming invoice.voided payment_intent.canceled
      payment_intent.payment_failed payment_intent.succeeded payout.failed payout.paid
      radar.early_fraud_warning.created refund.created refund.failed
    `),
    signs: true,
    texts: {
      en: {
        about: 'Payments, invoices, subscriptions, disputes, and payouts',
        steps:
          'Under Developers, open Webhooks, add an endpoint with this URL, and choose its events. Enter the signing secret that Stripe shows here, then update the URL there.',
      },
      de: {
        about: 'Zahlungen, Rechnungen, Abonnements, Einsprüche und Auszahlungen',
        steps:
          'Öffne unter „Developers“ die Webhooks, füge einen Endpunkt mit dieser URL hinzu und wähle seine Ereignisse. Gib hier das Signing Secret ein, das Stripe anzeigt, und aktualisiere dann dort die URL.',
      },
    },
  },
  {
    name: 'uptimekuma',
    displayName: 'Uptime Kuma',
    eventTypes: ['down', 'maintenance', 'notice', 'pending', 'up'],
    signs: false,
    texts: {
      en: {
        about: 'Monitors that go down or come back up',
        steps:
          'In the settings, under Notifications, set up a notification of type Webhook with this URL as the post URL and a JSON body, and use it in your monitors.',
      },
      de: {
        about: 'Monitore, die ausfallen oder wieder laufen',
        steps:
          'Richte in den Einstellungen unter „Benachrichtigungen“ eine Benachrichtigung vom Typ Webhook mit dieser URL als Post-URL und JSON als Inhalt ein und verwende sie in deinen Monitoren.',
      },
    },
  },
]

function splitWords(text: string): string[] {
  return text.trim().split(/\s+/)
}
