import type { Capability } from '../../kernel/capability.ts'
import { reportPresence } from './report.ts'
import { letTimePass } from './state.ts'

export const presence: Capability = {
  name: 'presence',
  begin: () => {
    letTimePass()
    reportPresence()
  },
}
