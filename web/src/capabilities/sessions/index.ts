import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'

/** The browsers in which a person is signed in. */
export const sessions: Capability = {
  name: 'sessions',
  settings: [
    {
      id: 'devices',
      title: () => t().devices.title,
      icon: 'device',
      load: async () => (await import('./settings.ts')).groups,
    },
  ],
}
