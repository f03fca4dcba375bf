import type { Capability } from '../../kernel/capability.ts'

/** Accounts of programs. */
export const bots: Capability = {
  name: 'bots',
  settings: async () => (await import('./administration.ts')).sections,
}
