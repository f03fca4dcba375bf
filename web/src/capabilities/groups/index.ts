import type { Capability } from '../../kernel/capability.ts'

/** Groups of people: mentioned as one, given permissions, added to channels. */
export const groups: Capability = {
  name: 'groups',
  settings: async () => (await import('./administration.ts')).sections,
}
