import { ApiError } from '../../../kernel/refusal.ts'
import type { Integration } from './requests.ts'

export interface ListedIntegration {
  readonly name: string
  readonly displayName: string
  /** Null if the service has only one event. */
  readonly eventTypes: readonly string[] | null
  readonly signs: boolean
  readonly load: () => Promise<Integration>
}

const FORGE_EVENTS = ['create', 'delete', 'fork', 'issue_comment', 'issues', 'pull_request', 'push', 'release']
const ALERT_EVENTS = ['firing', 'resolved']

export const INTEGRATIONS: readonly ListedIntegration[] = [
  {
    name: 'alertmanager',
    displayName: 'Alertmanager',
    eventTypes: ALERT_EVENTS,
    signs: false,
    load: async () => (await import('./alertmanager.ts')).alertmanager,
  },
  {
    name: 'bitbucket',
    displayName: 'Bitbucket',
    eventTypes: [
      'pullrequest:approved',
      'pullrequest:changes_request_created',
      'pullrequest:changes_request_removed',
      'pullrequest:comment_created',
      'pullrequest:comment_deleted',
      'pullrequest:comment_updated',
      'pullrequest:created',
      'pullrequest:fulfilled',
      'pullrequest:rejected',
      'pullrequest:unapproved',
      'pullrequest:updated',
      'repo:commit_comment_created',
      'repo:commit_status_created',
      'repo:commit_status_updated',
      'repo:fork',
      'repo:push',
    ],
    signs: true,
    load: async () => (await import('./bitbucket.ts')).bitbucket,
  },
  {
    name: 'circleci',
    displayName: 'CircleCI',
    eventTypes: ['job-completed', 'workflow-completed'],
    signs: true,
    load: async () => (await import('./circleci.ts')).circleci,
  },
  {
    name: 'gitea',
    displayName: 'Gitea',
    eventTypes: [
      ...FORGE_EVENTS,
      'pull_request_approved',
      'pull_request_comment',
      'pull_request_rejected',
      'repository',
      'wiki',
    ].toSorted(),
    signs: true,
    load: async () => (await import('./gitea.ts')).gitea,
  },
  {
    name: 'github',
    displayName: 'GitHub',
    eventTypes: [
      ...FORGE_EVENTS,
      'check_run',
      'code_scanning_alert',
      'commit_comment',
      'dependabot_alert',
      'deployment_status',
      'discussion',
      'discussion_comment',
      'gollum',
      'member',
      'milestone',
      'ping',
      'public',
      'pull_request_review',
      'pull_request_review_comment',
      'pull_request_review_thread',
      'repository',
      'secret_scanning_alert',
      'star',
      'status',
      'workflow_run',
    ].toSorted(),
    signs: true,
    load: async () => (await import('./github.ts')).github,
  },
  {
    name: 'gitlab',
    displayName: 'GitLab',
    eventTypes: [
      'deployment',
      'feature_flag',
      'issue',
      'job',
      'member',
      'merge_request',
      'milestone',
      'note',
      'pipeline',
      'push',
      'release',
      'resource_access_token',
      'tag_push',
      'vulnerability',
      'wiki_page',
    ],
    signs: true,
    load: async () => (await import('./gitlab.ts')).gitlab,
  },
  {
    name: 'grafana',
    displayName: 'Grafana',
    eventTypes: ['firing', 'no_data', 'resolved'],
    signs: true,
    load: async () => (await import('./grafana.ts')).grafana,
  },
  {
    name: 'jenkins',
    displayName: 'Jenkins',
    eventTypes: ['finalized', 'started'],
    signs: false,
    load: async () => (await import('./jenkins.ts')).jenkins,
  },
  {
    name: 'jira',
    displayName: 'Jira',
    eventTypes: [
      'comment_created',
      'comment_deleted',
      'comment_updated',
      'jira:issue_created',
      'jira:issue_deleted',
      'jira:issue_updated',
      'jira:version_released',
      'sprint_closed',
      'sprint_started',
    ],
    signs: true,
    load: async () => (await import('./jira.ts')).jira,
  },
  {
    name: 'json',
    displayName: 'JSON',
    eventTypes: null,
    signs: false,
    load: async () => (await import('./json.ts')).json,
  },
  {
    name: 'pagerduty',
    displayName: 'PagerDuty',
    eventTypes: [
      'incident.acknowledged',
      'incident.annotated',
      'incident.delegated',
      'incident.escalated',
      'incident.priority_updated',
      'incident.reassigned',
      'incident.reopened',
      'incident.resolved',
      'incident.responder.added',
      'incident.responder.replied',
      'incident.service_updated',
      'incident.status_update_published',
      'incident.triggered',
      'incident.unacknowledged',
      'pagey.ping',
    ],
    signs: true,
    load: async () => (await import('./pagerduty.ts')).pagerduty,
  },
  {
    name: 'sentry',
    displayName: 'Sentry',
    eventTypes: ['comment', 'error', 'event_alert', 'issue', 'metric_alert'],
    signs: true,
    load: async () => (await import('./sentry.ts')).sentry,
  },
  {
    name: 'slack_incoming',
    displayName: 'Slack-compatible',
    eventTypes: null,
    signs: false,
    load: async () => (await import('./slack-incoming.ts')).slackIncoming,
  },
  {
    name: 'stripe',
    displayName: 'Stripe',
    eventTypes: [
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.dispute.funds_reinstated',
      'charge.dispute.funds_withdrawn',
      'charge.failed',
      'charge.refunded',
      'charge.succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.completed',
      'checkout.session.expired',
      'customer.created',
      'customer.deleted',
      'customer.subscription.created',
      'customer.subscription.deleted',
      'customer.subscription.paused',
      'customer.subscription.resumed',
      'customer.subscription.trial_will_end',
      'customer.subscription.updated',
      'invoice.finalized',
      'invoice.marked_uncollectible',
      'invoice.paid',
      'invoice.payment_action_required',
      'invoice.payment_failed',
      'invoice.payment_succeeded',
      'invoice.upcoming',
      'invoice.voided',
      'payment_intent.canceled',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
      'payout.failed',
      'payout.paid',
      'radar.early_fraud_warning.created',
      'refund.created',
      'refund.failed',
    ],
    signs: true,
    load: async () => (await import('./stripe.ts')).stripe,
  },
  {
    name: 'uptimekuma',
    displayName: 'Uptime Kuma',
    eventTypes: ['down', 'maintenance', 'notice', 'pending', 'up'],
    signs: false,
    load: async () => (await import('./uptimekuma.ts')).uptimekuma,
  },
]

export function integrationOf(wanted: string): ListedIntegration {
  const listed = INTEGRATIONS.find(({ name }) => name === wanted)
  if (listed === undefined) throw new ApiError('NOT_FOUND', 'No such integration')
  return listed
}

export function noSignature({ displayName }: ListedIntegration): ApiError {
  return new ApiError('BAD_REQUEST', `${displayName} does not sign its requests.`)
}

export function isEventWanted(
  event: string | undefined,
  only: readonly string[] | undefined,
  except: readonly string[] | undefined,
): boolean {
  if (event === undefined) return true
  if (only !== undefined && !only.some((pattern) => matchesPattern(event, pattern))) return false
  return except?.some((pattern) => matchesPattern(event, pattern)) !== true
}

/** Takes linear time. */
function matchesPattern(event: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return event === pattern
  if (!event.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = event.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return event.length - last.length >= at && event.endsWith(last)
}
