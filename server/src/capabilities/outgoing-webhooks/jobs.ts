import type { Actor } from '../../kernel/actor.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { delayPiece, putBackPiece } from '../../platform/jobs/pieces.ts'
import type { OutsideClient } from '../../platform/outside/outside.ts'
import { OutsideFailure } from '../../platform/outside/request.ts'
import { requireMayStartConversation } from '../messages/actions/conversations.ts'
import { takeTurn } from '../community/actions.ts'
import { postMessages, type PostDestination } from '../messages/actions/post.ts'
import { holdMessage } from '../held-messages/actions/hold.ts'
import { needsReview, textsOf } from '../held-messages/rules.ts'
import { prepareMessage, type PreparedContent } from '../messages/actions/prepare.ts'
import { validateWidget } from '../messages/actions/submessages.ts'
import { messagesById, addTopicLinks, type StoredMessage } from '../messages/queries/index.ts'
import { requireMayStillPost } from '../messages/queries/newcomers.ts'
import { requireMayStillWrite, sendableChannel } from '../messages/rules/index.ts'
import { isDeactivated } from '../organizations/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import {
  beginDelivery,
  recordFailure,
  MAX_ATTEMPTS,
  RETRY_DELAYS_SECONDS,
  removeDelivery,
  notifyOwner,
  type StartedDelivery,
} from './actions.ts'
import { dueDeliveries, dueFailures, CONCURRENCY_LIMITS, type StoredDelivery } from './queries.ts'
import { parseDeliveryOutcome, buildRequest, type DeliveryOutcome } from './rules.ts'

const REPLY_CLIENT_NAME = 'OutgoingWebhook'

/** Sends at least once: if a server dies, another server sends the message again, with the same ID. */
export const sendToWebhooks: Job = {
  name: 'sendToWebhooks',
  everySeconds: 1,
  concurrency: CONCURRENCY_LIMITS,
  due: dueDeliveries,
  async run(context, id) {
    const { log, server } = context
    const begun = await log.write(async (tx) => beginDelivery(tx, id))
    if (begun === undefined) return
    const outcome = await requestReply(server.outside, context, begun)
    if (outcome === 'closing') await log.write(async (tx) => requeueDelivery(tx, begun.delivery))
    else if (outcome.kind === 'reply') await postReply(context, begun, outcome)
    else await log.write(async (tx) => recordOutcome(tx, begun.delivery, outcome))
  },
}

export const notifyOwnersOfFailures: Job = {
  name: 'tellOwnersOfFailures',
  everySeconds: 1,
  due: dueFailures,
  run: async ({ log, server }, botId) => log.write(async (tx) => notifyOwner(tx, server, botId)),
}

async function requestReply(
  outside: OutsideClient,
  { log }: JobContext,
  begun: StartedDelivery,
): Promise<DeliveryOutcome | 'closing'> {
  try {
    const [message = { ...begun.message, topicLinks: [] }] = await addTopicLinks(log.organization, [begun.message])
    return parseDeliveryOutcome(
      await outside.request(buildRequest(log.organization, { ...begun, message })),
      begun.service,
    )
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error
    if (error.reason === 'closing') return 'closing'
    return { kind: error.isPassing ? 'again' : 'failed', reason: error.message }
  }
}

async function requeueDelivery(tx: Tx, delivery: StoredDelivery): Promise<void> {
  await putBackPiece(tx, 'outgoing_webhook_deliveries', delivery)
}

async function recordOutcome(
  tx: Tx,
  delivery: StoredDelivery,
  outcome: Exclude<DeliveryOutcome, { kind: 'reply' }>,
): Promise<void> {
  if (outcome.kind === 'again' && delivery.attempts < MAX_ATTEMPTS) {
    const pause = RETRY_DELAYS_SECONDS[delivery.attempts - 1] ?? 0
    await delayPiece(tx, 'outgoing_webhook_deliveries', delivery, pause)
    return
  }
  if (!(await removeDelivery(tx, delivery)) || outcome.kind === 'done') return
  const times = delivery.attempts === 1 ? '' : `, also the ${delivery.attempts}th time`
  await recordFailure(tx, delivery, outcome.reason + times)
}

/** Posts in the message's current conversation, with the bot's permissions. */
async function postReply(
  { log, reads, server }: JobContext,
  { delivery, bot, message }: StartedDelivery,
  { content, widget }: Extract<DeliveryOutcome, { kind: 'reply' }>,
): Promise<void> {
  const renderContext = { organization: log.organization, db: reads, server }
  const member = { userId: bot.id, role: bot.role }
  const prepared = await catchApiError(async () => {
    const text = await prepareMessage(renderContext, member, message, content)
    return { ...text, widget: validateWidget(widget) ?? text.widget }
  })
  const { channelId, topic } = message
  const texts = prepared instanceof ApiError ? [] : [topic, ...textsOf(prepared, widget ?? null)]
  const isHeld = await needsReview(log.organization, member, { channelId, texts })
  await log.write(async (tx) => {
    if (isDeactivated(tx.organization)) {
      // The message is sent again after the organization is reactivated.
      await requeueDelivery(tx, delivery)
      return
    }
    const posted =
      prepared instanceof ApiError
        ? prepared
        : await catchApiError(async () => postReplyInTransaction(tx, delivery, prepared, isHeld))
    if (!(posted instanceof ApiError)) return
    if (await removeDelivery(tx, delivery)) {
      await recordFailure(tx, delivery, `its answer could not be posted (${posted.message})`)
    }
  })
}

/** Checks everything before writing, so that a refusal leaves no changes. */
async function postReplyInTransaction(
  tx: Tx,
  delivery: StoredDelivery,
  prepared: PreparedContent,
  isHeld: boolean,
): Promise<void> {
  const { botId, messageId } = delivery
  const bot = userById(tx.organization, botId)
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (bot?.isActive !== true || message === undefined) {
    await removeDelivery(tx, delivery)
    return
  }
  const actor: Actor = { userId: bot.id, role: bot.role, client: REPLY_CLIENT_NAME }
  const place = await replyDestination(tx, actor, message)
  requireMayStillPost(tx.organization, actor, message.channelId)
  await takeTurn(tx, bot.id, message.channelId, message.topic)
  // Another server may have claimed the delivery in the meantime.
  if (!(await removeDelivery(tx, delivery))) return
  if (isHeld && 'channel' in place) {
    const { content, widget } = prepared
    const written = { author_id: bot.id, sender_id: bot.id, stream_id: place.channel.id, topic: place.topic, content }
    await holdMessage(tx, { ...written, widget, client: REPLY_CLIENT_NAME, key: null, is_scoped: false })
    return
  }
  await postMessages(tx, [{ ...prepared, place, senderId: bot.id, client: REPLY_CLIENT_NAME, readBySender: true }])
}

async function replyDestination(
  tx: Tx,
  actor: Actor,
  { channelId, topic, memberIds }: StoredMessage,
): Promise<PostDestination> {
  if (channelId !== null) return { channel: sendableChannel(tx.organization, actor, channelId), topic }
  const members = memberIds ?? []
  requireMayStillWrite(tx.organization, actor, members)
  await requireMayStartConversation(tx, actor, members)
  return { memberIds: members }
}

async function catchApiError<Result>(action: () => Promise<Result>): Promise<Result | ApiError> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
