import type { Capability } from '../../kernel/capability.ts'

export const mcp: Capability = {
  name: 'mcp',
  settings: async () => (await import('./administration.ts')).sections,
}
