import { capability, query, replicaQuery } from '../../platform/capability.ts'
import * as contract from './contract.ts'
import { getMessage, getMessages, matchesNarrow } from './queries/reading.ts'
import { getSearchSettings } from './queries/search.ts'

export const history = capability({
  name: 'history',
  tables: [],
  reads: [
    'attachment_messages',
    'attachment_texts',
    'attachments',
    'conversation_members',
    'conversations',
    'message_edits',
    'message_flags',
    'messages',
    'organizations',
    'reactions',
    'search_words',
    'submessages',
    'subscriptions',
    'topic_reads',
    'topic_words',
    'topics',
    'user_reads',
    'user_topics',
  ],
  routes: [
    replicaQuery(contract.getMessages, getMessages),
    replicaQuery(contract.matchesNarrow, matchesNarrow),
    replicaQuery(contract.getMessage, getMessage),
    query(contract.getSearchSettings, getSearchSettings),
  ],
})
