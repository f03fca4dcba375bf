import type { Capability } from '../../kernel/capability.ts'

export const sessions: Capability = {
  name: 'sessions',
  settings: async () => (await import('./settings.ts')).sections,
}
