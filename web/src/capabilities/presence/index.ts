import type { Capability } from '../../kernel/capability.ts'
import { reportPresence, letTimePass } from './state.ts'

export const presence: Capability = {
  name: 'presence',
  begin: () => {
    letTimePass()
    reportPresence()
  },
}
