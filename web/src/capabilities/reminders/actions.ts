import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import type { OwnReminder } from './state.ts'

/** A reminder of which it is known what it is of. */
export type KnownReminder = OwnReminder & { readonly messageId: number }

const given = (messageId: number, at: number, note: string) => ({
  message_id: messageId,
  scheduled_delivery_timestamp: at,
  ...(note === '' ? {} : { note }),
})

/**
 * Lets a time be chosen at which the server reminds one of a message, which can be undone.
 * @param done is called when the server will
 */
export function chooseReminder(messageId: number, from: HTMLElement, done?: () => void): void {
  chooseTime(from, t().later.remind, (seconds) => {
    void remind(messageId, seconds).then((isSet) => isSet && done?.())
  })
}

async function remind(messageId: number, seconds: number): Promise<boolean> {
  const answer = await ask(declared.createReminder, given(messageId, seconds, ''))
  if (answer === undefined) return false
  const { reminder_id } = answer
  undoable(t().later.reminded(localTime(seconds)), async () => call(SESSION, declared.deleteReminder, { reminder_id }))
  return true
}

/** Lets another time be chosen for a reminder, which can be undone. */
export function changeReminder(reminder: KnownReminder, from: HTMLElement): void {
  chooseTime(from, t().later.change, (seconds) => void moveTo(reminder, seconds))
}

/** The server takes no other time for a reminder: it gets a new one, and then the old one goes. */
async function moveTo({ id, messageId, at, note }: KnownReminder, seconds: number): Promise<void> {
  const made = await ask(declared.createReminder, given(messageId, seconds, note))
  if (made === undefined) return
  const { reminder_id } = made
  if ((await ask(declared.deleteReminder, { reminder_id: id })) === undefined) return
  undoable(t().later.reminded(localTime(seconds)), async () => {
    await call(SESSION, declared.createReminder, given(messageId, at, note))
    await call(SESSION, declared.deleteReminder, { reminder_id })
  })
}

/** Deletes a reminder, which can be undone until its time has come. */
export async function deleteReminder({ id, messageId, at, note }: KnownReminder): Promise<void> {
  if ((await ask(declared.deleteReminder, { reminder_id: id })) === undefined) return
  undoable(t().later.reminderDeleted, async () => call(SESSION, declared.createReminder, given(messageId, at, note)))
}
