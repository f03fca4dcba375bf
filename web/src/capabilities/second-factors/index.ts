import type { Capability } from '../../kernel/capability.ts'

/** What one signs in with beside a password. */
export const secondFactors: Capability = {
  name: 'second-factors',
  settings: async () => (await import('./settings.ts')).loadSections(),
}
