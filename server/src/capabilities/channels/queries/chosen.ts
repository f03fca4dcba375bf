import type { OrganizationState } from '../../../kernel/projection.ts'
import type { EventBinding, EventOf } from '../../../kernel/event-binding.ts'
import type { SnapshotPart } from '../../../platform/server-facts.ts'
import type { Member } from '../../groups/rules.ts'
import { realmUpdated } from '../../organizations/contract/events.ts'
import { CHANNEL_SETTINGS } from '../../organizations/contract/settings.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import { channelById } from './index.ts'
import { canSeeChannel } from '../rules/index.ts'

const NO_CHANNEL = -1

export function visibleChannelOrNone(organization: OrganizationState, member: Member, channelId: number): number {
  const channel = channelById(organization, channelId)
  return channel !== undefined && canSeeChannel(organization, member, channel) ? channelId : NO_CHANNEL
}

export const channelSettingsPart: SnapshotPart = {
  eventTypes: ['realm'],
  observe: (viewer) => {
    const member = viewingMember(viewer)
    return Object.fromEntries(
      CHANNEL_SETTINGS.map((name) => [
        `realm_${name}`,
        visibleChannelOrNone(viewer.organization, member, settingOf(viewer.organization, name)),
      ]),
    )
  },
}

export const realmUpdatedBinding: EventBinding<typeof realmUpdated.payload> = {
  event: realmUpdated,
  encodeSeparately: ({ payload }, viewer) => {
    const id = channelSettingIn(payload)
    return id !== undefined && visibleChannelOrNone(viewer.organization, viewingMember(viewer), id) !== id
  },
  toClient: ({ payload }, viewer) => {
    const id = channelSettingIn(payload)
    return id === undefined
      ? payload
      : { ...payload, value: visibleChannelOrNone(viewer.organization, viewingMember(viewer), id) }
  },
}

function channelSettingIn({ property, value }: EventOf<typeof realmUpdated>['payload']): number | undefined {
  const isChosen = CHANNEL_SETTINGS.some((name) => name === property)
  return isChosen && typeof value === 'number' ? value : undefined
}
