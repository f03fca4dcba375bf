import type { Capability } from '../../kernel/capability.ts'

/** What the organization is called, and its rules. */
export const organizations: Capability = {
  name: 'organizations',
  settings: async () => (await import('./administration.ts')).sections,
}
