import type { ClientForm } from '../../kernel/viewer.ts'
import { capability, command, direct, query } from '../../platform/capability.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { createScheduledMessage, deleteScheduledMessage, updateScheduledMessage } from './actions.ts'
import * as contract from './contract.ts'
import { sendScheduledMessages } from './jobs.ts'
import { presentScheduled, readScheduledOf, scheduledOf } from './queries.ts'

/** Scheduled messages: what people write now and the server sends when its time has come. */
export const scheduledMessages = capability({
  name: 'scheduled-messages',
  tables: ['scheduled_messages'],
  routes: [
    query(contract.getScheduledMessages, async ({ db, organizationId, actor }) => {
      const stored = await readScheduledOf(db, organizationId, actor.userId)
      return { scheduled_messages: stored.map(presentScheduled) }
    }),
    direct(contract.createScheduledMessage, createScheduledMessage),
    direct(contract.updateScheduledMessage, updateScheduledMessage),
    command(contract.deleteScheduledMessage, deleteScheduledMessage),
  ],
  events: [
    {
      event: contract.scheduledMessagesAdded,
      toClient: ({ payload }, { form }) => {
        // Written by this capability's actions, of exactly this shape.
        const { scheduled_messages } = payload as { scheduled_messages: contract.ScheduledMessage[] }
        return { scheduled_messages: scheduled_messages.map((one) => shownTo(form, one)) }
      },
    },
    {
      event: contract.scheduledMessageUpdated,
      toClient: ({ payload }, { form }) => {
        // As above.
        const { scheduled_message } = payload as { scheduled_message: contract.ScheduledMessage }
        return { scheduled_message: shownTo(form, scheduled_message) }
      },
    },
    { event: contract.scheduledMessageRemoved },
  ],
  snapshot: [
    {
      eventTypes: ['scheduled_messages'],
      read: async (db, { organization, userId, form }) => {
        const stored = await scheduledOf(db, organization.id, userId)
        return { scheduled_messages: stored.map((one) => shownTo(form, presentScheduled(one))) }
      },
    },
  ],
  jobs: [sendScheduledMessages],
})

/** For clients that do not know the empty topic, its name. */
function shownTo(form: ClientForm, scheduled: contract.ScheduledMessage): contract.ScheduledMessage {
  const { topic } = scheduled
  return topic === undefined
    ? scheduled
    : { ...scheduled, topic: presentTopic(topic, form.capabilities.empty_topic_name) }
}
