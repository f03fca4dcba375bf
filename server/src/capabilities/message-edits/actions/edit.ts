import { createHash } from 'node:crypto'
import { isBlank } from '../../../kernel/characters.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, SharedActorTx } from '../../../kernel/transaction.ts'
import type { Subject } from '../../../platform/log/overlap.ts'
import type { Call } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { deleteSurplusContents } from './history.ts'
import { channelById, type Channel } from '../../channels/queries/index.ts'
import { reviewedTextError } from '../../held-messages/actions/hold.ts'
import { addsReviewedText, hasReviewer, isReviewedAuthor, textsOf } from '../../held-messages/rules.ts'
import { takeTurnForMove } from '../../community/actions.ts'
import { rewriteRecipientFlags } from '../../flags/actions/changed.ts'
import { requestPreviews } from '../../link-previews/actions.ts'
import { previewableUrls, removePreviews, appendPreviews } from '../../link-previews/rules.ts'
import { rewriteContent } from '../../messages/actions/change.ts'
import { prepareMessage, type PreparedContent, type MessageLocation } from '../../messages/actions/prepare.ts'
import { requireMayStillPost } from '../../messages/queries/newcomers.ts'
import { mayReadMessage, messagesById, readableMessage, type StoredMessage } from '../../messages/queries/index.ts'
import { isWidget } from '../../messages/queries/submessages.ts'
import { recipientsOf, type Recipients } from '../../messages/rules/recipients.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { claimUploads } from '../../uploads/actions.ts'
import type { UploadedFile } from '../../uploads/contract.ts'
import type * as contract from '../contract.ts'
import { requireMayRewrite } from '../rules.ts'
import type { NewMentions } from '../queries/events.ts'
import { emitContentUpdate } from './emit.ts'
import { moveMessagesAndNotify } from './move.ts'
import { withdrawNotices } from './notices.ts'
import { isRenaming, planMove, type Move, type UpdateInput } from './plan.ts'

export async function updateMessage(call: Call, input: UpdateInput): Promise<Output<typeof contract.updateMessage>> {
  requireValidEdit(input)
  const moves = input.topic !== undefined || input.stream_id !== undefined
  /** Texts that were found harmless in another place. */
  const reviewed = new Set<string>()
  for (;;) {
    const prepared = input.content === undefined ? undefined : await prepareEdit(call, input.message_id, input.content)
    // Edits without a move are frequent, so concurrent edits share a transaction.
    const detached = moves
      ? await call.log.act(call.actor, async (tx) => moveMessages(tx, call.server, input, prepared, reviewed))
      : await call.log.actInSharedTransaction(call.actor, subjectOfEdit(input, prepared), async (tx) =>
          rewriteMessage(tx, input, prepared),
        )
    if (detached !== undefined && 'toReview' in detached) await requireNoReviewedText(call, detached, reviewed)
    else if (detached !== undefined) return { detached_uploads: detached }
  }
}

/** Texts that a move brings to a channel. */
interface TextsToReview {
  readonly channelId: number
  readonly toReview: readonly string[]
  /** Topic that moderators could see already, such as one that is only resolved. */
  readonly before: readonly string[]
}

/** Edits and moves cannot wait for review, because people may already see the messages. */
async function requireNoReviewedText(
  { log: { organization }, actor }: Call,
  { channelId, toReview, before }: TextsToReview,
  reviewed: Set<string>,
): Promise<void> {
  for (const text of toReview) {
    if (await addsReviewedText(organization, actor, { channelId, texts: [text] }, before)) throw reviewedTextError()
    reviewed.add(text)
  }
}

const MAX_REVIEWED_MESSAGES = 100

/** Finds texts that the destination's moderators have not seen: a new topic, and messages they could not read. */
async function textsToReview(tx: ActorTx, { from, to, message, topic, messageIds }: Move): Promise<TextsToReview> {
  const channelId = to.id
  if (!isReviewedAuthor(tx.organization, tx.actor)) return { channelId, toReview: [], before: [] }
  if (to.id === from.id || hasReviewer(tx.organization, from.id)) {
    return { channelId, toReview: topic === message.topic ? [] : [topic], before: [message.topic] }
  }
  if (messageIds.length > MAX_REVIEWED_MESSAGES) {
    throw new ApiError('BAD_REQUEST', `At most ${MAX_REVIEWED_MESSAGES} messages can be moved to this channel at once.`)
  }
  const moved = await messagesById(tx.db, tx.organizationId, messageIds)
  return { channelId, toReview: [topic, ...Array.from(moved.values(), ({ content }) => content)], before: [] }
}

/** Rejects requests that are invalid regardless of the message. */
function requireValidEdit({ content, topic, stream_id, propagate_mode }: UpdateInput): void {
  if (content === undefined && topic === undefined && stream_id === undefined) {
    throw new ApiError('BAD_REQUEST', 'Nothing to change')
  }
  if (content !== undefined && stream_id !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Cannot change message content while changing channel')
  }
  if (propagate_mode !== 'change_one' && topic === undefined && stream_id === undefined) {
    throw new ApiError('BAD_REQUEST', 'Invalid propagate_mode without topic edit')
  }
}

const EMPTY_CONTENT_REPLACEMENT = '(deleted)'

interface PreparedEdit {
  readonly content: PreparedContent
  readonly place: MessageLocation
  readonly hasLinks: boolean
}

/** Checks access first, so that hidden messages reveal nothing about their location. */
async function prepareEdit({ log, actor, server }: Call, messageId: number, text: string): Promise<PreparedEdit> {
  const { organization, lookups } = log
  const message = (await messagesById(lookups, organization.id, [messageId])).get(messageId)
  if (message === undefined || !mayReadMessage(organization, actor, message))
    throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  const wanted = isBlank(text) ? EMPTY_CONTENT_REPLACEMENT : text
  const content = await prepareMessage({ organization, db: lookups, server }, actor, message, wanted)
  const reviewed = { channelId: message.channelId, texts: textsOf(content) }
  const isAdding = addsReviewedText(organization, actor, reviewed, [message.content])
  if (isAdding !== false && (await isAdding)) throw reviewedTextError()
  const isNew = content.uploadIds.length > 0 || content.previewable.length > 0
  return { content, place: message, hasLinks: isNew || message.renderedContent.includes('href=') }
}

/** Edits of the same message conflict, and so do edits with links, because messages can link to the same files. */
function subjectOfEdit({ message_id }: UpdateInput, prepared: PreparedEdit | undefined): Subject {
  return { kind: 'edit', of: [`message ${message_id}`, ...(prepared?.hasLinks === true ? ['links'] : [])] }
}

/** Returns the actor's files that are no longer linked, or undefined if the message was moved in the meantime. */
async function rewriteMessage(
  tx: SharedActorTx,
  input: UpdateInput,
  prepared: PreparedEdit | undefined,
): Promise<UploadedFile[] | undefined> {
  const edited = await lockEditableMessage(tx, input, prepared)
  return edited && rewriteContentIfChanged(tx, edited, prepared?.content, tx.nextId())
}

/** Moves messages, and rewrites the requested message if it has new text. Returns the same as `rewriteMessage`, or texts to review first. */
async function moveMessages(
  tx: ActorTx,
  server: ServerFacts,
  input: UpdateInput,
  prepared: PreparedEdit | undefined,
  reviewed: ReadonlySet<string>,
): Promise<UploadedFile[] | TextsToReview | undefined> {
  const edited = await lockEditableMessage(tx, input, prepared)
  if (edited === undefined) return undefined
  const { message, channel } = edited
  let planned = channel === undefined ? undefined : await planMove(tx, message, channel, input)
  if (planned !== undefined) {
    const texts = await textsToReview(tx, planned)
    if (texts.toReview.some((text) => !reviewed.has(text))) return texts
  }
  if (planned !== undefined && input.withdraw_notices) planned = await withoutNotices(tx, planned, input)
  if (planned !== undefined) await takeTurnForNewPlace(tx, planned)
  // The edit and the move share a position, so that the history shows a single change.
  const position = tx.nextId()
  const detached = await rewriteContentIfChanged(tx, edited, prepared?.content, position)
  if (planned !== undefined) await moveMessagesAndNotify(tx, server, planned, position)
  return detached
}

/** Plans the move again if it deletes notices, because they are among the topic's messages. */
async function withoutNotices(tx: ActorTx, planned: Move, input: UpdateInput): Promise<Move | undefined> {
  if (!(await withdrawNotices(tx, planned))) return planned
  const again = await planMove(tx, planned.message, planned.from, input)
  return again && { ...again, notifies: { ...again.notifies, resolution: false } }
}

/** A topic that only gets another name keeps its slow mode. */
async function takeTurnForNewPlace(tx: ActorTx, move: Move): Promise<void> {
  if (isRenaming(move)) return
  await takeTurnForMove(tx, {
    from: { channelId: move.from.id, topic: move.message.topic },
    to: { channelId: move.to.id, topic: move.topic },
    messageCount: move.messageIds.length,
  })
}

interface LockedMessageAndChannel {
  readonly message: StoredMessage
  readonly channel: Channel | undefined
}

/** Throws if the edit is not allowed. Returns undefined if the message moved after its new text was rendered. */
async function lockEditableMessage(
  tx: SharedActorTx,
  input: UpdateInput,
  prepared: PreparedEdit | undefined,
): Promise<LockedMessageAndChannel | undefined> {
  // Queries in parallel, but refuses hidden messages first, so that no one learns whether they are widgets.
  const [message, isOfWidget] = await Promise.all([
    readableMessage(tx, input.message_id),
    prepared === undefined ? false : isWidget(tx, input.message_id),
  ])
  // The text was rendered for the old location, so the caller must prepare it again.
  if (prepared !== undefined && !isSameLocation(prepared.place, message)) return undefined
  const channel = message.channelId === null ? undefined : channelById(tx.organization, message.channelId)
  if (channel?.isArchived === true) throw new ApiError('BAD_REQUEST', 'The channel is archived.')
  if (channel === undefined && input.topic !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Direct messages cannot have topics.')
  }
  if (channel === undefined && input.stream_id !== undefined) {
    throw new ApiError('BAD_REQUEST', 'Direct messages cannot be moved to channels.')
  }
  requireExpectedContent(message, input.prev_content_sha256)
  if (prepared !== undefined) {
    requireMayRewrite(tx.organization, tx.actor, message, tx.now)
    requireMayStillPost(tx.organization, tx.actor, message.channelId)
    if (isOfWidget) throw new ApiError('BAD_REQUEST', 'Widgets cannot be edited.')
  }
  return { message, channel }
}

async function rewriteContentIfChanged(
  tx: SharedActorTx,
  { message, channel }: LockedMessageAndChannel,
  content: PreparedContent | undefined,
  position: number,
): Promise<UploadedFile[]> {
  if (content === undefined || content.content === message.content) return []
  const detached = await claimUploads(tx, message.id, content.uploadIds)
  await rewriteContentAndEmit(tx, message, channel, content, position)
  return detached
}

function isSameLocation(one: MessageLocation, other: MessageLocation): boolean {
  return one.channelId === other.channelId && one.topic === other.topic
}

function requireExpectedContent(message: StoredMessage, expected: string | undefined): void {
  if (expected === undefined) return
  const actual = createHash('sha256').update(message.content).digest('hex')
  if (expected.toLowerCase() !== actual) {
    throw new ApiError('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value.")
  }
}

function newMentionsOf(
  { mentioned, topicMentioned }: Recipients,
  before: ReadonlySet<number>,
  newlyMentionsAll: boolean,
): NewMentions {
  const added = [...new Set([...mentioned, ...topicMentioned])].filter((userId) => !before.has(userId))
  return {
    ...(added.length === 0 ? {} : { newly_mentioned: added }),
    ...(newlyMentionsAll ? { newly_mentions_all: { before: [...before] } } : {}),
  }
}

async function recordPreviousContent(
  tx: SharedActorTx,
  messageId: number,
  position: number,
  { content, renderedContent }: Pick<StoredMessage, 'content' | 'renderedContent'>,
): Promise<void> {
  await tx.db.rows(
    'keep_state',
    `insert into message_edits
       (organization_id, message_id, position, user_id, date_edited, prev_content, prev_rendered_content)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tx.organizationId, messageId, position, tx.actor.userId, tx.now, content, renderedContent],
  )
}

async function rewriteContentAndEmit(
  tx: SharedActorTx,
  message: StoredMessage,
  channel: Channel | undefined,
  prepared: PreparedContent,
  position: number,
): Promise<void> {
  const { content, facts, previewable } = prepared
  const wanted = previewableUrls(tx.organization, previewable)
  const previewing = requestPreviews(tx, message.id, wanted)
  const previews = wanted.length === 0 ? [] : await previewing
  const renderedContent = appendPreviews(prepared.renderedContent, previews)
  // Link previews are not part of the author's text.
  const before = { content: message.content, renderedContent: removePreviews(message.renderedContent) }
  const destination = { ...message, memberIds: message.readerIds }
  const recipients = recipientsOf(tx.organization, destination, facts, {
    senderId: message.senderId,
    readBySender: false,
  })
  // These statements are pipelined in this order.
  const [mentionedBefore] = await Promise.all([
    rewriteRecipientFlags(tx, message.id, recipients),
    rewriteContent(tx, message.id, { ...prepared, renderedContent }),
    recordPreviousContent(tx, message.id, position, before),
    deleteSurplusContents(tx, message.id),
    previewing,
  ])
  const shownBefore =
    settingOf(tx.organization, 'message_edit_history_visibility_policy') === 'all'
      ? { orig_content: before.content, orig_rendered_content: before.renderedContent }
      : {}
  const mentions = newMentionsOf(recipients, mentionedBefore, facts.mentionsChannel && !message.mentionsChannel)
  const changed = {
    user_id: tx.actor.userId,
    rendering_only: false,
    ...shownBefore,
    content,
    renderedContent,
    ...mentions,
  }
  const rewritten = { ...message, mentionsChannel: facts.mentionsChannel }
  await emitContentUpdate(tx, rewritten, changed, channel === undefined ? [] : [tx.actor.userId])
}
