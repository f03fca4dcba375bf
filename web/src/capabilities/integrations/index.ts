import type { Capability } from '../../kernel/capability.ts'

/** Integrations: services that post messages through a webhook URL with a bot's key. */
export const integrations: Capability = {
  name: 'integrations',
  settings: async () => (await import('./administration.ts')).sections,
}
