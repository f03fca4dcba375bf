import { capability, command, direct, query, type EventBinding } from '../../platform/capability.ts'
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
      present: present<{ scheduled_messages: contract.ScheduledMessage[] }>((payload, known) => ({
        scheduled_messages: payload.scheduled_messages.map((one) => withTopic(one, known)),
      })),
    },
    {
      event: contract.scheduledMessageUpdated,
      present: present<{ scheduled_message: contract.ScheduledMessage }>((payload, known) => ({
        scheduled_message: withTopic(payload.scheduled_message, known),
      })),
    },
    { event: contract.scheduledMessageRemoved },
  ],
  snapshot: [
    {
      eventTypes: ['scheduled_messages'],
      read: async (db, { world, userId, form }) => {
        const stored = await scheduledOf(db, world.organizationId, userId)
        const known = form.capabilities.empty_topic_name
        return { scheduled_messages: stored.map((one) => withTopic(presentScheduled(one), known)) }
      },
    },
  ],
  jobs: [sendScheduledMessages],
})

/** For clients that do not know the empty topic, its name. */
function withTopic(scheduled: contract.ScheduledMessage, knowsEmptyTopic: boolean): contract.ScheduledMessage {
  return scheduled.topic === undefined
    ? scheduled
    : { ...scheduled, topic: presentTopic(scheduled.topic, knowsEmptyTopic) }
}

/** Presents an event by whether the client knows the empty topic. */
function present<Payload>(
  fields: (payload: Payload, known: boolean) => Record<string, unknown>,
): NonNullable<EventBinding['present']> {
  // Written by this capability's actions, of exactly this shape.
  return ({ payload }, { form }) => fields(payload as Payload, form.capabilities.empty_topic_name)
}
