import type { Capability } from '../../kernel/capability.ts'

export const groups: Capability = {
  name: 'groups',
  settings: async () => (await import('./administration.ts')).sections,
}
