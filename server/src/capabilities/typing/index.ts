import type { Viewer } from '../../kernel/viewer.ts'
import { capability, direct, type EventBinding, type LoggedEvent } from '../../platform/capability.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { userById, userSetting } from '../users/queries.ts'
import { viewingMember, visibleUser } from '../users/rules/sight.ts'
import { setTypingStatus, setTypingStatusForMessageEdit } from './actions.ts'
import * as contract from './contract.ts'

/** Typing: who is writing right now. Nothing of it is kept. */
export const typing = capability({
  name: 'typing',
  tables: [],
  routes: [
    direct(contract.setTypingStatus, setTypingStatus),
    direct(contract.setTypingStatusForMessageEdit, setTypingStatusForMessageEdit),
  ],
  events: [
    ...[contract.typingStarted, contract.typingStopped].map((event): EventBinding => ({
      event,
      wanted,
      present: ({ payload }, { form: { capabilities } }) => {
        // Whispered by this capability's actions.
        const { topic } = payload as { topic?: string }
        if (topic === undefined) return payload
        if (!capabilities.stream_typing_notifications) return undefined
        return { ...payload, topic: presentTopic(topic, capabilities.empty_topic_name) }
      },
    })),
    ...[contract.editTypingStarted, contract.editTypingStopped].map((event): EventBinding => ({
      event,
      wanted,
      present: ({ payload }, { form: { capabilities } }) => {
        // As above.
        const { recipient, ...rest } = payload as { recipient: { topic?: string } }
        const { topic } = recipient
        if (topic === undefined) return payload
        return { ...rest, recipient: { ...recipient, topic: presentTopic(topic, capabilities.empty_topic_name) } }
      },
    })),
  ],
})

/** Who does not want to know who types is not told, nor who may not know who that is. */
function wanted({ payload }: LoggedEvent, viewer: Viewer): boolean {
  const user = userById(viewer.world, viewer.userId)
  if (user === undefined || !userSetting(user, 'receives_typing_notifications')) return false
  // As above.
  const { sender, sender_id } = payload as { sender?: { user_id: number }; sender_id?: number }
  return visibleUser(viewer.world, viewingMember(viewer), sender?.user_id ?? sender_id ?? 0) !== undefined
}
