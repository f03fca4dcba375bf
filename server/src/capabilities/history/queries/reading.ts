import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { CachedFields, ComposedResponse, type JsonPieces } from '../../../platform/answers/composed.ts'
import { isSpectator } from '../../../kernel/actor.ts'
import { absentError } from '../../channels/rules/outside-viewers.ts'
import { isChannelInTokenScope } from '../../api-tokens/rules.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { linksInTopics } from '../../linkifiers/queries.ts'
import { blockedUsersOf, isBlockedFor } from '../../muted-users/queries.ts'
import type { Reaction } from '../../messages/contract/index.ts'
import { mayReadMessage, type MessageForm, presentContent, presentMessage } from '../../messages/queries/index.ts'
import type * as contract from '../contract.ts'
import {
  highlightMessages,
  matchingIdsAmong,
  isSlowNarrow,
  prepareNarrow,
  requireNarrowInScope,
  rankedSearchOf,
  readInTurn,
  requireSpectatorRequest,
  searchOf,
  findWindow,
  type Condition,
  type MessageWindow,
} from './narrow.ts'
import { MAX_MESSAGES_PER_FETCH } from '../contract.ts'
import { readMessages, type ReadMessage, flagsOf } from './index.ts'
import { correctSearch, presentCorrections, type Corrections } from './corrections.ts'
import { readMatchingFiles, wordsInFiles } from './search-files.ts'
import { queriesOf } from './search.ts'
import { bestMatches, MAX_RANKED_MESSAGES } from './ranking.ts'
import { selectMessagesAround, maxStoredBytes, readMessageSizes } from './sizes.ts'
import { MAX_ANCHOR } from './finding.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { TopicLink } from '../../../platform/markdown/renderer.ts'
import { presentEditHistory } from '../../message-edits/queries/past.ts'
import { isLimitedGuest } from '../../users/rules/visibility.ts'
import { messageCacheOf, type CachedMessage } from './message-cache.ts'

export async function getMessages(quick: Reader, input: Input<typeof contract.getMessages>): Promise<ComposedResponse> {
  requireSpectatorRequest(quick, input)
  requireNarrowInScope(quick, input.narrow)
  return readInTurn(quick, input.narrow, async () => readMessagesOf(quick, input))
}

async function readMessagesOf(quick: Reader, input: Input<typeof contract.getMessages>): Promise<ComposedResponse> {
  const { num_before = 0, num_after = 0, message_ids = [] } = input
  const isSlow = isSlowNarrow(input.narrow, num_before + num_after + message_ids.length)
  const reader = asideIf(isSlow, quick)
  const conditions = await prepareNarrow(reader, input.narrow)
  const form = {
    applyMarkdown: input.apply_markdown,
    clientExternalAvatar: input.client_external_avatar && !isSpectator(reader.actor),
    emptyTopicName: input.allow_empty_topic_name,
    reader: reader.actor,
  }
  return input.message_ids === undefined
    ? getMessagesAround(reader, conditions, input, form)
    : getNamedMessages(reader, conditions, input, form)
}

/** Spectators share turns, so that they cannot delay members. Their searches do not delay their short reads. */
function asideIf(isSlow: boolean, quick: Reader): Reader {
  if (isSpectator(quick.actor)) return quick.aside(isSlow ? ' searching' : undefined)
  return isSlow ? quick.aside() : quick
}

async function getNamedMessages(
  reader: Reader,
  conditions: readonly Condition[],
  input: Input<typeof contract.getMessages>,
  form: MessageForm,
): Promise<ComposedResponse> {
  rejectWindowParameters(input)
  const ids = [...new Set(input.message_ids)].toSorted((one, other) => one - other)
  const most = maxStoredBytes(searchOf(conditions) !== undefined)
  const { ids: fitting } = selectMessagesAround(ids, 0, await readMessageSizes(reader, ids), most)
  const named = await readMatchingMessages(reader, conditions, fitting)
  const found = {
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
    ...incompleteness(conditions),
  }
  return composeResponse(found, (await serializeMessagesAround(reader, conditions, named, 0, form)).texts)
}

async function getMessagesAround(
  reader: Reader,
  asked: readonly Condition[],
  input: Input<typeof contract.getMessages>,
  form: MessageForm,
): Promise<ComposedResponse> {
  const wanted = requestedRange(input)
  const ranked = rankedSearchOf(asked)
  const range = {
    ...(ranked === undefined ? wanted : { num_before: MAX_RANKED_MESSAGES, num_after: 0 }),
    anchor: requestedAnchor(input),
    anchor_date: input.anchor_date,
    include_anchor: input.include_anchor,
  }
  let window = await findWindow(reader, asked, range)
  const corrected = hasNoMatch(window) ? await correctSearch(reader, asked) : undefined
  const conditions = corrected?.conditions ?? asked
  if (corrected !== undefined) window = await findWindow(reader, conditions, range)
  const most = maxStoredBytes(searchOf(conditions) !== undefined)
  const stored = selectMessagesAround(window.ids, window.anchor, await readMessageSizes(reader, window.ids), most)
  const read = await readReadableMessages(reader, stored.ids)
  const ranking = rankedSearchOf(conditions)
  const count = wanted.num_before + wanted.num_after
  const messages = ranking === undefined ? read : await bestMatches(reader, ranking, read, count)
  // If the messages are ranked, those at the end are the most important ones.
  const at = ranking === undefined ? window.anchor : MAX_ANCHOR
  const shown = await serializeMessagesAround(reader, conditions, messages, at, form)
  const leaves = { older: stored.leavesOlder || shown.leavesOlder, newer: stored.leavesNewer || shown.leavesNewer }
  const found = {
    anchor: window.anchor,
    found_anchor: window.foundAnchor,
    // Clients send another request for messages that did not fit. Ranked messages have no pages.
    found_oldest: ranking !== undefined || (window.foundOldest && !leaves.older),
    found_newest: ranking !== undefined || (window.foundNewest && !leaves.newer),
    history_limited: false,
    ...incompleteness(conditions),
    ...(window.range.from === undefined || leaves.older ? {} : { searched_from: window.range.from }),
    ...(window.range.to === undefined || leaves.newer ? {} : { searched_to: window.range.to }),
    ...(ranking === undefined
      ? {}
      : { search_ranking: { matches: read.length, found_oldest: window.foundOldest && !stored.leavesOlder } }),
    ...(corrected === undefined || messages.length === 0
      ? {}
      : { search_corrections: await presentFoundCorrections(reader, corrected.corrections, messages) }),
  }
  return composeResponse(found, shown.texts)
}

function incompleteness(conditions: readonly Condition[]): { search_incomplete?: true } {
  return searchOf(conditions)?.prepared?.unindexed.isIncomplete === true ? { search_incomplete: true } : {}
}

function hasNoMatch({ ids, foundOldest, foundNewest }: MessageWindow): boolean {
  return ids.length === 0 && foundOldest && foundNewest
}

async function presentFoundCorrections(
  reader: Reader,
  corrections: Corrections,
  messages: readonly ReadMessage[],
): Promise<ReturnType<typeof presentCorrections>> {
  const near = [...corrections.values()].flatMap((words) => [...words])
  const inFiles = await wordsInFiles(reader, messages.map(messageIdOf), near)
  return presentCorrections(corrections, [...messages.flatMap(searchedTexts), ...inFiles])
}

function searchedTexts({ message: { stored } }: ReadMessage): string[] {
  return [stored.content, stored.channelId === null ? '' : stored.topic]
}

const MIN_PIECE_CHARACTERS = 256 * 1024

function composeResponse(
  fields: Omit<Output<typeof contract.getMessages>, 'messages'>,
  texts: readonly string[],
): ComposedResponse {
  return new ComposedResponse([fields], [new CachedFields(splitIntoPieces(texts))])
}

/** Splits the JSON into pieces, because joining it would copy millions of characters at once. */
function splitIntoPieces(texts: readonly string[]): JsonPieces {
  const pieces: string[] = []
  let piece = '{"messages":['
  for (const [index, text] of texts.entries()) {
    piece += index === 0 ? text : `,${text}`
    if (piece.length < MIN_PIECE_CHARACTERS) continue
    pieces.push(piece)
    piece = ''
  }
  const last = `${piece}]}`
  const [first, ...others] = pieces
  return first === undefined ? [last] : [first, ...others, last]
}

async function readReadableMessages(reader: Reader, ids: readonly number[]): Promise<ReadMessage[]> {
  const messages = await readMessages(reader, ids)
  return messages.filter(
    ({ message: { stored } }) =>
      mayReadMessage(reader.organization, reader.actor, stored) &&
      isChannelInTokenScope(reader.actor, stored.channelId),
  )
}

async function readMatchingMessages(
  reader: Reader,
  conditions: readonly Condition[],
  messageIds: readonly number[],
): Promise<ReadMessage[]> {
  const readable = await readReadableMessages(reader, [...new Set(messageIds)])
  if (conditions.length === 0 || readable.length === 0) return readable
  const ids = readable.map(messageIdOf)
  const wanted = new Set(await matchingIdsAmong(reader, conditions, ids))
  return readable.filter((one) => wanted.has(messageIdOf(one)))
}

function messageIdOf({ message }: ReadMessage): number {
  return message.stored.id
}

function rejectWindowParameters(input: Input<typeof contract.getMessages>): void {
  const given = (['anchor', 'num_before', 'num_after'] as const).filter((name) => input[name] !== undefined)
  if (given.length === 0) return
  const parameters = [...given, 'message_ids']
  throw new ApiError('BAD_REQUEST', `Unsupported parameter combination: ${parameters.join(', ')}`, { parameters })
}

function requestedRange(input: Input<typeof contract.getMessages>): { num_before: number; num_after: number } {
  const { num_before = 0, num_after = 0 } = input
  if (num_before + num_after > MAX_MESSAGES_PER_FETCH) {
    throw new ApiError('BAD_REQUEST', `Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
  }
  return { num_before, num_after }
}

function requestedAnchor({ anchor, use_first_unread_anchor }: Input<typeof contract.getMessages>): string {
  if (use_first_unread_anchor) return 'first_unread'
  if (anchor !== undefined) return anchor
  throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'anchor' argument", { var_name: 'anchor' })
}

export async function matchesNarrow(
  quick: Reader,
  input: Input<typeof contract.matchesNarrow>,
): Promise<Output<typeof contract.matchesNarrow>> {
  const reader = isSlowNarrow(input.narrow, input.msg_ids.length) ? quick.aside() : quick
  const conditions = await prepareNarrow(reader, input.narrow)
  const ids = [...new Set(input.msg_ids)]
  const bytes = ids.map(await readMessageSizes(reader, ids)).reduce((sum, size) => sum + size, 0)
  if (bytes > maxStoredBytes(searchOf(conditions) !== undefined)) {
    throw new ApiError('BAD_REQUEST', 'These messages are too long to return together. Request fewer.')
  }
  const messages = await readMatchingMessages(reader, conditions, input.msg_ids)
  // This endpoint has no parameter `allow_empty_topic_name`.
  const matches = await highlightedMatches(reader, conditions, messages, false)
  return {
    messages: Object.fromEntries(messages.map((one, index) => [messageIdOf(one), matches[index] ?? NO_MATCH_FIELDS])),
  }
}

const NO_MATCH_FIELDS = { match_content: '', match_subject: '' }

async function highlightedMatches(
  reader: Reader,
  conditions: readonly Condition[],
  messages: readonly ReadMessage[],
  emptyTopicName: boolean,
): Promise<{ match_content: string; match_subject: string }[]> {
  const texts = messages.map(({ message: { stored } }) => ({
    html: presentContent(reader.organization, stored, { applyMarkdown: true, reader: reader.actor }),
    text: stored.channelId === null ? '' : presentTopic(stored.topic, emptyTopicName),
  }))
  const found = await highlightMessages(reader, conditions, texts)
  return found.map(({ html, text }) => ({ match_content: html, match_subject: text }))
}

export async function getMessage(
  reader: Reader,
  input: Input<typeof contract.getMessage>,
): Promise<Output<typeof contract.getMessage>> {
  const [found] = await readReadableMessages(reader, [input.message_id])
  if (found === undefined) throw absentError(reader.actor, 'Invalid message(s)')
  const { stored } = found.message
  const links = await linksInTopics(reader.organization, [stored.topic])
  const form = {
    applyMarkdown: input.apply_markdown,
    clientExternalAvatar: !isSpectator(reader.actor),
    emptyTopicName: input.allow_empty_topic_name,
    reader: reader.actor,
  }
  return {
    raw_content: presentContent(reader.organization, stored, { ...form, applyMarkdown: false }),
    message: presentCachedMessage(reader, found, form, links),
  }
}

async function serializeMessagesAround(
  reader: Reader,
  conditions: readonly Condition[],
  messages: readonly ReadMessage[],
  anchor: number,
  form: MessageForm,
): Promise<{ texts: string[]; leavesOlder: boolean; leavesNewer: boolean }> {
  const search = searchOf(conditions)
  const matches =
    search === undefined ? [] : await highlightedMatches(reader, conditions, messages, form.emptyTopicName)
  const files =
    search && (await readMatchingFiles(reader, { ...search, queries: queriesOf(search) }, messages.map(messageIdOf)))
  const links = await linksInTopics(
    reader.organization,
    messages.map(({ message }) => message.stored.topic),
  )
  const textOf = serializeMessages(reader, form, links)
  const matchOf = (id: number, index: number): Readonly<Record<string, unknown>> | undefined => {
    const found = files?.get(id)
    return found === undefined ? matches[index] : { ...matches[index], match_files: found }
  }
  const shown = new Map(
    messages.map((one, index) => [messageIdOf(one), { one, match: matchOf(messageIdOf(one), index) }]),
  )
  const texts = new Map<number, string>()
  const { ids, ...left } = selectMessagesAround([...shown.keys()], anchor, (id) => {
    const found = shown.get(id)
    const text = found === undefined ? '' : textOf(found.one, found.match)
    texts.set(id, text)
    return text.length
  })
  return { texts: ids.map((id) => texts.get(id) ?? ''), ...left }
}

type MessageResponse = Output<typeof contract.getMessage>['message']
type LinksByTopic = ReadonlyMap<string, readonly TopicLink[]>

function presentCachedMessage(
  reader: Reader,
  found: ReadMessage,
  form: MessageForm,
  links: LinksByTopic,
): MessageResponse {
  return {
    ...presentCommonFields(reader, found.message, form),
    topic_links: [...linksOf(found, links)],
    flags: flagsOf(reader, found),
  }
}

/** Serializes messages; readers share parts of the JSON. `added`: fields that only this response contains. */
function serializeMessages(
  reader: Reader,
  form: MessageForm,
  links: LinksByTopic,
): (found: ReadMessage, added?: Readonly<Record<string, unknown>>) => string {
  const kept = messageCacheOf(reader.organization)
  const key = messageFormKey(form)
  const seesEverybody = !isLimitedGuest(reader.organization, reader.actor)
  return (found, added) => {
    const { message } = found
    const make = (organization: OrganizationState): string =>
      JSON.stringify(presentCommonFields({ ...reader, organization }, message, form)).slice(0, -1)
    const isShared =
      seesEverybody && isSameForAllReaders(message) && reactionsFor(reader, message.reactions) === message.reactions
    const common = isShared ? kept.text(message, key, make) : make(reader.organization)
    const shownLinks = linksOf(found, links)
    const flags = flagsOf(reader, found).join('","')
    const own = `,"topic_links":${shownLinks.length === 0 ? '[]' : JSON.stringify(shownLinks)},"flags":${flags === '' ? '[]' : `["${flags}"]`}`
    return `${common}${own}${added === undefined ? '}' : `,${JSON.stringify(added).slice(1)}`}`
  }
}

/** The result depends on the reader only if `isSameForAllReaders` is false, or if the reader blocks a reactor. */
function presentCommonFields(
  reader: Pick<Reader, 'organization' | 'actor'>,
  { stored, reactions, submessages, edits }: CachedMessage,
  form: MessageForm,
): Omit<MessageResponse, 'topic_links' | 'flags'> {
  const shown = presentMessage(reader.organization, stored, form, reactionsFor(reader, reactions), submessages)
  return edits.length === 0
    ? shown
    : Object.assign(shown, presentEditHistory(reader, stored, edits, form.emptyTopicName))
}

/** Returns the same list unless the reader blocks someone who reacted. */
function reactionsFor(
  { organization, actor }: Pick<Reader, 'organization' | 'actor'>,
  reactions: readonly Reaction[],
): readonly Reaction[] {
  if (reactions.length === 0 || blockedUsersOf(organization, actor.userId).length === 0) return reactions
  const isHidden = ({ user_id }: Reaction): boolean => isBlockedFor(organization, actor.userId, user_id)
  return reactions.some(isHidden) ? reactions.filter((reaction) => !isHidden(reaction)) : reactions
}

/** Whether all readers who see all users get the same fields: true unless the message was ever in another channel. */
function isSameForAllReaders({ edits }: CachedMessage): boolean {
  return edits.every((edit) => edit.prev_channel_id === null)
}

function messageFormKey({ applyMarkdown, clientExternalAvatar, emptyTopicName }: MessageForm): string {
  return [applyMarkdown, clientExternalAvatar, emptyTopicName].map(Number).join('')
}

function linksOf({ message }: ReadMessage, links: LinksByTopic): readonly TopicLink[] {
  return links.get(message.stored.topic) ?? []
}
