import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { showAppearance } from './state.ts'

/** How the client looks. */
export const appearance: Capability = {
  name: 'appearance',
  begin: showAppearance,
  settings: [
    {
      id: 'appearance',
      title: () => t().appearance.title,
      icon: 'appearance',
      load: async () => (await import('./settings.ts')).groups,
    },
  ],
}
