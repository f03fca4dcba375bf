import type { Audience } from '../../kernel/audience.ts'
import type { RecordedChange, OrganizationState } from '../../kernel/projection.ts'
import type { ClientCapabilities, Registration } from '../../kernel/viewer.ts'

/** What delivery must know of people and channels; given by the capabilities that own them. */
export interface Membership {
  /** The role number of an active user; undefined for others. */
  roleOf(organization: OrganizationState, userId: number): number | undefined
  isSubscribed(organization: OrganizationState, userId: number, channelId: number, position: number): boolean
  /** The users to whom changes of the log give another API key, and whether their queues end with the one before. */
  keysRenewedBy(
    changes: readonly RecordedChange[],
  ): readonly { readonly userId: number; readonly endsQueues?: boolean }[]
  /** The sessions and API tokens that changes of the log end, by their users. No two of them have the same id. */
  loginsEndedBy(
    changes: readonly RecordedChange[],
  ): readonly { readonly userId: number; readonly ended: readonly number[] }[]
  /** Whether a session or an API token has not ended. */
  isLogin(organization: OrganizationState, loginId: number): boolean
  /** Whether the organization has ended. */
  isDeactivated(organization: OrganizationState): boolean
  /** Users subscribed now. */
  subscribersOf(organization: OrganizationState, channelId: number): ReadonlySet<number>
}

/** Whether an event is for clients that registered like this. */
export function isForClient({ clients }: Audience, { form }: Registration): boolean {
  // What did not exist when the queue was registered, or does not in this version, its client has not declared.
  const declared: Partial<ClientCapabilities> = form.capabilities
  return clients === undefined || (declared[clients.capability] ?? false) === clients.has
}

const NOBODY: ReadonlySet<number> = new Set()

function setOf(userIds: readonly number[] | undefined): ReadonlySet<number> {
  return userIds === undefined ? NOBODY : new Set(userIds)
}

/** Tells of users whether they are in an audience; made once for all who are asked about. */
export function audienceTest(
  audience: Audience,
  organization: OrganizationState,
  position: number,
  membership: Membership,
): (userId: number) => boolean {
  const { roleAtMost, channel, alsoAt = position } = audience
  const users = setOf(audience.users)
  const except = setOf(audience.except)
  return (userId) => {
    const role = membership.roleOf(organization, userId)
    if (role === undefined || except.has(userId)) return false
    if (roleAtMost !== undefined && role <= roleAtMost) return true
    if (users.has(userId)) return true
    if (channel === undefined || !membership.isSubscribed(organization, userId, channel, position)) return false
    return alsoAt === position || membership.isSubscribed(organization, userId, channel, alsoAt)
  }
}

/**
 * The users of `online` who may be in the audience, found from the smaller side: a message to ten people does not
 * look at ten thousand that are online, nor one to ten thousand subscribers at each of them.
 */
export function* candidates<Value>(
  audience: Audience,
  online: ReadonlyMap<number, Value>,
  organization: OrganizationState,
  membership: Membership,
): Generator<[number, Value]> {
  if (audience.roleAtMost !== undefined) {
    yield* online
    return
  }
  const named = setOf(audience.users)
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
