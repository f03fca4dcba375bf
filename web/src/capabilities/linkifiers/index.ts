import type { Capability } from '../../kernel/capability.ts'

/** What becomes a link in messages by itself. */
export const linkifiers: Capability = {
  name: 'linkifiers',
  settings: async () => (await import('./administration.ts')).sections,
}
