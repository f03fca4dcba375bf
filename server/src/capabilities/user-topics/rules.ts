import type { OrganizationState } from '../../kernel/projection.ts'
import { isSubscribed, subscriptionsProjection, type Subscription } from '../channels/queries/index.ts'
import { userById, userSetting } from '../users/queries/index.ts'
import { VISIBILITY, type VisibilityPolicy } from './contract.ts'

/** Values of the personal settings that say when topics are followed or unmuted. Participation includes sending. */
const POLICY_TRIGGERS = { participation: 1, send: 2, initiation: 3 } as const

export type Participation = 'react' | 'send' | 'start'

export interface AutomaticPolicy {
  /** Minimum policy, which applies even if the user has set a lower policy. */
  readonly anyway: number
  readonly unchosen: number
}

/** Returns undefined if taking part changes no policy. In this usual case, the user's policy need not be read. */
export function automaticPolicy(
  organization: OrganizationState,
  userId: number,
  channelId: number,
  part: Participation,
): AutomaticPolicy | undefined {
  const user = userById(organization, userId)
  if (user === undefined || user.botType !== null) return undefined
  const follows: number = userSetting(user, 'automatically_follow_topics_policy')
  const unmutes: number = isChannelMutedFor(organization, userId, channelId)
    ? userSetting(user, 'automatically_unmute_topics_in_muted_streams_policy')
    : 0
  const policyOn = (reasons: readonly number[]): number => {
    if (reasons.includes(follows)) return VISIBILITY.followed
    return reasons.includes(unmutes) ? VISIBILITY.unmuted : VISIBILITY.none
  }
  const always =
    part === 'react' ? [POLICY_TRIGGERS.participation] : [POLICY_TRIGGERS.participation, POLICY_TRIGGERS.send]
  const anyway = policyOn(always)
  // A policy that the user chose before the topic existed takes precedence over the one for starting topics.
  const unchosen = policyOn(part === 'start' ? [...always, POLICY_TRIGGERS.initiation] : always)
  return unchosen === VISIBILITY.none ? undefined : { anyway, unchosen }
}

/** Returns the raised policy, or undefined if it would not be higher. */
export function automaticallyRaisedPolicy(
  chosen: VisibilityPolicy,
  { anyway, unchosen }: AutomaticPolicy,
): 2 | 3 | undefined {
  const policy = chosen === VISIBILITY.none ? unchosen : anyway
  if (policy <= chosen || (policy !== VISIBILITY.unmuted && policy !== VISIBILITY.followed)) return undefined
  return policy
}

export function followsWhereMentioned(organization: OrganizationState, userId: number): boolean {
  const user = userById(organization, userId)
  return user?.botType === null && userSetting(user, 'automatically_follow_topics_where_mentioned')
}

function isChannelMutedFor(organization: OrganizationState, userId: number, channelId: number): boolean {
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  return subscription?.isMuted === true && isSubscribed(organization, userId, channelId)
}

/** Whether the topic's policy or, without one, the channel mutes the topic. */
export function isTopicMuted({ isMuted }: Pick<Subscription, 'isMuted'>, policy: VisibilityPolicy): boolean {
  return policy === VISIBILITY.none ? isMuted : policy === VISIBILITY.muted
}
