import type { Capability } from '../../kernel/capability.ts'
import { hearTyping } from './state.ts'

export const typing: Capability = { name: 'typing', begin: hearTyping }
