import * as z from 'zod/mini'
import { MAX_STORED_CHARACTERS, type Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { boolean, id, ids, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { LIMITS } from '../organizations/contract/index.ts'

export const REMINDER_LIMIT: Limit = { most: 1_000, per: 'user', what: 'pending reminders' }
export const STORED_CHARACTER_LIMIT: Limit = {
  most: MAX_STORED_CHARACTERS,
  per: 'user',
  what: 'characters of reminders and of their HTML',
}

export const reminder = z.strictObject({
  reminder_id: id,
  type: z.literal('private'),
  to: ids,
  content: string,
  /** HTML. */
  rendered_content: string,
  scheduled_delivery_timestamp: integer,
  /** Whether sending failed, e.g. because the user was deactivated. */
  failed: boolean,
  reminder_target_message_id: id,
})
export type Reminder = z.output<typeof reminder>

export const getReminders = endpoint({
  id: 'getReminders',
  method: 'GET',
  path: '/reminders',
  summary: 'List your pending reminders, earliest first.',
  since: 399,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ reminders: z.array(reminder) }),
  errors: [],
})

export const createReminder = endpoint({
  id: 'createReminder',
  method: 'POST',
  path: '/reminders',
  summary: 'Create a reminder. The notification bot sends it as a direct message.',
  since: 381,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    scheduled_delivery_timestamp: integer,
    note: z.optional(text(LIMITS.max_reminder_note_length)),
  }),
  output: z.object({ reminder_id: id }),
  errors: ['BAD_REQUEST'],
})

export const deleteReminder = endpoint({
  id: 'deleteReminder',
  method: 'DELETE',
  path: '/reminders/:reminder_id',
  summary: 'Delete a reminder.',
  since: 399,
  forTokens: 'writing',
  input: z.object({ reminder_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/** Reminder in the register response, which names the ID `scheduled_message_id` and omits the target message. */
export type ListedReminder = Omit<Reminder, 'reminder_id' | 'reminder_target_message_id'> & {
  scheduled_message_id: number
}

export function toListedReminder(shown: Reminder): ListedReminder {
  const { reminder_id, reminder_target_message_id: _, ...rest } = shown
  return { scheduled_message_id: reminder_id, ...rest }
}

declare module '../../kernel/event.ts' {
  interface StateFields {
    reminders: ListedReminder[]
  }
}

function replaceReminder(state: ClientState, gone: number, added: readonly ListedReminder[] = []): void {
  const known = state['reminders']
  if (known === undefined) return
  const rest = known.filter((one) => one.scheduled_message_id !== gone)
  state['reminders'] = [...rest, ...added].toSorted(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  )
}

export const remindersAdded = event({
  type: 'reminders',
  op: 'add',
  summary: 'The user created reminders.',
  payload: z.strictObject({ reminders: z.array(reminder) }),
  touches: ['reminders'],
  apply(state, { reminders }) {
    for (const added of reminders) replaceReminder(state, added.reminder_id, [toListedReminder(added)])
  },
})

export const reminderRemoved = event({
  type: 'reminders',
  op: 'remove',
  summary: 'A reminder was sent, or the user deleted it.',
  payload: z.strictObject({ reminder_id: id }),
  touches: ['reminders'],
  apply(state, { reminder_id }) {
    replaceReminder(state, reminder_id)
  },
})
