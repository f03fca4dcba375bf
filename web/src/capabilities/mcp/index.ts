import type { Capability } from '../../kernel/capability.ts'

/** Settings for access by Model Context Protocol clients. */
export const mcp: Capability = {
  name: 'mcp',
  settings: async () => (await import('./administration.ts')).sections,
}
