import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'

export const reminders: Capability = {
  name: 'reminders',
  messageActions: [
    {
      id: 'reminders.add',
      title: () => t().later.remind,
      icon: 'reminders',
      keys: ['h'],
      group: 'read',
      run: ({ id }, from, at) =>
        void withPart(import('./state.ts'), ({ chooseReminder }) => chooseReminder(id, from, { at })),
    },
  ],
}
