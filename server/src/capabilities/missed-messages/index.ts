import { capability } from '../../platform/capability.ts'
import { scheduleMissedMessageChecks } from './consumers.ts'
import * as contract from './contract.ts'
import { emailMissedMessages } from './jobs.ts'
import { migrations } from './tables.ts'

export const missedMessages = capability({
  name: 'missed-messages',
  tables: ['missed_messages', 'late_mentions'],
  reads: [
    'organization_settings',
    'organizations',
    'users',
    'conversations',
    'conversation_members',
    'topics',
    'messages',
    'message_flags',
    'user_topics',
  ],
  migrations,
  omitted: { missed_messages: null, late_mentions: null },
  limits: [contract.CONVERSATION_MAIL_LIMIT],
  jobs: [emailMissedMessages],
  consumers: [scheduleMissedMessageChecks],
})
