import type { organizations } from '@parley/server/contract'
import { INTEGRATIONS, type ListedIntegration } from '@parley/server/integrations'
import { lazyTexts } from '../../kernel/later-texts.ts'
import { store } from '../../platform/client.ts'
import { managedBots, type Bot } from '../bots/state.ts'

interface ServiceTexts {
  readonly title: string
  readonly about: string
  readonly steps: string
}

const serviceTexts = lazyTexts({ en: () => textsIn('en'), de: () => textsIn('de') })

export const loadIntegrationTexts = serviceTexts.load

/** Returns the texts of all services, by service name. */
function textsIn(language: organizations.ClientLanguage): Promise<Readonly<Record<string, ServiceTexts>>> {
  return Promise.resolve(
    Object.fromEntries(
      INTEGRATIONS.map(({ name, displayName, texts }) => [name, { title: displayName, ...texts[language] }]),
    ),
  )
}

export function textsOf({ name }: ListedIntegration): ServiceTexts {
  const found = serviceTexts.read()[name]
  if (found === undefined) throw new Error(`${name} has no texts`)
  return found
}

export interface WebhookOptions {
  readonly botId: number | undefined
  /** Undefined to send direct messages to the bot's owner. */
  readonly channelId: number | undefined
  /** Empty to use each event's subject. */
  readonly topic: string
  readonly events: readonly string[]
  /** Empty if the service does not sign its requests. */
  readonly secret: string
}

export const INITIAL_OPTIONS: WebhookOptions = {
  botId: undefined,
  channelId: undefined,
  topic: '',
  events: [],
  secret: '',
}

export function postingBots(): readonly Bot[] {
  return managedBots().filter(({ is_active: isActive, bot_type: type }) => isActive && (type === 1 || type === 2))
}

export function addressFor(
  service: ListedIntegration,
  key: string,
  { channelId, topic, events, secret }: WebhookOptions,
): string {
  const url = new URL(`/api/v1/external/${service.name}`, store().read('realm_url'))
  url.searchParams.set('api_key', key)
  if (channelId !== undefined) url.searchParams.set('stream', String(channelId))
  if (topic.trim() !== '') url.searchParams.set('topic', topic.trim())
  if (events.length > 0) url.searchParams.set('only_events', JSON.stringify(events))
  if (secret !== '') url.searchParams.set('secret', secret)
  return url.href
}
