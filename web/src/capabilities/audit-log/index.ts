import type { Capability } from '../../kernel/capability.ts'

export const auditLog: Capability = {
  name: 'audit-log',
  settings: async () => (await import('./administration.ts')).sections,
}
