import type { Capability } from '../../kernel/capability.ts'
import { showAppearance } from './state.ts'

/** How the client looks. */
export const appearance: Capability = {
  name: 'appearance',
  begin: showAppearance,
  settings: async () => (await import('./settings.ts')).sections,
}
