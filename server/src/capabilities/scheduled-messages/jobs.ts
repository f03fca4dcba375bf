import { isDeepStrictEqual } from 'node:util'
import { caseKey } from '../../kernel/case-key.ts'
import type { Actor } from '../../kernel/actor.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { channelById, type Channel } from '../channels/queries/index.ts'
import { readablePart } from '../channels/rules/index.ts'
import { holdMessage } from '../held-messages/actions/hold.ts'
import { needsReview, textsOf } from '../held-messages/rules.ts'
import { takeTurn } from '../community/actions.ts'
import { prepareNotice, postMessages, fenceText, type PostDestination } from '../messages/actions/post.ts'
import { prepareMessage, type PreparedContent } from '../messages/actions/prepare.ts'
import { requireMayStillPost } from '../messages/queries/newcomers.ts'
import { raisePolicy } from '../user-topics/actions/index.ts'
import { automaticPolicy } from '../user-topics/rules.ts'
import { isoTime, userById } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { destinationOf, markScheduledMessageFailed, removeScheduledMessage, requireMayWriteTo } from './actions.ts'
import {
  dueScheduledMessages,
  presentScheduledMessage,
  scheduledMessageById,
  type StoredScheduledMessage,
} from './queries.ts'

/** Sends each message once, because the same transaction deletes it. */
export const sendScheduledMessages: Job = {
  name: 'sendScheduledMessages',
  everySeconds: 1,
  due: dueScheduledMessages,
  run: sendIfDue,
  giveUp: async (context, id) =>
    context.log.write(async (tx) => {
      const due = await findDueMessage(tx, id)
      if (due !== undefined) await markFailedAndNotify(tx, context, due, 'The server could not send it.')
    }),
}

async function sendIfDue(context: JobContext, id: number): Promise<void> {
  const { log, reads, server } = context
  const read = await scheduledMessageById(reads, log.organization.id, id)
  if (read === undefined) return
  const { id: userId, role } = knownUser(log.organization, read.userId)
  // Renders again because names and permissions may have changed. Rendering is slow, so it precedes the transaction.
  const renderContext = { organization: log.organization, db: reads, server }
  const prepared = await catchApiError(async () => prepareMessage(renderContext, { userId, role }, read, read.content))
  const { channelId, topic } = read
  const texts = prepared instanceof ApiError ? [] : [topic, ...textsOf(prepared)]
  const isHeld = await needsReview(log.organization, { userId, role }, { channelId, texts })
  await log.write(async (tx) => {
    const due = await findDueMessage(tx, id)
    // If the message changed since it was read, the next run sends it.
    if (due === undefined || !isDeepStrictEqual(due, read)) return
    const sent =
      prepared instanceof ApiError
        ? prepared
        : await catchApiError(async () => (isHeld ? holdDueMessage(tx, due) : sendDueMessage(tx, due, prepared)))
    if (sent instanceof ApiError) await markFailedAndNotify(tx, context, due, sent.message)
    else await removeScheduledMessage(tx, due)
  })
}

async function findDueMessage(tx: Tx, id: number): Promise<StoredScheduledMessage | undefined> {
  const stored = await scheduledMessageById(tx.db, tx.organizationId, id)
  return stored !== undefined && !stored.failed && stored.deliveryAt <= tx.now ? stored : undefined
}

/** Checks the sender's current permissions. */
async function requireMaySendDue(
  tx: Tx,
  due: StoredScheduledMessage,
): Promise<{ actor: Actor; destination: ReturnType<typeof destinationOf> }> {
  const sender = userById(tx.organization, due.userId)
  if (sender?.isActive !== true) throw new ApiError('BAD_REQUEST', 'Account is deactivated')
  const actor: Actor = { userId: sender.id, role: sender.role, client: due.client }
  const destination = destinationOf(tx.organization, actor, {
    type: due.channelId === null ? 'direct' : 'channel',
    to: presentScheduledMessage(due).to,
    topic: due.topic,
  })
  await requireMayWriteTo(tx, actor, destination)
  return { actor, destination }
}

async function holdDueMessage(tx: Tx, due: StoredScheduledMessage): Promise<void> {
  const { actor, destination } = await requireMaySendDue(tx, due)
  if (destination.channelId === null) throw new Error('direct messages are not reviewed')
  await takeTurn(tx, actor.userId, destination.channelId, destination.topic)
  await holdMessage(tx, {
    author_id: actor.userId,
    sender_id: actor.userId,
    stream_id: destination.channelId,
    topic: destination.topic,
    content: due.content,
    widget: null,
    client: due.client,
    key: null,
    is_scoped: false,
  })
}

async function sendDueMessage(tx: Tx, due: StoredScheduledMessage, prepared: PreparedContent): Promise<void> {
  const { actor, destination } = await requireMaySendDue(tx, due)
  const { channelId, memberIds, topic } = destination
  const channel = channelId === null ? undefined : channelById(tx.organization, channelId)
  const place: PostDestination = channel === undefined ? { memberIds } : { channel, topic }
  const follow = channel === undefined ? undefined : await prepareTopicPolicyChange(tx, actor, channel, topic)
  const { client, readBySender } = due
  requireMayStillPost(tx.organization, actor, channelId)
  await takeTurn(tx, actor.userId, channelId, topic)
  await postMessages(tx, [{ ...prepared, place, senderId: actor.userId, client, readBySender }])
  await follow?.()
}

/** Returns a function that makes the sender follow or unmute the topic; undefined if neither is needed. */
async function prepareTopicPolicyChange(
  tx: Tx,
  actor: Actor,
  channel: Channel,
  topic: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const begun = await tx.db
    .selectFrom('topics')
    .select('id')
    .where('organization_id', '=', tx.organizationId)
    .where('channel_id', '=', channel.id)
    .where('name_key', '=', caseKey(topic))
    .executeTakeFirst()
  // In protected history, the sender must not learn whether the topic existed.
  const starts = begun === undefined && readablePart(tx.organization, actor, channel) === 'all'
  const automatic = automaticPolicy(tx.organization, actor.userId, channel.id, starts ? 'start' : 'send')
  if (automatic === undefined) return undefined
  return async () => raisePolicy(Object.assign(tx, { actor }), channel.id, topic, automatic)
}

async function markFailedAndNotify(
  tx: Tx,
  { server }: JobContext,
  due: StoredScheduledMessage,
  reason: string,
): Promise<void> {
  await markScheduledMessageFailed(tx, due)
  if (userById(tx.organization, due.userId)?.isActive !== true) return
  const text =
    `The message you scheduled for <time:${isoTime(due.deliveryAt)}> was not sent because of the following error:\n\n` +
    `${fenceText(reason)}\n\n[View scheduled messages](#scheduled)`
  await postMessages(tx, [await prepareNotice(tx, server, { userId: due.userId }, text)])
}

async function catchApiError<Result>(action: () => Promise<Result>): Promise<Result | ApiError> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
