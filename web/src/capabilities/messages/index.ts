import type { Capability } from '../../kernel/capability.ts'
import { hearDeliveries } from './outbox.ts'

export const messages: Capability = { name: 'messages', begin: hearDeliveries }
