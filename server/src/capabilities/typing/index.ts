import type { Viewer } from '../../kernel/viewer.ts'
import { capability, direct } from '../../platform/capability.ts'
import type { EventBinding, LoggedEvent } from '../../kernel/event-binding.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { unknownSender, userById, userSetting } from '../users/queries.ts'
import { isLimitedGuestViewer, viewingMember, visibleUser } from '../users/rules/visibility.ts'
import { setTypingStatus, setTypingStatusForMessageEdit, type Typing } from './actions.ts'
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
      isWanted: (row, viewer) => isWanted(viewer, typed(row).senderId),
      // Those who do not see everybody may not know who else would get the message.
      encodeSeparately: isLimitedGuestViewer,
      toClient: (row, viewer) => {
        const told = typed(row)
        const { capabilities } = viewer.form
        const person = (userId: number): { user_id: number; email: string } => personFor(viewer, userId)
        const sender = person(told.senderId)
        if ('recipientIds' in told) {
          return { message_type: 'direct', sender, recipients: told.recipientIds.map(person) }
        }
        if (!capabilities.stream_typing_notifications) return undefined
        const topic = presentTopic(told.topic, capabilities.empty_topic_name)
        return { message_type: 'stream', sender, stream_id: told.channelId, topic }
      },
    })),
    ...[contract.editTypingStarted, contract.editTypingStopped].map((event): EventBinding => ({
      event,
      // Published by this capability's actions as declared.
      isWanted: ({ payload }, viewer) => isWanted(viewer, (payload as { sender_id: number }).sender_id),
      toClient: ({ payload }, { form: { capabilities } }) => {
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
function isWanted(viewer: Viewer, senderId: number): boolean {
  const user = userById(viewer.organization, viewer.userId)
  if (user === undefined || !userSetting(user, 'receives_typing_notifications')) return false
  return visibleUser(viewer.organization, viewingMember(viewer), senderId) !== undefined
}

function typed({ payload }: LoggedEvent): Typing {
  // Published by this capability's actions.
  return payload as unknown as Typing
}

function personFor(viewer: Viewer, userId: number): { user_id: number; email: string } {
  const known = visibleUser(viewer.organization, viewingMember(viewer), userId)
  return { user_id: userId, email: (known ?? unknownSender(viewer.organization, userId)).email }
}
