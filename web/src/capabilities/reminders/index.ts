import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { chooseReminder } from './actions.ts'

export const reminders: Capability = {
  name: 'reminders',
  messageActions: [
    {
      id: 'reminders.add',
      title: () => t().later.remind,
      icon: 'recent',
      keys: ['h'],
      group: 'read',
      run: (message, from) => chooseReminder(message.id, from),
    },
  ],
}
