import type { Audience } from '../../kernel/audience.ts'
import type { RecordedChange, OrganizationState } from '../../kernel/projection.ts'
import type { ClientCapabilities, Registration } from '../../kernel/viewer.ts'

export interface MembershipQueries {
  /** Returns a user's role; undefined if the user is not active. */
  roleOf(organization: OrganizationState, userId: number): number | undefined
  isSubscribed(organization: OrganizationState, userId: number, channelId: number, position: number): boolean
  keysRenewedBy(
    changes: readonly RecordedChange[],
  ): readonly { readonly userId: number; readonly endsQueues?: boolean }[]
  loginsEndedBy(
    changes: readonly RecordedChange[],
  ): readonly { readonly userId: number; readonly ended: readonly number[] }[]
  isLogin(organization: OrganizationState, loginId: number): boolean
  isDeactivated(organization: OrganizationState): boolean
  subscribersOf(organization: OrganizationState, channelId: number): ReadonlySet<number>
}

export function isForClient({ clients }: Audience, { form }: Registration): boolean {
  // Partial, because a stored form lacks capabilities that were added later.
  const declared: Partial<ClientCapabilities> = form.capabilities
  return clients === undefined || (declared[clients.capability] ?? false) === clients.has
}

const NO_USERS: ReadonlySet<number> = new Set()

function toUserSet(userIds: readonly number[] | undefined): ReadonlySet<number> {
  return userIds === undefined ? NO_USERS : new Set(userIds)
}

export function audienceTest(
  audience: Audience,
  organization: OrganizationState,
  position: number,
  membership: MembershipQueries,
): (userId: number) => boolean {
  const { roleAtMost, channel, alsoAt = position } = audience
  const users = toUserSet(audience.users)
  const except = toUserSet(audience.except)
  return (userId) => {
    const role = membership.roleOf(organization, userId)
    if (role === undefined || except.has(userId)) return false
    if (roleAtMost !== undefined && role <= roleAtMost) return true
    if (users.has(userId)) return true
    if (channel === undefined || !membership.isSubscribed(organization, userId, channel, position)) return false
    return alsoAt === position || membership.isSubscribed(organization, userId, channel, alsoAt)
  }
}

/** Iterates over the smaller set: a message to 10 people does not visit 10,000 online users, nor the reverse. */
export function* candidateRecipients<Value>(
  audience: Audience,
  online: ReadonlyMap<number, Value>,
  organization: OrganizationState,
  membership: MembershipQueries,
): Generator<[number, Value]> {
  if (audience.roleAtMost !== undefined) {
    yield* online
    return
  }
  const named = toUserSet(audience.users)
  for (const userId of named) {
    const value = online.get(userId)
    if (value !== undefined) yield [userId, value]
  }
  if (audience.channel === undefined) return
  const subscribers = membership.subscribersOf(organization, audience.channel)
  if (subscribers.size < online.size) {
    for (const userId of subscribers) {
      const value = online.get(userId)
      if (value !== undefined && !named.has(userId)) yield [userId, value]
    }
  } else {
    for (const entry of online) if (!named.has(entry[0])) yield entry
  }
}
