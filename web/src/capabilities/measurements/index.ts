import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { whenIdle } from '../../platform/dom/idle.ts'

/** How fast the client is for the person who uses it. What is measured stays in the tab. */
export const measurements: Capability = {
  name: 'measurements',
  begin: () => {
    whenIdle(() => void import('./collecting.ts').then(({ collect }) => collect()))
  },
  settings: [
    {
      id: 'speed',
      title: () => t().measurements.title,
      icon: 'poll',
      load: async () => (await import('./settings.ts')).groups,
    },
  ],
}
