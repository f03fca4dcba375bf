export const integrations = {
  title: 'Integrations',
  incoming: 'Post updates from other services',
  setUp: 'Set up',
  setUpOf: (service: string) => `Set up ${service}`,
  bot: 'Bot',
  noBot: 'Choose a bot',
  botOf: (bot: string, person: string) => `${bot} (${person})`,
  makeBot: 'Create bot',
  botMore: 'The bot needs permission to post in the channel. The URL contains its API key.',
  channel: 'Channel',
  direct: 'Direct message to the bot’s owner',
  topic: 'Topic',
  topicHint: 'Leave empty for automatic topics',
  events: 'Events',
  allEvents: 'All events',
  someEvents: (count: number) => (count === 1 ? '1 kind of event' : `${count} kinds of events`),
  secret: 'Webhook secret',
  secretMore: 'Rejects anything the service didn’t sign. Enter the same secret at the service.',
  address: 'URL',
  addressMore: 'Anyone with the URL can post as the bot. To revoke it, create a new API key for the bot.',
  copyAddress: 'Copy URL',
  test: 'Send test',
  tested: 'Test sent',
  came: 'Posted message',
  unseen: 'The test was accepted, but no message was posted, or you can’t read it.',
  elsewhere:
    'The test was accepted. You can’t see the message because the bot belongs to someone else or posts where you aren’t.',
  services: {
    alertmanager: {
      title: 'Alertmanager',
      about: 'Firing and resolved Prometheus alerts',
      steps:
        'In Alertmanager’s configuration, add a receiver with webhook_configs and this URL as url, reference the receiver in a route, and reload the configuration.',
    },
    bitbucket: {
      title: 'Bitbucket',
      about: 'Pushes, pull requests, and comments',
      steps:
        'In the repository settings on Bitbucket Cloud, under Webhooks, add a webhook with this URL and choose its triggers from the full list: pushes and pull request events. Enter the secret in the Secret field.',
    },
    circleci: {
      title: 'CircleCI',
      about: 'Finished workflows and jobs',
      steps:
        'In the project settings, under Webhooks, add a webhook with this URL as the receiver URL and choose workflow or job events. Enter the secret in the secret token field.',
    },
    gitea: {
      title: 'Gitea, Forgejo, and Gogs',
      about: 'Pushes, pull requests, issues, comments, and releases',
      steps:
        'In the repository settings, under Webhooks, add a webhook of type Gitea, Forgejo, or Gogs with this URL as the target URL, the method POST, and the content type application/json.',
    },
    github: {
      title: 'GitHub',
      about: 'Pushes, pull requests, reviews, issues, comments, releases, and workflows',
      steps:
        'In the settings of the repository or organization, under Webhooks, add a webhook with this URL as the payload URL and the content type application/json, and choose which events to send.',
    },
    gitlab: {
      title: 'GitLab',
      about: 'Pushes, merge requests, issues, comments, pipelines, and releases',
      steps:
        'In the settings of the project or group, under Webhooks, add a webhook with this URL and choose its triggers. Enter the secret in the secret token field.',
    },
    grafana: {
      title: 'Grafana',
      about: 'Firing and resolved alerts',
      steps:
        'Under Alerting, add a contact point of type Webhook with this URL and use it in a notification policy. Enter the secret as its HMAC signature.',
    },
    jenkins: {
      title: 'Jenkins',
      about: 'Started and finished builds',
      steps:
        'Install the Notification plugin. In the job, under Job Notifications, add an endpoint with the format JSON, the protocol HTTP, and this URL.',
    },
    jira: {
      title: 'Jira',
      about: 'Created, changed, and deleted issues, and comments',
      steps:
        'As a Jira admin, open WebHooks in the system settings, create a webhook with this URL, and choose issue and comment events.',
    },
    json: {
      title: 'Your own script',
      about: 'Any JSON from a program',
      steps:
        'Send JSON to this URL with POST. An object with content, and optionally topic, is posted as a Markdown message; any other JSON is shown as is.',
    },
    pagerduty: {
      title: 'PagerDuty',
      about: 'Triggered, acknowledged, reassigned, and resolved incidents',
      steps:
        'Under Integrations, open Generic Webhooks (v3) and add a webhook with this URL. Enter the secret that PagerDuty shows here, then update the URL there.',
    },
    sentry: {
      title: 'Sentry',
      about: 'Errors, alerts, and comments',
      steps:
        'In the organization’s developer settings, create an internal integration with this URL as the webhook URL, and turn on alerts and the issue and comment events. Enter its client secret here.',
    },
    slack_incoming: {
      title: 'Slack-compatible programs',
      about: 'Programs that post to a Slack incoming webhook',
      steps: 'Wherever a program asks for a Slack incoming webhook URL, enter this URL.',
    },
    stripe: {
      title: 'Stripe',
      about: 'Payments, invoices, subscriptions, disputes, and payouts',
      steps:
        'Under Developers, open Webhooks, add an endpoint with this URL, and choose its events. Enter the signing secret that Stripe shows here, then update the URL there.',
    },
    uptimekuma: {
      title: 'Uptime Kuma',
      about: 'Monitors that go down or come back up',
      steps:
        'In the settings, under Notifications, set up a notification of type Webhook with this URL as the post URL and a JSON body, and use it in your monitors.',
    },
  },
}
