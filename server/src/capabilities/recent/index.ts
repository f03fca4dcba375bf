import { capability, replicaQuery } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { getRecentConversations } from './queries/index.ts'

/** Recent: the conversations of a user across channels and direct messages, the one with the newest message first. */
export const recent = capability({
  name: 'recent',
  tables: [],
  reads: [
    'conversation_members',
    'conversations',
    'message_flags',
    'messages',
    'organizations',
    'subscriptions',
    'topics',
    'user_topics',
  ],
  routes: [replicaQuery(contract.getRecentConversations, getRecentConversations)],
})
