import type { Capability } from '../../kernel/capability.ts'
import { letTimePass } from './state.ts'

export const presence: Capability = { name: 'presence', begin: letTimePass }
