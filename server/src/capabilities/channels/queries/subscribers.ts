import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ClientForm } from '../../../kernel/viewer.ts'
import { activeLately } from '../../presence/queries/activity.ts'
import type { Member } from '../../groups/rules.ts'
import { usersProjection } from '../../users/queries/index.ts'
import type { ListedChannel } from '../contract/index.ts'
import { shownSubscribers } from '../rules/metadata-only-viewers.ts'

/** Below this many subscribers, partial lists are complete. */
export const LEAST_PARTIAL = 250

/**
 * Adds the subscribers that the client requested and the member can see. Partial lists reflect the last `readActivity`
 * and are shared, except for metadata-only viewers.
 */
export function withSubscribers<Record extends ListedChannel>(
  organization: OrganizationState,
  member: Member,
  record: Record,
  wanted: ClientForm['includeSubscribers'],
): Record {
  return wanted === 'false'
    ? record
    : { ...record, ...subscriberFields(organization, member, record.stream_id, wanted) }
}

export function subscriberFields(
  organization: OrganizationState,
  member: Member,
  channelId: number,
  wanted: Exclude<ClientForm['includeSubscribers'], 'false'>,
): Pick<ListedChannel, 'subscribers' | 'partial_subscribers'> {
  const all = shownSubscribers(organization, member, channelId)
  const part = wanted === 'partial' && all.length >= LEAST_PARTIAL ? partOf(organization, all) : all
  return part.length < all.length ? { partial_subscribers: [...part] } : { subscribers: [...all] }
}

interface Part {
  readonly version: number
  readonly userIds: readonly number[]
}

/** Keyed by the full list, whose array changes with every join and leave. */
const parts = new WeakMap<readonly number[], Part>()

function partOf(organization: OrganizationState, all: readonly number[]): readonly number[] {
  const active = activeLately(organization)
  const known = parts.get(all)
  if (known?.version === active.version) return known.userIds
  const { bots } = organization.of(usersProjection)
  const userIds = all.filter((userId) => active.has(userId) || bots.has(userId))
  parts.set(all, { version: active.version, userIds })
  return userIds
}
