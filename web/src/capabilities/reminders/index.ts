import { reminders as declared } from '@parley/server/contract'
import type { Capability } from '../../kernel/capability.ts'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { chooseTime } from '../../platform/overlay/times.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { ask } from '../../platform/requests.ts'

export const reminders: Capability = {
  name: 'reminders',
  messageActions: [
    {
      id: 'reminders.add',
      title: () => t().later.remind,
      icon: 'recent',
      key: 'h',
      run: (message, from) => chooseTime(from, t().later.remind, (seconds) => void remind(message, seconds)),
    },
  ],
}

/** Has the server remind one of a message, which can be undone. */
async function remind({ id }: Message, seconds: number): Promise<void> {
  const answer = await ask(declared.createReminder, { message_id: id, scheduled_delivery_timestamp: seconds })
  if (answer === undefined) return
  const { reminder_id } = answer
  toast(t().later.reminded(localTime(seconds)), () => void ask(declared.deleteReminder, { reminder_id }))
}
