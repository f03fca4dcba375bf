import type { Capability } from '../../kernel/capability.ts'

export const dataExports: Capability = {
  name: 'data-exports',
  settings: async () => (await import('./administration.ts')).sections,
}
