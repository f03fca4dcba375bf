import { capability } from '../../platform/capability.ts'

/** Narrows: which messages a client asks for, as a question to a message and as one to the database. */
export const narrow = capability({
  name: 'narrow',
  tables: [],
  reads: ['conversation_members', 'conversations', 'messages', 'reactions', 'subscriptions', 'topics', 'user_topics'],
})
