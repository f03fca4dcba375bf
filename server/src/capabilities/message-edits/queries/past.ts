import { isSpectator } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { createYielder, turnOwner, type Yielder } from '../../../kernel/pauses.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { htmlDiff } from '../../../platform/markdown/diff/diff.ts'
import { channelById } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { Member } from '../../groups/rules.ts'
import { removePreviews } from '../../link-previews/rules.ts'
import { mayReadMessage, messagesById, type StoredMessage } from '../../messages/queries/index.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import type * as contract from '../contract.ts'
import type { HistoricState, MessageEdit } from '../contract.ts'
import { editsOf, type StoredEdit } from './index.ts'

export interface VisibleEditHistory {
  readonly edit_history?: MessageEdit[]
  readonly last_edit_timestamp?: number
  readonly last_moved_timestamp?: number
}

export function presentEditHistory(
  reader: Pick<Reader, 'organization' | 'actor'>,
  message: StoredMessage,
  edits: readonly StoredEdit[],
  emptyTopicName: boolean,
): VisibleEditHistory {
  const rewritten = edits.findLast((edit) => edit.prev_content !== null)
  // Spectators do not learn of earlier texts and places, or of who changed them.
  if (isSpectator(reader.actor)) return rewritten === undefined ? {} : { last_edit_timestamp: rewritten.date_edited }
  const moved = edits.findLast((edit) => edit.topic !== null)
  const shown = visibleEdits(reader.organization, reader.actor, message, edits)
  return {
    ...(shown.length === 0
      ? {}
      : { edit_history: shown.map((edit) => presentEdit(edit, emptyTopicName)).toReversed() }),
    ...(rewritten === undefined ? {} : { last_edit_timestamp: rewritten.date_edited }),
    ...(moved === undefined ? {} : { last_moved_timestamp: moved.date_edited }),
  }
}

interface VisibleEdit extends StoredEdit {
  readonly showsOrigin: boolean
  readonly showsMove: boolean
}

function visibleEdits(
  organization: OrganizationState,
  member: Member,
  message: StoredMessage,
  edits: readonly StoredEdit[],
): VisibleEdit[] {
  const policy = settingOf(organization, 'message_edit_history_visibility_policy')
  if (policy === 'none') return []
  let isHidden = false
  const shown: VisibleEdit[] = []
  for (const edit of edits.toReversed()) {
    const showsMove = edit.topic !== null && !isHidden
    if (edit.prev_channel_id !== null && !mayReadInChannel(organization, member, edit.prev_channel_id, message.id))
      isHidden = true
    const content = policy === 'all' ? {} : { prev_content: null, prev_rendered_content: null }
    const one = { ...edit, ...content, showsMove, showsOrigin: showsMove && !isHidden }
    if (one.showsMove || one.prev_content !== null) shown.push(one)
  }
  return shown.toReversed()
}

function mayReadInChannel(
  organization: OrganizationState,
  member: Member,
  channelId: number,
  messageId: number,
): boolean {
  const channel = channelById(organization, channelId)
  return channel !== undefined && readablePart(organization, member, channel) !== 'none'
    ? mayReadMessage(organization, member, { id: messageId, channelId, readerIds: null })
    : false
}

function presentEdit(edit: VisibleEdit, emptyTopicName: boolean): MessageEdit {
  return {
    user_id: edit.user_id,
    timestamp: edit.date_edited,
    ...contentBeforeEdit(edit),
    ...locationChange(edit, emptyTopicName),
    ...(changesTopic(edit) ? { topic: presentTopic(edit.topic ?? '', emptyTopicName) } : {}),
  }
}

function changesTopic(edit: VisibleEdit): boolean {
  return edit.showsMove && edit.prev_topic !== edit.topic
}

function contentBeforeEdit(edit: VisibleEdit): Pick<MessageEdit, 'prev_content' | 'prev_rendered_content'> {
  if (edit.prev_content === null) return {}
  return { prev_content: edit.prev_content, prev_rendered_content: edit.prev_rendered_content ?? '' }
}

function locationChange(
  edit: VisibleEdit,
  emptyTopicName: boolean,
): Pick<MessageEdit, 'prev_topic' | 'prev_stream' | 'stream'> {
  const { prev_topic, prev_channel_id, channel_id, showsMove, showsOrigin } = edit
  return {
    ...(showsOrigin && changesTopic(edit) ? { prev_topic: presentTopic(prev_topic ?? '', emptyTopicName) } : {}),
    ...(showsOrigin && prev_channel_id !== null ? { prev_stream: prev_channel_id } : {}),
    ...(showsMove && channel_id !== null ? { stream: channel_id } : {}),
  }
}

async function contentDiff(
  { prev_rendered_content: before }: VisibleEdit,
  after: string,
  pause: Yielder,
): Promise<Pick<HistoricState, 'content_html_diff'>> {
  if (before === null) return {}
  return { content_html_diff: await htmlDiff(before, after, pause) }
}

export async function getMessageHistory(
  reader: Reader,
  input: Input<typeof contract.getMessageHistory>,
): Promise<Output<typeof contract.getMessageHistory>> {
  const { organization, actor, db, organizationId } = reader
  const message = (await messagesById(db, organizationId, [input.message_id])).get(input.message_id)
  if (message === undefined || !mayReadMessage(organization, actor, message))
    throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  if (settingOf(organization, 'message_edit_history_visibility_policy') === 'none') {
    throw new ApiError('BAD_REQUEST', 'Message edit history is disabled in this organization')
  }
  const edits = (await editsOf(db, organizationId, [message.id])).get(message.id) ?? []
  // A message can have hundreds of edits, and the diff of each takes up to 100 ms.
  const pause = createYielder(turnOwner(organizationId, actor.userId))
  const shown = visibleEdits(organization, actor, message, edits)
  // Direct messages have no topic, not even the empty topic.
  const named = (name: string): string =>
    message.channelId === null ? '' : presentTopic(name, input.allow_empty_topic_name)
  // Walks backward, because each edit contains the state before it.
  let topic = message.topic
  let content = message.content
  let rendered = removePreviews(message.renderedContent)
  const states: HistoricState[] = []
  const [first, end] = [input.offset, input.offset + (input.limit ?? Infinity)]
  for (const [index, edit] of [...shown.entries()].toReversed()) {
    // The state after edit `index` is the message's state number `index + 1`.
    const isWanted = index + 1 >= first && index + 1 < end
    states.push({
      topic: named(topic),
      content,
      rendered_content: rendered,
      ...contentBeforeEdit(edit),
      ...(isWanted ? await contentDiff(edit, rendered, pause) : {}),
      ...locationChange(edit, input.allow_empty_topic_name),
      user_id: edit.user_id,
      timestamp: edit.date_edited,
    })
    if (edit.showsOrigin) topic = edit.prev_topic ?? topic
    content = edit.prev_content ?? content
    rendered = edit.prev_rendered_content ?? rendered
  }
  states.push({
    topic: named(topic),
    content,
    rendered_content: rendered,
    user_id: message.senderId,
    timestamp: message.dateSent,
  })
  return { message_history: states.toReversed().slice(first, end) }
}
