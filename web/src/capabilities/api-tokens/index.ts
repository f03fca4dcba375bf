import type { Capability } from '../../kernel/capability.ts'

export const apiTokens: Capability = {
  name: 'api-tokens',
  settings: async () => (await import('./settings.ts')).sections,
}
