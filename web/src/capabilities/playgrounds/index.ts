import type { Capability } from '../../kernel/capability.ts'

/** Code playgrounds: where code of a language can be run. */
export const playgrounds: Capability = {
  name: 'playgrounds',
  settings: async () => (await import('./administration.ts')).sections,
}
