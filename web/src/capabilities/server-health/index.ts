import type { Capability } from '../../kernel/capability.ts'

/** How the server is. */
export const serverHealth: Capability = {
  name: 'server-health',
  settings: async () => (await import('./administration.ts')).sections,
}
