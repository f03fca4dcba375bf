import type { Capability } from '../../kernel/capability.ts'

/** The browsers in which a person is signed in. */
export const sessions: Capability = {
  name: 'sessions',
  settings: async () => (await import('./settings.ts')).sections,
}
