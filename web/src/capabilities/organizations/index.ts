import type { Capability } from '../../kernel/capability.ts'

export const organizations: Capability = {
  name: 'organizations',
  settings: async () => (await import('./administration.ts')).sections,
}
