import type { Capability } from '../../kernel/capability.ts'
import { followTyping } from './state.ts'

export const typing: Capability = { name: 'typing', begin: followTyping }
