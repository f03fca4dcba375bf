import type { Input, Output } from '../../../../kernel/endpoint.ts'
import { ApiError, organizationDeactivatedError } from '../../../../kernel/refusal.ts'
import type { Call } from '../../../../platform/request.ts'
import { isChannelInTokenScope, requireChannelInTokenScope } from '../../../api-tokens/rules.ts'
import { takeTurn } from '../../../community/actions.ts'
import { slowModeError } from '../../../community/rules.ts'
import { canSeeChannel } from '../../../channels/rules/index.ts'
import { normalizeRequestedTopic } from '../../../channels/rules/topics.ts'
import { channelById, channelByName } from '../../../channels/queries/index.ts'
import {
  heldMessageWithKey,
  holdMessage,
  keyOfOtherMessageError,
  messageHeldError,
} from '../../../held-messages/actions/hold.ts'
import { needsReview, textsInJson, textsOf } from '../../../held-messages/rules.ts'
import { chosenPolicy } from '../../../user-topics/queries.ts'
import { automaticPolicy, automaticallyRaisedPolicy } from '../../../user-topics/rules.ts'
import { userById } from '../../../users/queries/index.ts'
import type * as contract from '../../contract/index.ts'
import { followUpOnMessages } from '../../consumers.ts'
import type { FollowUpWork } from '../../rules/payload.ts'
import {
  validateTopic,
  conversationMembers,
  isReadBySender,
  sendableChannel,
  requireMayStillWrite,
} from '../../rules/index.ts'
import {
  firstMessageSentWith,
  sendKeyOf,
  type SendKey,
  type OutgoingMessage,
  createMessageInsert,
  mentionedFollowers,
  type SendOutcome,
} from './outgoing.ts'
import { conversationOf, mayNotStartConversationError } from '../conversations.ts'
import { prepareMessage } from '../prepare.ts'
import { validateWidget } from '../submessages.ts'
import { orderedValues } from '../../../../platform/db/parameters.ts'
import { DatabaseBehindError } from '../../../../platform/db/unavailable.ts'
import type { BatchKind } from '../../../../platform/log/batch-writer.ts'
import { isDeactivated } from '../../../organizations/queries/index.ts'
import { requireMayStillPost, requireNoNewcomerLinks } from '../../queries/newcomers.ts'
import { requireAllowedMentions } from '../../rules/mentions.ts'
import { missingWords } from '../terms.ts'
import type { SendBatch, StatementResults, ResultRow } from './part.ts'
import { partsNeededFor } from './parts/index.ts'
import { wordsOfInserts } from './parts/words.ts'
import { sendingStatement, valuesFor } from './statement.ts'

type SendInput = Input<typeof contract.sendMessage>

type SendResponse = Output<typeof contract.sendMessage>

export function sendMessage(call: Call, input: SendInput): Promise<SendResponse> {
  const key = sendKeyOf(input)
  return key === null ? prepareAndSend(call, input, key) : sendWithKey(call, input, key)
}

/** A retry succeeds even if its sender can no longer post. */
async function sendWithKey(call: Call, input: SendInput, key: SendKey): Promise<SendResponse> {
  try {
    return await prepareAndSend(call, input, key)
  } catch (error) {
    const first = error instanceof ApiError ? await firstMessageSentWith(call, key) : undefined
    if (first === undefined) throw error
    return { id: first }
  }
}

async function prepareAndSend(call: Call, input: SendInput, key: SendKey | null): Promise<SendResponse> {
  if (input.queue_id !== undefined && input.local_id === undefined) {
    throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'local_id' argument", { var_name: 'local_id' })
  }
  const widget = validateWidget(input.widget_content)
  const place = isDirectMessage(input) ? await directDestination(call, input) : channelDestination(call, input)
  const { organization } = call.log
  const renderContext = { organization, db: call.log.lookups, server: call.server }
  const prepared = await prepareMessage(renderContext, call.actor, place, input.content)
  if (input.widget_content !== undefined)
    await requireNoNewcomerLinks(renderContext, call.actor, textsInJson(input.widget_content))
  const review = needsReview(organization, call.actor, {
    channelId: place.channelId,
    texts: [place.topic, ...textsOf(prepared, widget)],
  })
  if (review !== false && (await review)) return holdForReview(call, place, input, key)
  const mayRaise = raisesTopicPolicy(call, place)
  // Lists the fields, because V8 takes 18 us to spread two objects.
  const sent = await call.log.batch(sendBatch, {
    channelId: place.channelId,
    topic: place.topic,
    conversation: place.conversation,
    audience: place.audience,
    content: prepared.content,
    renderedContent: prepared.renderedContent,
    facts: prepared.facts,
    uploadIds: prepared.uploadIds,
    previewable: prepared.previewable,
    senderId: call.actor.userId,
    client: call.actor.client,
    readBySender: input.read_by_sender ?? isReadBySender(call.actor.client),
    queueId: input.queue_id ?? null,
    localId: input.queue_id === undefined ? null : (input.local_id ?? null),
    key,
    widget: widget ?? prepared.widget,
    leftToDo: followUpWork(prepared.uploadIds, mayRaise === false ? false : await mayRaise),
  })
  if (sent === 'not begun') throw mayNotStartConversationError()
  if (sent === 'other request') {
    throw keyOfOtherMessageError()
  }
  if ('waitSeconds' in sent) throw slowModeError(sent.waitSeconds, place.channelId)
  const policy = sent.fresh ? await call.server.consumers.handled(call.log, followUpOnMessages, sent.id) : undefined
  return { id: sent.id, ...(policy === undefined ? {} : { automatic_new_visibility_policy: policy }) }
}

/** Returns the message if a retry's first request sent it before the pattern was added. @throws ApiError otherwise */
async function holdForReview(
  call: Call,
  { channelId, topic }: Destination,
  { content, widget_content: widget }: SendInput,
  key: SendKey | null,
): Promise<SendResponse> {
  if (channelId === null) throw new Error('direct messages are not reviewed')
  const first = key === null ? undefined : await firstMessageSentWith(call, key)
  if (first !== undefined) return { id: first }
  const { userId, client } = call.actor
  const written = { author_id: userId, sender_id: userId, stream_id: channelId, topic, content }
  const held = { ...written, widget: widget ?? null, client, key, is_scoped: !isChannelInTokenScope(call.actor, null) }
  throw messageHeldError(
    await call.log.act(call.actor, async (tx) => {
      const known = key === null ? undefined : await heldMessageWithKey(tx, userId, key)
      if (known !== undefined) return known
      await takeTurn(tx, userId, channelId, topic)
      return holdMessage(tx, held)
    }),
  )
}

function followUpWork(uploadIds: readonly number[], mayRaise: boolean): FollowUpWork | undefined {
  if (uploadIds.length === 0 && !mayRaise) return undefined
  return { ...(uploadIds.length > 0 ? { links: true } : {}), ...(mayRaise ? { takes_part: true } : {}) }
}

/** Whether sending makes the sender follow or unmute the topic. The consumer `followUp` handles new topics. */
function raisesTopicPolicy(
  { log: { organization, lookups }, actor }: Call,
  { channelId, topic }: Destination,
): Promise<boolean> | false {
  if (channelId === null) return false
  const automatic = automaticPolicy(organization, actor.userId, channelId, 'send')
  if (automatic === undefined) return false
  return chosenPolicy(lookups, organization.id, actor.userId, { channelId, topic }).then(
    (chosen) => automaticallyRaisedPolicy(chosen, automatic) !== undefined,
  )
}

type Destination = Pick<OutgoingMessage, 'channelId' | 'topic' | 'conversation' | 'audience'>

function isDirectMessage(input: SendInput): boolean {
  return input.type === 'direct' || input.type === 'private'
}

function channelDestination(call: Call, input: SendInput): Destination {
  const named = Array.isArray(input.to) && input.to.length === 1 ? input.to[0] : input.to
  const isNamed = named !== '' && !(Array.isArray(named) && named.length === 0)
  const to = isNamed ? named : (defaultChannel(call) ?? named)
  if (Array.isArray(to) || to === undefined) throw new ApiError('BAD_REQUEST', 'Expected exactly one channel')
  const { organization } = call.log
  // Checks the scope before revealing anything about the channel.
  requireChannelInTokenScope(call.actor, typeof to === 'number' ? to : channelByName(organization, to)?.id)
  const channel = sendableChannel(organization, call.actor, to)
  return {
    channelId: channel.id,
    topic: validateTopic(organization, channel, normalizeRequestedTopic(organization, call.actor, input.topic)),
    conversation: null,
    audience: { channel: channel.id },
  }
}

function defaultChannel({ log: { organization }, actor }: Call): number | undefined {
  const id = userById(organization, actor.userId)?.botHabits.default_sending_stream ?? 0 // No channel has the ID 0.
  const channel = channelById(organization, id)
  return channel !== undefined && canSeeChannel(organization, actor, channel) ? channel.id : undefined
}

async function directDestination(call: Call, input: SendInput): Promise<Destination> {
  requireChannelInTokenScope(call.actor, null)
  const to = typeof input.to === 'string' ? input.to.split(',').map((email) => email.trim()) : [input.to].flat()
  const memberIds = conversationMembers(call.log.organization, call.actor, to)
  const conversation = await conversationOf(call, memberIds)
  return { channelId: null, topic: '', conversation, audience: { users: memberIds } }
}

const MAX_MESSAGES_PER_BATCH = 256
/** Smaller batches wait for the previous one: a statement costs as much as 9 messages, its disk flush as much as 11. */
const MIN_MESSAGES_PER_PIPELINED_BATCH = 16

/** Concurrent messages of an organization share one statement, assembled from the parts they need. */
export const sendBatch: BatchKind<OutgoingMessage, SendOutcome> = {
  name: 'send',
  maxItems: MAX_MESSAGES_PER_BATCH,
  minAhead: MIN_MESSAGES_PER_PIPELINED_BATCH,
  check(organization, { senderId, channelId, conversation, topic, facts }) {
    if (isDeactivated(organization)) throw organizationDeactivatedError()
    const sender = userById(organization, senderId)
    if (sender?.isActive !== true) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
    const member = { userId: senderId, role: sender.role }
    if (channelId !== null) validateTopic(organization, sendableChannel(organization, member, channelId), topic)
    requireMayStillPost(organization, member, channelId)
    if (conversation !== null) requireMayStillWrite(organization, member, conversation.memberIds)
    requireAllowedMentions(organization, member, channelId, facts)
  },
  async write(connection, organization, items) {
    const inserts = items.map((item) => createMessageInsert(organization, item))
    const batch: SendBatch = {
      organization,
      now: Math.floor(Date.now() / 1000),
      inserts,
      followers: mentionedFollowers(organization, inserts),
      newWords: missingWords(organization, wordsOfInserts(inserts)),
    }
    const parts = partsNeededFor(batch)
    const statement = sendingStatement(parts)
    const values = orderedValues(statement, valuesFor(parts, batch))
    const rows = await connection.rows<ResultRow>(statement.name, statement.text, values)
    const [first] = rows
    if (first === undefined) throw new DatabaseBehindError(`organization ${organization.id} is missing`)
    const results: StatementResults = { outcomes: new Map(), events: [] }
    for (const part of parts) await part.results?.(rows, batch, results)
    const { base } = first
    return {
      base,
      head: results.events.at(-1)?.position ?? base,
      rows: results.events,
      results: items.map((_, index) => outcomeOfMessage(index + 1, results)),
    }
  },
}

function outcomeOfMessage(n: number, { outcomes }: StatementResults): SendOutcome {
  const outcome = outcomes.get(n)
  if (outcome === undefined) throw new Error(`the statement that sends says nothing of message ${n}`)
  return outcome
}
