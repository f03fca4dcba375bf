import type { Capability } from '../../kernel/capability.ts'

/** Services outside that post messages by an address with the key of a bot in it. */
export const integrations: Capability = {
  name: 'integrations',
  settings: async () => (await import('./administration.ts')).sections,
}
