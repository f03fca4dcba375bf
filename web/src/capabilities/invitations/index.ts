import type { Capability } from '../../kernel/capability.ts'

/** How people come in: invitations by e-mail, and links that many may use. */
export const invitations: Capability = {
  name: 'invitations',
  settings: async () => (await import('./administration.ts')).sections,
}
