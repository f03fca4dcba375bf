import type { Capability } from '../../kernel/capability.ts'

export const customEmoji: Capability = {
  name: 'custom-emoji',
  settings: async () => (await import('./administration.ts')).sections,
}
