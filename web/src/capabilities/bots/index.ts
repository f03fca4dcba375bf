import type { Capability } from '../../kernel/capability.ts'

export const bots: Capability = {
  name: 'bots',
  settings: async () => (await import('./administration.ts')).sections,
}
