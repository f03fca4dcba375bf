import type { Capability } from '../../kernel/capability.ts'

/** Archives of the organization's data, and whether one's own private data may be in them. */
export const dataExports: Capability = {
  name: 'data-exports',
  settings: async () => (await import('./administration.ts')).sections,
}
