import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import type { Point } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { dueTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'

export const reminderInput = (messageId: number, at: number, note: string) => ({
  message_id: messageId,
  scheduled_delivery_timestamp: at,
  ...(note === '' ? {} : { note }),
})

interface ReminderOptions {
  readonly at?: Point | undefined
  readonly done?: (() => void) | undefined
}

export function chooseReminder(messageId: number, from: HTMLElement, { at, done }: ReminderOptions): void {
  const choose = (seconds: number): void => {
    void createReminder(messageId, seconds).then((isSet) => isSet && done?.())
  }
  chooseTime(from, t().later.remind, choose, at)
}

async function createReminder(messageId: number, seconds: number): Promise<boolean> {
  const answer = await callOrToast(declared.createReminder, reminderInput(messageId, seconds, ''))
  if (answer === undefined) return false
  const { reminder_id } = answer
  offerUndo(t().later.reminded(dueTime(seconds)), async () => call(SESSION, declared.deleteReminder, { reminder_id }))
  return true
}
