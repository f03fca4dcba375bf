import type { Capability } from '../../kernel/capability.ts'

export const statistics: Capability = {
  name: 'statistics',
  settings: async () => (await import('./administration.ts')).sections,
}
