import type { OrganizationState } from '../../../kernel/projection.ts'
import { sharedLists, type SharedList } from '../../../kernel/shared-lists.ts'
import { positionsWithin, subscribedPeriods, subscribersOf, type Channel } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import type { Member } from '../../groups/rules.ts'
import { userById } from '../../users/queries/index.ts'

/** Message IDs for one user. Users who see all messages share one array. */
export interface Visibility {
  /** Messages visible both before and after the move. */
  readonly known: readonly number[]
  readonly gained: readonly number[]
  readonly lost: readonly number[]
}

const NO_MESSAGES: readonly number[] = []

export function readableMessageIds(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  messageIds: readonly number[],
): readonly number[] {
  switch (readablePart(organization, member, channel)) {
    case 'all':
      return messageIds
    case 'none':
      return NO_MESSAGES
    case 'subscribed':
      return positionsWithin(messageIds, subscribedPeriods(organization, member.userId, channel.id))
  }
}

export function seesAnyMessage(
  organization: OrganizationState,
  userId: number,
  channel: Channel,
  messageIds: readonly number[],
): boolean {
  const role = userById(organization, userId)?.role
  return role !== undefined && readableMessageIds(organization, { userId, role }, channel, messageIds).length > 0
}

export function visibilityByUser(
  organization: OrganizationState,
  messageIds: readonly number[],
  from: Channel,
  to: Channel,
  actorIds: readonly number[],
): Map<number, Visibility> {
  const hearers = new Set([...subscribersOf(organization, from.id), ...subscribersOf(organization, to.id), ...actorIds])
  const visibility = new Map<number, Visibility>()
  for (const userId of hearers) {
    const role = userById(organization, userId)?.role
    if (role === undefined) continue
    const member = { userId, role }
    const before = readableMessageIds(organization, member, from, messageIds)
    const after = to.id === from.id ? before : readableMessageIds(organization, member, to, messageIds)
    visibility.set(userId, compareVisibility(before, after))
  }
  return visibility
}

function compareVisibility(before: readonly number[], after: readonly number[]): Visibility {
  if (before === after) return { known: before, gained: NO_MESSAGES, lost: NO_MESSAGES }
  if (before.length === 0) return { known: NO_MESSAGES, gained: after, lost: NO_MESSAGES }
  if (after.length === 0) return { known: NO_MESSAGES, gained: NO_MESSAGES, lost: before }
  const [had, has] = [new Set(before), new Set(after)]
  return {
    known: before.filter((messageId) => has.has(messageId)),
    gained: after.filter((messageId) => !had.has(messageId)),
    lost: before.filter((messageId) => !has.has(messageId)),
  }
}

export function usersByMessages(visibility: ReadonlyMap<number, Visibility>, part: keyof Visibility): SharedList[] {
  return sharedLists(Array.from(visibility, ([userId, { [part]: messageIds }]) => [userId, messageIds] as const))
}
