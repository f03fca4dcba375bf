import { store } from '../../platform/client.ts'
import { managedBots, type Bot } from '../bots/state.ts'
import type { ta } from '../../kernel/administration.ts'

export type Service = keyof ReturnType<typeof ta>['integrations']['services']

export interface WebhookOptions {
  readonly botId: number | undefined
  /** Undefined to message the bot's owner. */
  readonly channelId: number | undefined
  /** Empty to use each event's subject. */
  readonly topic: string
  readonly events: readonly string[]
  /** Empty if the service does not sign its requests. */
  readonly secret: string
}

export const NOTHING_CHOSEN: WebhookOptions = {
  botId: undefined,
  channelId: undefined,
  topic: '',
  events: [],
  secret: '',
}

export function writingBots(): readonly Bot[] {
  return managedBots().filter(({ is_active: isActive, bot_type: type }) => isActive && (type === 1 || type === 2))
}

export function addressFor(
  service: Service,
  key: string,
  { channelId, topic, events, secret }: WebhookOptions,
): string {
  const url = new URL(`/api/v1/external/${service}`, store().read('realm_url'))
  url.searchParams.set('api_key', key)
  if (channelId !== undefined) url.searchParams.set('stream', String(channelId))
  if (topic.trim() !== '') url.searchParams.set('topic', topic.trim())
  if (events.length > 0) url.searchParams.set('only_events', JSON.stringify(events))
  if (secret !== '') url.searchParams.set('secret', secret)
  return url.href
}
