import type { Capability } from '../../kernel/capability.ts'
import { showAppearance } from './state.ts'

export const appearance: Capability = {
  name: 'appearance',
  begin: showAppearance,
}
