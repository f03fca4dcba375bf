import { store } from '../../platform/client.ts'
import { managedBots, type Bot } from '../bots/state.ts'
import type { ta } from '../../kernel/administration.ts'

/** The name of a service, as its address has it. */
export type Service = keyof ReturnType<typeof ta>['integrations']['services']

/** The services whose requests become messages, by their titles. The server refuses what it does not know. */
export const SERVICES: readonly Service[] = [
  'alertmanager',
  'bitbucket',
  'circleci',
  'gitea',
  'github',
  'gitlab',
  'grafana',
  'jenkins',
  'jira',
  'json',
  'pagerduty',
  'sentry',
  'slack_incoming',
  'stripe',
  'uptimekuma',
]

/** What one chooses for the address of a service. */
export interface Chosen {
  readonly botId: number | undefined
  /** Without one, the bot writes to its owner. */
  readonly channelId: number | undefined
  /** Empty where each message has the topic of what it is about. */
  readonly topic: string
  /** Empty for all. */
  readonly events: readonly string[]
  /** Empty where the service does not sign. */
  readonly secret: string
}

export const NOTHING_CHOSEN: Chosen = { botId: undefined, channelId: undefined, topic: '', events: [], secret: '' }

/** The bots that can write for a service: active ones that read what is said to them nowhere else. */
export function writingBots(): readonly Bot[] {
  return managedBots().filter(({ is_active: isActive, bot_type: type }) => isActive && (type === 1 || type === 2))
}

/** The address that a service is given. */
export function addressFor(service: Service, key: string, { channelId, topic, events, secret }: Chosen): string {
  const url = new URL(`/api/v1/external/${service}`, store().read('realm_url'))
  url.searchParams.set('api_key', key)
  if (channelId !== undefined) url.searchParams.set('stream', String(channelId))
  if (topic.trim() !== '') url.searchParams.set('topic', topic.trim())
  if (events.length > 0) url.searchParams.set('only_events', JSON.stringify(events))
  if (secret !== '') url.searchParams.set('secret', secret)
  return url.href
}
