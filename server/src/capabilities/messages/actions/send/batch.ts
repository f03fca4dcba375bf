import { organizationDeactivatedError, ApiError } from '../../../../kernel/refusal.ts'
import { valuesOf } from '../../../../platform/db/parameters.ts'
import { DatabaseBehindError } from '../../../../platform/db/unavailable.ts'
import type { BatchKind } from '../../../../platform/log/batch-writer.ts'
import { isDeactivated } from '../../../organizations/queries/index.ts'
import { userById } from '../../../users/queries/index.ts'
import { checkedTopic, requireMayStillWrite, sendableChannel } from '../../rules/index.ts'
import { checkMentions } from '../../rules/mentions.ts'
import { vocabularyOf } from '../words.ts'
import { createMessageInsert, mentionedFollowers, type SendOutcome, type OutgoingMessage } from './outgoing.ts'
import type { SendBatch, Results, ResultRow } from './part.ts'
import { partsNeededFor } from './parts/index.ts'
import { sendingStatement, valuesFor } from './statement.ts'

const MAX_MESSAGES_PER_BATCH = 256
/** Smaller batches wait for the previous one: a statement costs as much as 9 messages, its disk flush as much as 11. */
const MIN_MESSAGES_AHEAD = 16

/** Concurrent messages of an organization share one statement, assembled from the parts they need. */
export const sendBatch: BatchKind<OutgoingMessage, SendOutcome> = {
  name: 'send',
  maxItems: MAX_MESSAGES_PER_BATCH,
  minAhead: MIN_MESSAGES_AHEAD,
  check(organization, { senderId, channelId, conversation, topic, facts }) {
    if (isDeactivated(organization)) throw organizationDeactivatedError()
    const sender = userById(organization, senderId)
    if (sender?.isActive !== true) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
    const member = { userId: senderId, role: sender.role }
    if (channelId !== null) checkedTopic(organization, sendableChannel(organization, member, channelId), topic)
    if (conversation !== null) requireMayStillWrite(organization, member, conversation.memberIds)
    checkMentions(organization, member, channelId, facts)
  },
  async write(connection, organization, items) {
    const inserts = items.map((item) => createMessageInsert(organization, item))
    const batch: SendBatch = {
      organization,
      now: Math.floor(Date.now() / 1000),
      inserts,
      followers: mentionedFollowers(organization, inserts),
      vocabulary: vocabularyOf(connection.database),
    }
    const parts = partsNeededFor(batch)
    const statement = sendingStatement(parts)
    const values = valuesOf(statement, valuesFor(parts, batch))
    const rows = await connection.rows<ResultRow>(statement.name, statement.text, values)
    const [first] = rows
    if (first === undefined) throw new DatabaseBehindError(`organization ${organization.id} is missing`)
    const results: Results = { outcomes: new Map(), events: [] }
    for (const part of parts) await part.results?.(rows, batch, results)
    const { base } = first
    return {
      base,
      head: results.events.at(-1)?.position ?? base,
      rows: results.events,
      results: items.map((_, index) => outcomeOf(index + 1, results)),
    }
  },
}

function outcomeOf(n: number, { outcomes }: Results): SendOutcome {
  const outcome = outcomes.get(n)
  if (outcome === undefined) throw new Error(`the statement that sends says nothing of message ${n}`)
  return outcome
}
