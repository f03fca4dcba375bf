export const integrations = {
  title: 'Integrations',
  incoming: 'What services outside tell becomes messages',
  setUp: 'Set up',
  setUpOf: (service: string) => `Set up ${service}`,
  bot: 'Who writes',
  noBot: 'Choose a bot',
  botOf: (bot: string, person: string) => `${bot} (${person})`,
  makeBot: 'Make a bot for it',
  botMore: 'The bot has to be allowed to write there. Its key stands in the address.',
  channel: 'Where to',
  direct: 'Directly to the person whom the bot belongs to',
  topic: 'Topic',
  topicHint: 'What each message is about',
  events: 'Events',
  allEvents: 'All events',
  someEvents: (count: number) => (count === 1 ? 'One kind of event' : `${count} kinds of events`),
  secret: 'Secret',
  secretMore: 'With it, only what the service has signed is taken. Put the same secret in at the service.',
  address: 'Address',
  addressMore: 'Whoever has it can write as the bot. Make another key for the bot to end it.',
  copyAddress: 'Copy the address',
  test: 'Test it',
  tested: 'Tested',
  came: 'The message that came of it',
  unseen: 'The address took it, but no message came of it, or one that you cannot read.',
  elsewhere:
    'The address took it. You cannot read the message, since the bot belongs to somebody else or writes where you are not.',
  services: {
    alertmanager: {
      title: 'Alertmanager',
      about: 'Alerts of Prometheus: that they fire, and that they are resolved',
      steps:
        'In the configuration of Alertmanager, add a receiver with webhook_configs and the address as url, name the receiver in a route, and have the configuration read again.',
    },
    bitbucket: {
      title: 'Bitbucket',
      about: 'Pushes, pull requests and comments on them',
      steps:
        'In the settings of the repository at Bitbucket Cloud, under Webhooks, add one with the address as URL, and choose its triggers from the full list: pushes, and those of pull requests. A secret goes into the field of that name.',
    },
    circleci: {
      title: 'CircleCI',
      about: 'How workflows end, and each of their jobs',
      steps:
        'In the settings of the project, under Webhooks, add one with the address as receiver URL, and choose whether it tells of workflows or of each job. A secret goes into the field for the secret token.',
    },
    gitea: {
      title: 'Gitea, Forgejo, and Gogs',
      about: 'Pushes, pull requests, issues, comments and releases',
      steps:
        'In the settings of the repository, under Webhooks, add one of the type Gitea, Forgejo, or Gogs with the address as target URL, the method POST and the content type application/json.',
    },
    github: {
      title: 'GitHub',
      about: 'Pushes, pull requests, reviews, issues, comments, releases and workflows',
      steps:
        'In the settings of the repository or the organization, under Webhooks, add one with the address as payload URL and the content type application/json, and choose which events are sent.',
    },
    gitlab: {
      title: 'GitLab',
      about: 'Pushes, merge requests, issues, comments, pipelines and releases',
      steps:
        'In the settings of the project or the group, under Webhooks, add one with the address as URL, and choose what triggers it. A secret goes into the field for the secret token.',
    },
    grafana: {
      title: 'Grafana',
      about: 'Alerts: that they fire, and that they are resolved',
      steps:
        'Under Alerting, add a contact point of the type Webhook with the address as URL, and have a notification policy use it. A secret goes into its HMAC signature.',
    },
    jenkins: {
      title: 'Jenkins',
      about: 'That builds begin, and how they end',
      steps:
        'Install the Notification plugin. In the job, under Job Notifications, add an endpoint with the format JSON, the protocol HTTP and the address as URL.',
    },
    jira: {
      title: 'Jira',
      about: 'Issues that are created, changed and deleted, and comments',
      steps:
        'As an administrator of Jira, open WebHooks in the settings of the system, create one with the address as URL, and choose events of issues and comments.',
    },
    json: {
      title: 'A script of your own',
      about: 'Any JSON that a program sends',
      steps:
        'Send JSON to the address by POST. An object with content, and perhaps topic, is a message in Markdown; any other JSON is shown as it is.',
    },
    pagerduty: {
      title: 'PagerDuty',
      about: 'Incidents: triggered, acknowledged, reassigned, resolved',
      steps:
        'Under Integrations, open Generic Webhooks (v3) and add one with the address as webhook URL. Then put the secret that PagerDuty shows you in here, and change the address there.',
    },
    sentry: {
      title: 'Sentry',
      about: 'Errors, alerts and comments',
      steps:
        'In the developer settings of the organization, create an internal integration with the address as webhook URL, and switch on its alerts and the events of issues and comments. Its client secret goes in here.',
    },
    slack_incoming: {
      title: 'What is made for Slack',
      about: 'Programs that write to an incoming webhook of Slack',
      steps: 'Wherever a program asks for the address of an incoming webhook of Slack, give it this address.',
    },
    stripe: {
      title: 'Stripe',
      about: 'Payments, invoices, subscriptions, disputes and payouts',
      steps:
        'Under Developers, open Webhooks, add an endpoint with the address, and choose its events. Then put the signing secret that Stripe shows you in here, and change the address there.',
    },
    uptimekuma: {
      title: 'Uptime Kuma',
      about: 'That a monitor is down, and up again',
      steps:
        'In the settings, under Notifications, set up one of the type Webhook with the address as post URL and JSON as its body, and use it in your monitors.',
    },
  },
}
