import type { Invalidation } from '../../../kernel/invalidation.ts'

/** A change of messages that were sent: of one message, or of all that were in a topic. */
export type MessageChange = { readonly message: number } | { readonly topic: number }

/**
 * Changes of messages that had been sent: of their texts, their places, what was added to them, and their deletion. Every
 * action that makes such a change says so.
 */
export const messageInvalidation: Invalidation<MessageChange> = { name: 'message-changes' }
