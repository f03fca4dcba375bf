import { capability } from '../../platform/capability.ts'

/** What each user has read, as multiranges of positions. */
export const unread = capability({
  name: 'unread',
  tables: ['topic_reads', 'user_reads'],
  reads: ['conversation_members', 'conversations', 'messages', 'subscriptions', 'topics'],
})
