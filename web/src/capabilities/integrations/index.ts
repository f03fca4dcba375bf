import type { Capability } from '../../kernel/capability.ts'

export const integrations: Capability = {
  name: 'integrations',
  settings: async () => (await import('./administration.ts')).sections,
}
