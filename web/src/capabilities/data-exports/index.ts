import type { Capability } from '../../kernel/capability.ts'

/** Data exports, and the user's consent to exporting private data. */
export const dataExports: Capability = {
  name: 'data-exports',
  settings: async () => (await import('./administration.ts')).sections,
}
