import { call } from '@parley/client'
import { reminders as declared } from '@parley/server/contract'
import type { Capability } from '../../kernel/capability.ts'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

export const reminders: Capability = {
  name: 'reminders',
  messageActions: [
    {
      id: 'reminders.add',
      title: () => t().later.remind,
      icon: 'recent',
      keys: ['h'],
      run: (message, from) => chooseTime(from, t().later.remind, (seconds) => void remind(message, seconds)),
    },
  ],
}

/** Has the server remind one of a message, which can be undone. */
async function remind({ id }: Message, seconds: number): Promise<void> {
  const answer = await ask(declared.createReminder, { message_id: id, scheduled_delivery_timestamp: seconds })
  if (answer === undefined) return
  const { reminder_id } = answer
  undoable(t().later.reminded(localTime(seconds)), async () => call(SESSION, declared.deleteReminder, { reminder_id }))
}
