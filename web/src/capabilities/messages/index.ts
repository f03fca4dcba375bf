import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { beginOutbox } from './outbox.ts'

export const messages: Capability = {
  name: 'messages',
  begin: beginOutbox,
  settings: [
    {
      id: 'reading',
      title: () => t().settings.reading,
      icon: 'feed',
      load: async () => (await import('./settings.ts')).groups,
    },
  ],
}
