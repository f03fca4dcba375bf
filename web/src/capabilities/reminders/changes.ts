import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import { reminderInput } from './actions.ts'
import type { OwnReminder } from './state.ts'

/** A reminder whose message is known. */
export type KnownReminder = OwnReminder & { readonly messageId: number }

export function changeReminder(reminder: KnownReminder, from: HTMLElement): void {
  chooseTime(from, t().later.change, (seconds) => void moveTo(reminder, seconds))
}

/** The server cannot change a reminder's time, so this creates a new reminder and then deletes the old one. */
async function moveTo({ id, messageId, at, note }: KnownReminder, seconds: number): Promise<void> {
  const made = await ask(declared.createReminder, reminderInput(messageId, seconds, note))
  if (made === undefined) return
  const { reminder_id } = made
  if ((await ask(declared.deleteReminder, { reminder_id: id })) === undefined) return
  undoable(t().later.reminded(localTime(seconds)), async () => {
    await call(SESSION, declared.createReminder, reminderInput(messageId, at, note))
    await call(SESSION, declared.deleteReminder, { reminder_id })
  })
}

/** Deletes a reminder, with Undo until it is due. */
export async function deleteReminder({ id, messageId, at, note }: KnownReminder): Promise<void> {
  if ((await ask(declared.deleteReminder, { reminder_id: id })) === undefined) return
  undoable(t().later.reminderDeleted, async () =>
    call(SESSION, declared.createReminder, reminderInput(messageId, at, note)),
  )
}
