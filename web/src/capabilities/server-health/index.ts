import type { Capability } from '../../kernel/capability.ts'

export const serverHealth: Capability = {
  name: 'server-health',
  settings: async () => (await import('./administration.ts')).sections,
}
