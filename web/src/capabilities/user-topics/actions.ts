import { call } from '@parley/client'
import { userTopics } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { topicTitle } from '../places/title.tsx'
import { VISIBILITY, visibilityOf } from '../unread/state.ts'

export type VisibilityPolicy = (typeof VISIBILITY)[keyof typeof VISIBILITY]

export async function setVisibility(channelId: number, topic: string, policy: VisibilityPolicy): Promise<void> {
  // Safe: the server has exactly these policies.
  const before = visibilityOf(channelId, topic) as VisibilityPolicy
  const input = { stream_id: channelId, topic }
  if ((await callOrToast(userTopics.updateUserTopic, { ...input, visibility_policy: policy })) === undefined) return
  offerPolicyUndo(channelId, topic, before, policyChangeText(topicTitle(topic), before, policy))
}

/** Reports a policy that the server set because the user sent a message to the topic. */
export function reportAutomaticPolicy(channelId: number, topic: string, before: number, policy: 2 | 3): void {
  const { followedBySending, unmutedBySending } = tl().topics
  const text = policy === VISIBILITY.followed ? followedBySending : unmutedBySending
  // Safe: the server has exactly these policies.
  offerPolicyUndo(channelId, topic, before as VisibilityPolicy, text(topicTitle(topic)))
}

function offerPolicyUndo(channelId: number, topic: string, before: VisibilityPolicy, text: string): void {
  const input = { stream_id: channelId, topic, visibility_policy: before }
  offerUndo(text, async () => call(SESSION, userTopics.updateUserTopic, input))
}

function policyChangeText(name: string, before: VisibilityPolicy, policy: VisibilityPolicy): string {
  const texts = tl().topics
  const wasFollowed = before === VISIBILITY.followed
  if (policy === VISIBILITY.muted) return wasFollowed ? texts.mutedAndUnfollowed(name) : texts.muted(name)
  if (policy === VISIBILITY.followed) return texts.followed(name)
  return wasFollowed ? texts.unfollowed(name) : texts.unmuted(name)
}
