import type { World } from '../../../kernel/fold.ts'
import type { ClientForm } from '../../../kernel/viewer.ts'
import { activeLately } from '../../activity/queries.ts'
import type { Member } from '../../groups/rules.ts'
import { usersFold } from '../../users/queries.ts'
import type { ListedChannel } from '../contract/index.ts'
import { shownSubscribers } from '../rules/onlookers.ts'

/** Of smaller channels all subscribers are listed, also where part of them is asked for. */
export const LEAST_PARTIAL = 250

/**
 * The record with the channel's subscribers as `include_subscribers` asks for them, as far as the member may learn of
 * them. The part is as of the last `readActivity`, and the same for everybody but onlookers.
 */
export function withSubscribers<Record extends ListedChannel>(
  world: World,
  member: Member,
  record: Record,
  wanted: ClientForm['includeSubscribers'],
): Record {
  return wanted === 'false' ? record : { ...record, ...subscriberFields(world, member, record.stream_id, wanted) }
}

/** What `withSubscribers` adds to a record. */
export function subscriberFields(
  world: World,
  member: Member,
  channelId: number,
  wanted: Exclude<ClientForm['includeSubscribers'], 'false'>,
): Pick<ListedChannel, 'subscribers' | 'partial_subscribers'> {
  const all = shownSubscribers(world, member, channelId)
  const part = wanted === 'partial' && all.length >= LEAST_PARTIAL ? partOf(world, all) : all
  return part.length < all.length ? { partial_subscribers: [...part] } : { subscribers: [...all] }
}

interface Part {
  readonly version: number
  readonly userIds: readonly number[]
}

/** By the list that they are part of, which is another when somebody comes or goes. */
const parts = new WeakMap<readonly number[], Part>()

/** All bots and everybody who was active lately. */
function partOf(world: World, all: readonly number[]): readonly number[] {
  const active = activeLately(world)
  const known = parts.get(all)
  if (known?.version === active.version) return known.userIds
  const { bots } = world.of(usersFold)
  const userIds = all.filter((userId) => active.has(userId) || bots.has(userId))
  parts.set(all, { version: active.version, userIds })
  return userIds
}
