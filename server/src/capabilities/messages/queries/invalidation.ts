import type { Invalidation } from '../../../kernel/invalidation.ts'

/** A change to one sent message, or to all messages of a topic. */
export type MessageChange = { readonly message: number } | { readonly topic: number }

/** Announced by every action that changes a sent message's text, location, or submessages, or deletes it. */
export const messageInvalidation: Invalidation<MessageChange> = { name: 'message-changes' }
