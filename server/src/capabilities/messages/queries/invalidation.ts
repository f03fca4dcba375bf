import type { Invalidation } from '../../../kernel/invalidation.ts'

/** A change of messages that were sent: of one message, or of all that were in a topic. */
export type MessageChange = { readonly message: number } | { readonly topic: number }

/** Changes to sent messages: text, place, additions, and deletion. Every such action must announce it. */
export const messageInvalidation: Invalidation<MessageChange> = { name: 'message-changes' }
