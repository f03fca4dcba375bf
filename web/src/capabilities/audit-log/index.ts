import type { Capability } from '../../kernel/capability.ts'

/** Who changed what of the administration. */
export const auditLog: Capability = {
  name: 'audit-log',
  settings: async () => (await import('./administration.ts')).sections,
}
