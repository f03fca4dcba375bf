import type { Capability } from '../../kernel/capability.ts'

/** What programs log in with that may do less than the person. */
export const apiTokens: Capability = {
  name: 'api-tokens',
  settings: async () => (await import('./settings.ts')).sections,
}
