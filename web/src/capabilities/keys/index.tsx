import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { OpenKeyMap, openKeyMap } from './state.tsx'

export const keys: Capability = {
  name: 'keys',
  overlays: [OpenKeyMap],
  commands: [{ id: 'keys.help', title: () => t().keys.help, keys: ['?'], run: () => void openKeyMap() }],
}
