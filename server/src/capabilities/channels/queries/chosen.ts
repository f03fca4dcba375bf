import type { World } from '../../../kernel/fold.ts'
import type { EventBinding, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { SnapshotPart } from '../../../platform/server-facts.ts'
import type { Member } from '../../groups/rules.ts'
import { realmUpdated } from '../../organizations/contract/events.ts'
import { CHANNEL_SETTINGS, type ChannelSetting } from '../../organizations/contract/settings.ts'
import { setting } from '../../organizations/queries.ts'
import { viewingMember } from '../../users/rules/sight.ts'
import { channelById } from '../queries.ts'
import { mayKnow } from '../rules.ts'

/* Settings of the organization that name channels: who may not know of a channel sees none chosen. */

const NONE = -1

/** The channel of such a setting as a member sees it. */
export function chosenFor(world: World, member: Member, channelId: number): number {
  const channel = channelById(world, channelId)
  return channel !== undefined && mayKnow(world, member, channel) ? channelId : NONE
}

export const chosenChannelsPart: SnapshotPart = {
  eventTypes: ['realm'],
  observe: (viewer) => {
    const member = viewingMember(viewer)
    return Object.fromEntries(
      CHANNEL_SETTINGS.map((name) => [`realm_${name}`, chosenFor(viewer.world, member, setting(viewer.world, name))]),
    )
  },
}

export const realmUpdatedBinding: EventBinding = {
  event: realmUpdated,
  apart: ({ payload }, viewer) => {
    const id = chosenIn(payload)
    return id !== undefined && chosenFor(viewer.world, viewingMember(viewer), id) !== id
  },
  present: ({ payload }, viewer) => {
    const id = chosenIn(payload)
    return id === undefined ? payload : { ...payload, value: chosenFor(viewer.world, viewingMember(viewer), id) }
  },
}

/** The channel that an update names, where it is one of such a setting. */
function chosenIn(payload: LoggedEvent['payload']): number | undefined {
  // The payload is the declared one.
  const { property, value } = payload as { property: string; value: unknown }
  const isChosen = CHANNEL_SETTINGS.includes(property as ChannelSetting)
  return isChosen && typeof value === 'number' ? value : undefined
}
