import type { Capability } from '../../kernel/capability.ts'

/** User groups: can be mentioned, given permissions, and added to channels. */
export const groups: Capability = {
  name: 'groups',
  settings: async () => (await import('./administration.ts')).sections,
}
