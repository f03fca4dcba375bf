import { capability, direct, query, replicaQuery } from '../../platform/capability.ts'
import { isMessageWanted } from '../history/queries/index.ts'
import { isLimitedGuestViewer } from '../users/rules/visibility.ts'
import { renderContent } from './actions/prepare.ts'
import { sendMessage } from './actions/send/send.ts'
import { sendSubmessage } from './actions/submessages.ts'
import { followUpOnMessages } from './consumers.ts'
import * as contract from './contract/index.ts'
import { changeSearchLanguages, deleteExpiredSendKeys, indexMessages, indexTopics } from './jobs.ts'
import { newestMessageSnapshot, recentConversationsSnapshot, getStreamTopics } from './queries/index.ts'
import { attachMessages, isMessagePublic, messageSentPerUserFields, messageSentToClient } from './queries/sent.ts'
import { submessageBinding } from './queries/submessages.ts'
import { exportedTables, migrations } from './tables.ts'

export const messages = capability({
  name: 'messages',
  tables: [
    'messages',
    'topics',
    'conversations',
    'conversation_members',
    'sent_local_ids',
    'send_keys',
    'submessages',
    'search_words',
    'topic_words',
  ],
  reads: [
    'channels',
    'invited_people',
    'organization_settings',
    'organizations',
    'queues',
    'reactions',
    'subscriptions',
    'users',
  ],
  migrations,
  exportedTables,
  omitted: { sent_local_ids: null, send_keys: null, topic_words: null, search_words: null },
  limits: [contract.SUBMESSAGE_LIMIT, contract.SUBMESSAGE_BYTES_LIMIT],
  routes: [
    direct(contract.sendMessage, sendMessage),
    query(contract.renderContent, renderContent),
    direct(contract.sendSubmessage, sendSubmessage),
    replicaQuery(contract.getStreamTopics, getStreamTopics),
  ],
  events: [
    {
      event: contract.messageSent,
      administration: false,
      hydrate: attachMessages,
      isWanted: isMessageWanted,
      public: isMessagePublic,
      encodeSeparately: isLimitedGuestViewer,
      toClient: messageSentToClient,
      perUserFields: messageSentPerUserFields,
    },
    submessageBinding,
  ],
  consumers: [followUpOnMessages],
  jobs: [deleteExpiredSendKeys, indexMessages, indexTopics, changeSearchLanguages],
  snapshot: [
    { eventTypes: ['message'], read: newestMessageSnapshot },
    { eventTypes: ['recent_private_conversations'], read: recentConversationsSnapshot },
  ],
})
