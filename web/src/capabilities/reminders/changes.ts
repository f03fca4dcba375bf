import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import { given } from './actions.ts'
import type { OwnReminder } from './state.ts'

/** A reminder of which it is known what it is of. */
export type KnownReminder = OwnReminder & { readonly messageId: number }

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
