import { userTopics } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { ask } from '../../platform/requests.ts'
import { VISIBILITY, visibilityOf } from '../unread/state.ts'

type Policy = (typeof VISIBILITY)[keyof typeof VISIBILITY]

/** Chooses how a topic is seen. */
export async function setVisibility(channelId: number, topic: string, policy: Policy): Promise<boolean> {
  const given = { stream_id: channelId, topic, visibility_policy: policy }
  return (await ask(userTopics.updateUserTopic, given)) !== undefined
}

/** Mutes a topic, which can be undone. */
export async function muteTopic(channelId: number, topic: string): Promise<void> {
  const before = visibilityOf(channelId, topic) as Policy
  if (!(await setVisibility(channelId, topic, VISIBILITY.muted))) return
  toast(t().inbox.muted(topic), () => void setVisibility(channelId, topic, before))
}
