import type { Invalidation } from '../../../kernel/invalidation.ts'

export type MessageChange = { readonly message: number } | { readonly topic: number }

export const messageInvalidation: Invalidation<MessageChange> = { name: 'message-changes' }
