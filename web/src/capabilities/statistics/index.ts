import type { Capability } from '../../kernel/capability.ts'

/** How much is written, by how many people and where. */
export const statistics: Capability = {
  name: 'statistics',
  settings: async () => (await import('./administration.ts')).sections,
}
