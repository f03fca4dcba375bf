import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { EventBinding, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { SnapshotPart } from '../../../platform/server-facts.ts'
import type { Member } from '../../groups/rules.ts'
import type { BotDefaults, ManagedBot } from '../../users/contract/bots.ts'
import { botAdded, botUpdated } from '../contract.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { channelsOfBot, presentBots, type BotChannels, type LoggedBot } from './index.ts'
import { botsManagedBy } from '../../users/rules/bots.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import { channelById } from '../../channels/queries/index.ts'
import { canSeeChannel } from '../../channels/rules/index.ts'

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
        ...withoutSecretsInBrowsers(viewer, bot),
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
      ...withoutSecretsInBrowsers(viewer, bot ?? {}),
      ...channelNames(viewer.organization, viewingMember(viewer), channels ?? {}),
    },
  }
}

/** Omits keys sent to browsers: a stolen key outlasts a stolen session. Browsers request a key only to display it. */
function withoutSecretsInBrowsers<Shown extends Partial<Pick<ManagedBot, 'api_key' | 'services'>>>(
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
