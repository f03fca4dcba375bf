import { history } from '@parley/server/contract'
import { isKeyOf } from '@parley/server/kernel/keys'
import { markMatches, searchTermsOfHtml } from '@parley/server/kernel/search-marks'
import { matchesSearch, parseSearch, type IsForm, type SearchClause } from '@parley/server/kernel/search-query'
import { searchTermsOf, type SearchTerm } from '@parley/server/kernel/search-terms'
import type { Message, Term } from '../../kernel/message.ts'
import { isResolvedTopic } from '../../kernel/topic.ts'
import type { Anchor } from '../../platform/messages/page.ts'
import type { MessageRange, WindowSearch } from '../../platform/messages/window.ts'
import { channelById } from '../channels/state.ts'
import { isMutedMessage, VISIBILITY, visibilityOf } from '../unread/state.ts'
import { ownId } from '../users/state.ts'
import type { Search } from './search-query.ts'

type MessageMatcher = (message: Message) => boolean

/** Finds matching local messages, and limits pages from the server to the dates of the search. */
export function createWindowSearch({ terms, since, until }: Search): WindowSearch {
  const clauses = terms.flatMap(({ operator, operand, negated }) =>
    operator === 'search' && negated !== true ? parseSearch(String(operand)) : [],
  )
  const conditions = terms
    .toSorted((one, other) => Number(one.operator === 'search') - Number(other.operator === 'search'))
    .map(({ operator, operand, negated = false }) => {
      const matches = createMatcher(operator, operand)
      return (message: Message) => matches(message) !== negated
    })
  const isWithin = ({ timestamp }: Pick<Message, 'timestamp'>): boolean => timestamp >= since && timestamp < until
  return {
    terms,
    isRanked: terms.some(({ operator, operand }) => operator === 'order' && operand === 'best'),
    matches: (message) => isWithin(message) && conditions.every((condition) => condition(message)),
    mark: ({ content, subject }) => ({
      content: markMatches(content, searchTermsOfHtml(content), clauses, isNoForm, (part) => part),
      topic: markMatches(subject, searchTermsOf(subject), clauses, isNoForm, escapeHtml),
    }),
    startOf: (what, around) =>
      around === 'newest' && Number.isFinite(until)
        ? ['older', { date: new Date(until * 1000).toISOString() }]
        : [what, around],
    clip: (page, around) => clipPageToDates(quoteFiles(page), around, { since, until }),
  }
}

/** Adds the matching text of linked files to the marked text of messages. */
function quoteFiles<Page extends MessageRange>(page: Page): Page {
  const messages = page.messages.map(({ match_files: files = [], ...message }) => {
    const quotes = files.map(
      ({ name, match_content: text }) =>
        `<blockquote><p><strong>${escapeHtml(name)}</strong>: ${text}</p></blockquote>`,
    )
    return files.length === 0 ? message : { ...message, match_content: `${message.match_content}${quotes.join('')}` }
  })
  return { ...page, messages }
}

/** Messages are in order of time, so a page that reaches beyond a date has everything up to it. */
function clipPageToDates<Page extends MessageRange>(
  page: Page,
  around: Anchor,
  { since, until }: Pick<Search, 'since' | 'until'>,
): Page {
  const { messages } = page
  const hasOlder = messages.some(({ timestamp }) => timestamp < since)
  const hasNewer = messages.some(({ timestamp }) => timestamp >= until)
  return {
    ...page,
    messages: messages.filter(({ timestamp }) => timestamp >= since && timestamp < until),
    found_oldest: page.found_oldest || hasOlder,
    found_newest: page.found_newest || hasNewer || around === 'newest',
  }
}

function createNarrowedMatcher(matches: (message: history.NarrowedMessage) => boolean): MessageMatcher {
  return (message) =>
    matches({
      id: message.id,
      channelId: message.stream_id ?? null,
      topic: message.subject,
      senderId: message.sender_id,
      memberIds: membersOf(message),
      renderedContent: message.content,
      flags: message.flags,
    })
}

function membersOf({ display_recipient: recipient }: Message): readonly number[] | null {
  return typeof recipient === 'string' ? null : recipient.map(({ id }) => id).toSorted((a, b) => a - b)
}

function createMatcher(operator: string, operand: Term['operand']): MessageMatcher {
  // Safe: the search was parsed from text, so each operator has the right kind of operand.
  const ids = Array.isArray(operand) ? operand : [Number(operand)]
  switch (operator) {
    case 'channel':
      return createNarrowedMatcher(history.isInChannel(Number(operand)))
    case 'topic':
      return createNarrowedMatcher(history.isInTopic(String(operand)))
    case 'sender':
      return createNarrowedMatcher(history.isFromSender(Number(operand)))
    case 'dm':
      return createNarrowedMatcher(history.isInConversation([...new Set([...ids, ownId()])].toSorted((a, b) => a - b)))
    case 'dm-including':
      return createNarrowedMatcher(history.isDirectWith(ids))
    case 'id':
      return ({ id }) => id === Number(operand)
    case 'has':
      return createContentMatcher(String(operand))
    case 'is':
      return createStateMatcher(String(operand))
    case 'in':
      return operand === 'home' ? (message) => !isMutedMessage(message) : () => true
    case 'order':
      return () => true
    case 'channels':
      return ({ stream_id: channelId }) => isChannelOfKind(channelId, String(operand))
    default:
      return createWordMatcher(parseSearch(String(operand)))
  }
}

function createContentMatcher(content: string): MessageMatcher {
  if (content === 'reaction') return ({ reactions }) => reactions.length > 0
  return isKeyOf(history.CONTENT_HTML, content) ? createNarrowedMatcher(history.hasContent(content)) : () => false
}

function createStateMatcher(state: string): MessageMatcher {
  if (state === 'resolved')
    return ({ stream_id: channelId, subject }) => channelId !== undefined && isResolvedTopic(subject)
  if (state === 'muted') return isMutedMessage
  if (state === 'followed')
    return ({ stream_id: channelId, subject }) =>
      channelId !== undefined && visibilityOf(channelId, subject) === VISIBILITY.followed
  return isKeyOf(history.MATCHERS_BY_STATE, state)
    ? createNarrowedMatcher(history.MATCHERS_BY_STATE[state])
    : () => false
}

function isChannelOfKind(channelId: number | undefined, kind: string): boolean {
  const channel = channelId === undefined ? undefined : channelById(channelId)
  if (channel === undefined) return false
  if (kind === 'archived') return channel.is_archived
  return kind === 'web-public' ? channel.is_web_public : !channel.invite_only
}

const isNoForm: IsForm = () => false

/** The terms of messages in one string, so that a search quickly skips messages that lack a word. */
const joinedTerms = new WeakMap<Message, string>()

function joinedTermsOf(message: Message): string {
  const known =
    joinedTerms.get(message) ??
    textsOf(message)
      .flat()
      .map(({ text }) => text)
      .join(' ')
  joinedTerms.set(message, known)
  return known
}

function textsOf({ content, subject }: Message): SearchTerm[][] {
  return [searchTermsOfHtml(content), searchTermsOf(subject)]
}

function createWordMatcher(clauses: readonly SearchClause[]): MessageMatcher {
  const words = clauses.flatMap(({ parts }) => parts.map(({ text }) => text))
  return (message) => {
    const joined = joinedTermsOf(message)
    return words.every((word) => joined.includes(word)) && matchesSearch(clauses, textsOf(message), isNoForm)
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
