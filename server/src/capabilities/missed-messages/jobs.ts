import type { Tx } from '../../kernel/transaction.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { queueMails } from '../mail/actions/index.ts'
import { OUTGOING_MAIL_LIMIT } from '../mail/contract.ts'
import { hasMailQueueSpace } from '../mail/queries.ts'
import { mayReadMessage, messagesById } from '../messages/queries/index.ts'
import { presenceOf } from '../presence/queries/index.ts'
import { userById, userSetting, type UserRow } from '../users/queries/index.ts'
import { deleteMissedRecordsOf, deleteLateMentions, deleteMissedRecord, postponeMissedRecord } from './actions/index.ts'
import { missedMessageMails, type MissedMessage } from './actions/mails.ts'
import {
  dueMissedChecks,
  dueMissedRange,
  hasAccountElsewhere,
  MAX_CHECKED_MESSAGES,
  unreadMessagesOf,
  type MissedRange,
  type UnreadMessage,
} from './queries.ts'
import { channelsWithEmail, isPerson, reasonToNotify } from './rules.ts'

const DAY_SECONDS = 86_400
/** Beyond this number, the mail server is probably unreachable, and the remaining capacity is for essential emails. */
const MAX_WAITING_MAILS = OUTGOING_MAIL_LIMIT.most / 2
const FULL_QUEUE_DELAY_SECONDS = 60
/** Longer than the longest delay, a week. Older messages, for example after a deactivation, are not emailed. */
const MAX_MESSAGE_AGE_SECONDS = 8 * DAY_SECONDS

/** Queues the emails in the transaction that deletes the record, so that each email is sent once. */
export const emailMissedMessages: Job = {
  name: 'tellOfMissedMessages',
  everySeconds: 1,
  due: dueMissedChecks,
  run: emailMissedMessagesTo,
  giveUp: async ({ log }, userId) => log.write(async (tx) => deleteMissedRecordsOf(tx, userId)),
}

async function emailMissedMessagesTo({ log, reads, server }: JobContext, userId: number): Promise<void> {
  await log.follower.catchUp()
  const { organization } = log
  const now = Math.floor(Date.now() / 1000)
  const missing = await dueMissedRange(reads, organization.id, userId, now)
  const user = userById(organization, userId)
  if (missing === undefined) return
  if (!isPerson(user) || !server.mailer.isConfigured) {
    await log.write(async (tx) => {
      await deleteMissedRecord(tx, missing)
      await deleteLateMentions(tx, missing)
    })
    return
  }
  const presence = await presenceOf(reads, organization.id, userId)
  const unread = await unreadMessagesOf(reads, organization.id, missing, {
    channelIds: channelsWithEmail(organization, user),
    since: Math.max(presence?.activeAt ?? 0, now - MAX_MESSAGE_AGE_SECONDS),
  })
  const isKnownElsewhere = await hasAccountElsewhere(reads, organization.id, caseKey(user.deliveryEmail))
  await log.write(async (tx) => {
    // More messages arrived during this run; the next run checks them.
    if (!(await deleteMissedRecord(tx, missing))) return
    if (!(await hasMailQueueSpace(tx.db, tx.organizationId, MAX_WAITING_MAILS))) {
      await postponeMissedRecord(tx, missing, { firstId: missing.firstId, dueAt: tx.now + FULL_QUEUE_DELAY_SECONDS })
      return
    }
    const last = unread.length === MAX_CHECKED_MESSAGES ? unread.at(-1)?.id : undefined
    const missed = await stillMissedMessages(tx, userId, unread)
    const reader = userById(tx.organization, userId)
    if (!isPerson(reader)) return
    const later = postponedCheck(reader, missing, missed, tx.now)
    if (later !== undefined) {
      await postponeMissedRecord(tx, missing, later)
      return
    }
    await deleteLateMentions(tx, missing)
    await queueMails(tx, missedMessageMails(tx.organization, server, reader, missed, isKnownElsewhere))
    if (last !== undefined) await postponeMissedRecord(tx, missing, { firstId: last + 1, dueAt: tx.now })
  })
}

interface StillMissedMessage extends MissedMessage, Pick<UnreadMessage, 'at' | 'isLate'> {}

/** A person who has read some of the messages gets the full delay again for later messages. */
function postponedCheck(
  user: UserRow,
  { firstId }: MissedRange,
  missed: readonly StillMissedMessage[],
  now: number,
): { readonly firstId: number; readonly dueAt: number } | undefined {
  const [first] = missed
  if (first === undefined) return undefined
  // Uses the earliest time: a recent edit that mentions the person in an old message must not delay other messages.
  const dueAt =
    Math.min(...missed.map(({ at }) => at)) + userSetting(user, 'email_notifications_batching_period_seconds')
  // If the first missed message was edited, messages between it and `firstId` were already checked.
  return dueAt > now ? { firstId: first.isLate ? firstId : first.message.id, dueAt } : undefined
}

async function stillMissedMessages(
  tx: Tx,
  userId: number,
  unread: readonly UnreadMessage[],
): Promise<StillMissedMessage[]> {
  const user = userById(tx.organization, userId)
  if (user === undefined) return []
  const wanted = unread.flatMap((facts) => {
    const reason = reasonToNotify(tx.organization, user, facts)
    return reason === undefined ? [] : [{ facts, reason }]
  })
  const ids = wanted.map(({ facts }) => facts.id)
  const messages = ids.length === 0 ? undefined : await messagesById(tx.db, tx.organizationId, ids)
  return wanted.flatMap(({ facts, reason }) => {
    const message = messages?.get(facts.id)
    // Skips messages deleted or moved since the query, or in a channel that the person can no longer read.
    if (message?.topicId !== facts.topicId) return []
    return mayReadMessage(tx.organization, { userId, role: user.role }, message)
      ? [{ message, reason, at: facts.at, isLate: facts.isLate }]
      : []
  })
}
