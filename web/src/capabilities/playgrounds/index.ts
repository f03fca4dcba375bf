import type { Capability } from '../../kernel/capability.ts'

export const playgrounds: Capability = {
  name: 'playgrounds',
  settings: async () => (await import('./administration.ts')).sections,
}
