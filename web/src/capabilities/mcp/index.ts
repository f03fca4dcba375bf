import type { Capability } from '../../kernel/capability.ts'

/** What assistants and other programs that speak the Model Context Protocol may see and use. */
export const mcp: Capability = {
  name: 'mcp',
  settings: async () => (await import('./administration.ts')).sections,
}
