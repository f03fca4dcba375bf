import type { OrganizationState } from '../../kernel/projection.ts'
import { isSubscribed, subscriptionsProjection, type Subscription } from '../channels/queries/index.ts'
import { userById, userSetting } from '../users/queries/index.ts'
import { VISIBILITY, type VisibilityPolicy } from './contract/user-topics.ts'

/**
 * The ways of taking part that change a topic's policy automatically, as personal settings number them; sending and
 * reacting are participation too.
 */
const ON = { participation: 1, send: 2, initiation: 3 } as const

/** How a user takes part in a topic. */
export type Part = 'react' | 'send' | 'start'

/** What taking part makes of a topic for the user, by the user's settings. */
export interface AutomaticPolicy {
  /** Whatever the user had chosen, unless that is more. */
  readonly anyway: number
  /** Where the user had chosen nothing. */
  readonly unchosen: number
}

/**
 * @returns undefined where taking part changes nothing, which is the usual case and needs no look at the user's
 * choice
 */
export function automaticPolicy(
  organization: OrganizationState,
  userId: number,
  channelId: number,
  part: Part,
): AutomaticPolicy | undefined {
  const user = userById(organization, userId)
  if (user === undefined || user.botType !== null) return undefined
  const follows: number = userSetting(user, 'automatically_follow_topics_policy')
  const unmutes: number = isMutedFor(organization, userId, channelId)
    ? userSetting(user, 'automatically_unmute_topics_in_muted_streams_policy')
    : 0
  const policyOn = (reasons: readonly number[]): number => {
    if (reasons.includes(follows)) return VISIBILITY.followed
    return reasons.includes(unmutes) ? VISIBILITY.unmuted : VISIBILITY.none
  }
  const always = part === 'react' ? [ON.participation] : [ON.participation, ON.send]
  const anyway = policyOn(always)
  // A choice that the user made before the topic began counts more than starting the topic.
  const unchosen = policyOn(part === 'start' ? [...always, ON.initiation] : always)
  return unchosen === VISIBILITY.none ? undefined : { anyway, unchosen }
}

/**
 * What an automatic policy makes of a user's choice for a topic, never less than before.
 * @returns undefined where it leaves the choice as it is
 */
export function raisedPolicy(chosen: VisibilityPolicy, { anyway, unchosen }: AutomaticPolicy): 2 | 3 | undefined {
  const policy = chosen === VISIBILITY.none ? unchosen : anyway
  // The policies are numbered by how much a user sees.
  if (policy <= chosen || (policy !== VISIBILITY.unmuted && policy !== VISIBILITY.followed)) return undefined
  return policy
}

/** Whether the user follows topics in which the user is mentioned, by the user's settings. */
export function followsWhereMentioned(organization: OrganizationState, userId: number): boolean {
  const user = userById(organization, userId)
  return user?.botType === null && userSetting(user, 'automatically_follow_topics_where_mentioned')
}

function isMutedFor(organization: OrganizationState, userId: number, channelId: number): boolean {
  const subscription = organization.of(subscriptionsProjection).byUser.get(userId)?.get(channelId)
  return subscription?.isMuted === true && isSubscribed(organization, userId, channelId)
}

/**
 * Whether nothing of a topic is told that is not for the user alone: what was chosen for the topic counts, and where nothing
 * was, what was chosen for its channel.
 */
export function isTopicMuted({ isMuted }: Pick<Subscription, 'isMuted'>, policy: VisibilityPolicy): boolean {
  return policy === VISIBILITY.none ? isMuted : policy === VISIBILITY.muted
}
