import type { Capability } from '../../kernel/capability.ts'
import { beginOutbox } from './outbox.ts'

export const messages: Capability = { name: 'messages', begin: beginOutbox }
