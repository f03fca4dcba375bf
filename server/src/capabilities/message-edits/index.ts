import { capability, command, direct, query } from '../../platform/capability.ts'
import { mayRead } from '../channels/rules.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { viewingMember } from '../users/rules/visibility.ts'
import { flagsIn, sharedUpdate } from './actions/emit.ts'
import { deleteMessage, deleteTopic } from './actions/delete.ts'
import { updateMessage } from './actions/edit.ts'
import * as contract from './contract/index.ts'
import { historyOf } from './queries/past.ts'
import { readReceipts } from './queries/receipts.ts'

/** Changing messages after they were sent: content, place and existence; and what they were before. */
export const messageEdits = capability({
  name: 'message-edits',
  tables: ['message_edits', 'topic_moves'],
  routes: [
    direct(contract.updateMessage, updateMessage),
    command(contract.deleteMessage, deleteMessage),
    direct(contract.deleteTopic, deleteTopic),
    query(contract.getMessageHistory, historyOf),
    query(contract.getReadReceipts, readReceipts),
  ],
  events: [
    {
      event: contract.messageUpdated,
      // Who reads this late may have lost the channel since, and then reads what was changed as little as history. What
      // left a channel that the user has kept must not stay there in the user's clients.
      isWanted: ({ payload }, viewer) => {
        // The payload is the declared one.
        const { message_id, stream_id, new_stream_id } = payload as contract.MessageUpdate
        if (stream_id === undefined) return true
        const member = viewingMember(viewer)
        return [stream_id, new_stream_id ?? stream_id].some((channelId) =>
          mayRead(viewer.organization, member, { id: message_id, channelId, memberIds: null }),
        )
      },
      toClient: ({ payload }, { form }) => {
        const { orig_subject, subject, ...rest } = sharedUpdate(payload)
        const named = (topic: string): string => presentTopic(topic, form.capabilities.empty_topic_name)
        return {
          ...rest,
          ...(orig_subject === undefined ? {} : { orig_subject: named(orig_subject) }),
          ...(subject === undefined ? {} : { subject: named(subject) }),
        }
      },
      perUserFields: ({ payload }, { userId }) => ({ flags: flagsIn(payload, userId) }),
    },
    {
      event: contract.messagesDeleted,
      toClient: ({ payload }, { form }) => {
        // The payload is the declared one: of several messages, the first part has the ids of all.
        const { message_ids, message_id, topic, ...rest } = payload as contract.MessageDeletion
        const { bulk_message_deletion, empty_topic_name } = form.capabilities
        if (bulk_message_deletion && message_ids === undefined) return undefined
        return {
          ...rest,
          ...(topic === undefined ? {} : { topic: presentTopic(topic, empty_topic_name) }),
          ...(bulk_message_deletion ? { message_ids } : { message_id }),
        }
      },
    },
  ],
})
