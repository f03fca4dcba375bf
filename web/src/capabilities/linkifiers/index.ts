import type { Capability } from '../../kernel/capability.ts'

export const linkifiers: Capability = {
  name: 'linkifiers',
  settings: async () => (await import('./administration.ts')).sections,
}
