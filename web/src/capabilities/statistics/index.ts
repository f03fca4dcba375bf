import type { Capability } from '../../kernel/capability.ts'

/** Message activity by day and channel. */
export const statistics: Capability = {
  name: 'statistics',
  settings: async () => (await import('./administration.ts')).sections,
}
