import { call } from '@parley/client'
import { userTopics } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
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
  offerUndo(policyChangeText(topicTitle(topic), before, policy), async () =>
    call(SESSION, userTopics.updateUserTopic, { ...input, visibility_policy: before }),
  )
}

function policyChangeText(name: string, before: VisibilityPolicy, policy: VisibilityPolicy): string {
  if (policy === VISIBILITY.muted) return t().inbox.muted(name)
  if (policy === VISIBILITY.followed) return t().inbox.followed(name)
  return before === VISIBILITY.followed ? t().inbox.unfollowed(name) : t().inbox.unmuted(name)
}

export async function muteTopic(channelId: number, topic: string): Promise<void> {
  await setVisibility(channelId, topic, VISIBILITY.muted)
}
