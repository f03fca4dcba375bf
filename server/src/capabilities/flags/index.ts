import { capability, direct } from '../../platform/capability.ts'
import { execute } from '../../platform/db/database.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { markAllRead, markChannelRead, markTopicRead, updateFlags, updateFlagsForNarrow } from './actions/update.ts'
import * as contract from './contract.ts'
import { flagsAdded, flagsRemoved, type MessageDetails } from './contract.ts'

/** What each user has noted about messages: read, starred, collapsed. */
export const flags = capability({
  name: 'flags',
  tables: ['message_flags'],
  routes: [
    direct(contract.updateMessageFlags, updateFlags),
    direct(contract.updateMessageFlagsForNarrow, updateFlagsForNarrow),
    direct(contract.markAllAsRead, markAllRead),
    direct(contract.markStreamAsRead, markChannelRead),
    direct(contract.markTopicAsRead, markTopicRead),
  ],
  events: [
    { event: flagsAdded },
    {
      event: flagsRemoved,
      toClient: ({ payload }, { form }) => {
        // The payload is the declared one; the empty topic has another name for clients that do not know it.
        const { message_details: details } = payload as { message_details?: Record<string, MessageDetails> }
        if (details === undefined) return payload
        const named = Object.entries(details).map(([messageId, detail]) => [
          messageId,
          detail.topic === undefined
            ? detail
            : { ...detail, topic: presentTopic(detail.topic, form.capabilities.empty_topic_name) },
        ])
        return { ...payload, message_details: Object.fromEntries(named) as Record<string, MessageDetails> }
      },
    },
  ],
  snapshot: [
    {
      eventTypes: ['starred_messages'],
      read: async (db, { organization, userId }) => {
        const rows = await execute<{ message_id: number }>(
          db,
          `select message_id from message_flags where organization_id = $1 and user_id = $2 and starred
           order by message_id`,
          [organization.id, userId],
        )
        return { starred_messages: rows.map((row) => row.message_id) }
      },
    },
  ],
})
