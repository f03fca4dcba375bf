import { capability, replicaQuery } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { getRecentConversations } from './queries/index.ts'

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
