import type { Capability } from '../../kernel/capability.ts'

export const secondFactors: Capability = {
  name: 'second-factors',
  settings: async () => (await import('./settings.ts')).loadSections(),
}
