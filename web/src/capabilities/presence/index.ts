import type { Capability } from '../../kernel/capability.ts'
import { reportPresence, startPresenceClock } from './state.ts'

export const presence: Capability = {
  name: 'presence',
  begin: () => {
    startPresenceClock()
    reportPresence()
  },
}
