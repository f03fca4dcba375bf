import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

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
  const answer = await ask(declared.createReminder, { message_id: messageId, scheduled_delivery_timestamp: seconds })
  if (answer === undefined) return false
  const { reminder_id } = answer
  undoable(t().later.reminded(localTime(seconds)), async () => call(SESSION, declared.deleteReminder, { reminder_id }))
  return true
}

/** Has the server not remind one, which can be undone. */
export async function cancelReminder(reminder_id: number): Promise<void> {
  // What it is of is not in the list that follows the events.
  const answer = await ask(declared.getReminders, {})
  const known = answer?.reminders.find((one) => one.reminder_id === reminder_id)
  if (known === undefined || (await ask(declared.deleteReminder, { reminder_id })) === undefined) return
  const { reminder_target_message_id: message_id, scheduled_delivery_timestamp } = known
  undoable(t().writing.reminderDeleted, async () =>
    call(SESSION, declared.createReminder, { message_id, scheduled_delivery_timestamp }),
  )
}
