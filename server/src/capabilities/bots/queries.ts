import type { Db, SnapshotDb, Reader } from '../../kernel/transaction.ts'
import {
  BOT_TYPE,
  type BotService,
  type BotChannel,
  type ManagedBot,
  type BotDefaults,
} from '../users/contract/bots.ts'
import { avatarPath, type UserRow } from '../users/queries/index.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { EventBinding, LoggedEvent } from '../../kernel/event-binding.ts'
import type { SnapshotPart } from '../../platform/server-facts.ts'
import type { Member } from '../groups/rules.ts'
import type * as contract from './contract.ts'
import { botAdded, botUpdated } from './contract.ts'
import { botsManagedBy } from '../users/rules/bots.ts'
import { viewingMember } from '../users/rules/visibility.ts'
import { channelById } from '../channels/queries/index.ts'
import { canSeeChannel } from '../channels/rules/index.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'

export function embeddedBotsSnapshot(): Record<string, unknown> {
  return { realm_embedded_bots: [] }
}

const SERVICES_OF_BOTS = `
  select user_id as "botId", base_url, token, interface, is_paused as "isPaused" from bot_services
  where organization_id = $1 and user_id = any($2)`

export interface StoredService {
  readonly service: BotService
  readonly isPaused: boolean
}

export async function servicesOf(
  db: Db,
  organizationId: number,
  botIds: readonly number[],
): Promise<Map<number, StoredService>> {
  if (botIds.length === 0) return new Map()
  const rows = await db.rows<BotService & { botId: number; isPaused: boolean }>('bot_services', SERVICES_OF_BOTS, [
    organizationId,
    botIds,
  ])
  return new Map(rows.map(({ botId, isPaused, ...service }) => [botId, { service, isPaused }]))
}

export type BotChannels = Readonly<Record<BotChannel, number | null>>

/** Stores channels by ID; each reader gets the names of the channels that the reader can see. */
export interface LoggedBot<Shown = Partial<ManagedBot> & { user_id: number }> {
  readonly bot: Shown
  readonly channels: Partial<BotChannels>
}

const NO_CHANNEL_NAMES: Record<BotChannel, null> = {
  default_sending_stream: null,
  default_events_register_stream: null,
}

export function channelsOfBot({ botHabits }: UserRow): BotChannels {
  const { default_sending_stream, default_events_register_stream } = botHabits
  return { default_sending_stream, default_events_register_stream }
}

export function presentBot(row: UserRow, apiKey: string, services: readonly BotService[]): LoggedBot<ManagedBot> {
  if (row.botType === null) throw new Error(`user ${row.id} is not a bot`)
  const account = { user_id: row.id, email: row.email, bot_type: row.botType, api_key: apiKey, ...botFields(row) }
  return { bot: { ...account, services: [...services], ...NO_CHANNEL_NAMES }, channels: channelsOfBot(row) }
}

export function botFields(
  row: UserRow,
): Omit<ManagedBot, 'user_id' | 'email' | 'bot_type' | 'api_key' | 'services' | BotChannel> {
  return {
    full_name: row.fullName,
    avatar_url: avatarPath(row),
    owner_id: row.botOwnerId,
    default_all_public_streams: row.botHabits.default_all_public_streams,
    is_active: row.isActive,
  }
}

export async function presentBots(
  db: SnapshotDb,
  organizationId: number,
  rows: readonly UserRow[],
): Promise<LoggedBot<ManagedBot>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const keys = await db
    .selectFrom('credentials')
    .select(['user_id', 'api_key'])
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', ids)
    .execute()
  const keyOf = new Map(keys.map(({ user_id, api_key }) => [user_id, api_key]))
  const outgoing = rows.filter(({ botType }) => botType === BOT_TYPE.outgoingWebhook).map(({ id }) => id)
  const services = await servicesOf(db, organizationId, outgoing)
  return rows.map((row) => {
    const stored = services.get(row.id)
    return presentBot(row, keyOf.get(row.id) ?? '', stored === undefined ? [] : [stored.service])
  })
}

/* A bot's default channels are stored by ID. Users who can see such a channel get its name; other users get null. */

export function presentBotDefaults(organization: OrganizationState, member: Member, bot: UserRow): BotDefaults {
  const { default_all_public_streams } = bot.botHabits
  return { ...channelNames(organization, member, channelsOfBot(bot)), default_all_public_streams }
}

export const botAddedBinding: EventBinding = { event: botAdded, administration: false, toEachClient: presentBotEvent }
export const botUpdatedBinding: EventBinding = { event: botUpdated, toEachClient: presentBotEvent }

export const managedBotsPart: SnapshotPart = {
  eventTypes: ['realm_bot'],
  read: async (db, viewer) => {
    const { organization } = viewer
    const member = viewingMember(viewer)
    const managed = await presentBots(db, organization.id, botsManagedBy(organization, member))
    return {
      realm_bots: managed.map(({ bot, channels }) => ({
        ...hideSecretsFromBrowsers(viewer, bot),
        ...channelNames(organization, member, channels),
      })),
    }
  },
}

function presentBotEvent({ payload }: LoggedEvent, viewer: Viewer): Record<string, unknown> {
  // An earlier version logged the names of channels instead of their IDs.
  const { bot, channels } = payload as Partial<LoggedBot>
  return {
    bot: {
      ...hideSecretsFromBrowsers(viewer, bot ?? {}),
      ...channelNames(viewer.organization, viewingMember(viewer), channels ?? {}),
    },
  }
}

/** Omits keys sent to browsers: a stolen key outlasts a stolen session. Browsers request a key only to display it. */
function hideSecretsFromBrowsers<Shown extends Partial<Pick<ManagedBot, 'api_key' | 'services'>>>(
  { form }: Viewer,
  bot: Shown,
): Shown {
  if (!form.isBrowser) return bot
  const { api_key: key, services } = bot
  return {
    ...bot,
    ...(key === undefined ? {} : { api_key: '' }),
    ...(services === undefined ? {} : { services: services.map((service) => ({ ...service, token: '' })) }),
  }
}

function channelNames<Channels extends Partial<BotChannels>>(
  organization: OrganizationState,
  member: Member,
  channels: Channels,
): Record<keyof Channels, string | null> {
  const entries = Object.entries<number | null | undefined>(channels).map(([name, id]) => {
    const channel = channelById(organization, id ?? 0) // No channel has ID 0.
    return [name, channel !== undefined && canSeeChannel(organization, member, channel) ? channel.name : null] as const
  })
  // Safe: `Object.fromEntries` loses the key type.
  return Object.fromEntries(entries) as Record<keyof Channels, string | null>
}

const STORED_VALUES = `
  select key, value from bot_storage
  where organization_id = $1 and user_id = $2 and ($3::text[] is null or key = any($3)) order by key`

export async function getStorage(
  { db, organizationId, actor }: Reader,
  { keys }: Input<typeof contract.getStorage>,
): Promise<Output<typeof contract.getStorage>> {
  const wanted = keys === undefined ? null : [...new Set(keys)]
  const stored = await db.rows<{ key: string; value: string }>('bot_storage', STORED_VALUES, [
    organizationId,
    actor.userId,
    wanted,
  ])
  if (wanted !== null && stored.length < wanted.length) throw unknownStorageKeyError()
  return { storage: Object.fromEntries(stored.map(({ key, value }) => [key, value])) }
}

export async function storageSize(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<{ keys: number; characters: number }> {
  const [size] = await db.rows<{ keys: number; characters: number }>(
    'storage_size',
    `select count(*)::int as keys, coalesce(sum(characters), 0)::int as characters from bot_storage
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId],
  )
  return size ?? { keys: 0, characters: 0 }
}

export function unknownStorageKeyError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Key does not exist.')
}
