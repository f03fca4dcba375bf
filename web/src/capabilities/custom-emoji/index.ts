import type { Capability } from '../../kernel/capability.ts'

/** Emoji that the organization made. */
export const customEmoji: Capability = {
  name: 'custom-emoji',
  settings: async () => (await import('./administration.ts')).sections,
}
