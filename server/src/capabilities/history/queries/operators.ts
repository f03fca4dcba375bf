import { caseKey } from '../../../kernel/case-key.ts'
import { keysOf } from '../../../kernel/keys.ts'
import { subscriptionsProjection, channelsProjection, type Channel } from '../../channels/queries/index.ts'
import { readablePart } from '../../channels/rules/index.ts'
import { RESOLVED_PREFIX } from '../../channels/contract/records.ts'
import { mutedUsersOf } from '../../muted-users/queries.ts'
import { UNREAD_SPANS, unreadSpanSql, unreadSql } from '../../flags/queries/unread.ts'
import { VISIBILITY } from '../../user-topics/contract.ts'
import * as matching from '../contract.ts'
import { receivedSql } from '../rules.ts'
import * as operands from './operands.ts'
import type { Asker, BindParameter, LocationColumns, MessageTest } from './questions.ts'
import type { SearchClause } from '../../../kernel/search-query.ts'
import { parseClauses, searchTest } from './search.ts'

export interface NarrowContext {
  readonly channelId: number | undefined
}

export interface Operator<Value> {
  /** Returns plain data that an event queue can store. @throws ApiError BAD_NARROW */
  read(asker: Asker, operand: operands.Operand): Value
  ask(value: Value, beside: NarrowContext): MessageTest
}

const channel: Operator<{ id: number; part: ReturnType<typeof readablePart> }> = {
  read(asker, operand) {
    const id = operands.channelOperand(asker, operand)
    return { id, part: readablePartById(asker, id) }
  },
  ask: ({ id, part }) => ({
    about: 'place',
    sql: (bind, at) => (part === 'none' ? 'false' : `${at.channel} = ${bind(id)}::bigint`),
    matches: matching.isInChannel(id),
    source: { kind: 'row', rank: 4 },
    ...(part === 'all' ? { reach: 'granted' } : {}),
  }),
}

const topic: Operator<string> = {
  read: operands.topicOperand,
  ask(name, { channelId }) {
    const key = caseKey(name)
    return {
      about: 'place',
      sql: (bind, at) =>
        channelId === undefined
          ? `${at.topic} = any(array(select id from topics
              where organization_id = $1 and name_key = ${bind(key)}::text and channel_id is not null))`
          : `${at.topic} = (select id from topics
              where organization_id = $1 and channel_id = ${bind(channelId)}::bigint and name_key = ${bind(key)}::text)`,
      matches: matching.isInTopic(name),
      source: channelId === undefined ? { kind: 'topics', rank: 3 } : { kind: 'topic', rank: 1 },
    }
  },
}

const sender: Operator<number> = {
  read: operands.userOperand,
  ask: (userId) => ({
    about: 'message',
    sql: (bind) => `m.sender_id = ${bind(userId)}::bigint`,
    matches: matching.isFromSender(userId),
    source: { kind: 'row', rank: 5 },
  }),
}

const dm: Operator<number[]> = {
  read: operands.conversationOperand,
  ask: (memberIds) => ({
    about: 'place',
    sql: (bind, at) => `${at.topic} = (select topic_id from conversations
      where organization_id = $1 and member_ids = ${bind(memberIds)}::bigint[])`,
    matches: matching.isInConversation(memberIds),
    source: { kind: 'topic', rank: 1 },
  }),
}

/** Matches direct conversations with all these users; `onlyGroups`: legacy operator for group conversations. */
const dmIncludingOperator = (onlyGroups: boolean): Operator<number[]> => ({
  read: operands.usersOperand,
  ask: (userIds) => ({
    about: 'place',
    sql: (bind, at) => `${at.topic} = any(array(select c.topic_id from conversation_members own
      join conversations c on c.organization_id = $1 and c.id = own.conversation_id
      where own.organization_id = $1 and own.user_id = $2 and c.member_ids @> ${bind(userIds)}::bigint[]
      ${onlyGroups ? 'and cardinality(c.member_ids) > 2' : ''}))`,
    matches: (message) =>
      matching.isDirectWith(userIds)(message) && (!onlyGroups || (message.memberIds?.length ?? 0) > 2),
    source: { kind: 'topics', rank: 3 },
  }),
})

const id: Operator<number> = {
  read: operands.messageOperand,
  ask: (messageId) => ({
    about: 'message',
    sql: (bind) => `m.id = ${bind(messageId)}::bigint`,
    matches: (message) => message.id === messageId,
    source: { kind: 'row', rank: 0 },
    reach: 'readable',
  }),
}

/** Matches every message: clients use this operator only to choose the anchor. */
const near: Operator<number> = {
  read: operands.messageOperand,
  ask: () => ({ about: 'place', sql: () => 'true', matches: () => true }),
}

/** Matches every message. */
const order: Operator<string> = {
  read: operands.wordOperand('order', ['newest', 'best']),
  ask: (last) => ({ about: 'place', sql: () => 'true', ranks: last === 'best' }),
}

const mutedTargetsOperator: Operator<MutedTargets | null> = {
  read: (asker, operand) =>
    operands.wordOperand('in', ['all', 'home'])(asker, operand) === 'home' ? mutedTargetsOf(asker) : null,
  ask(muted) {
    if (muted === null) return { about: 'place', sql: () => 'true', matches: () => true }
    const question = mutedTest(muted)
    return { about: question.about, sql: (bind, at) => `(${question.sql(bind, at)}) is not true` }
  },
}

const channels: Operator<number[]> = {
  read(asker, operand) {
    const kind = operands.wordOperand('channels', ['public', 'web-public', 'archived'])(asker, operand)
    return [...asker.organization.of(channelsProjection).byId.values()]
      .filter((one) => isChannelOfKind(one, kind) && readablePartById(asker, one.id) !== 'none')
      .map((one) => one.id)
  },
  ask: (channelIds) => ({
    about: 'place',
    sql: (bind, at) => `${at.channel} = any(${bind(channelIds)}::bigint[])`,
    source: { kind: 'channels', channelIds, rank: 7 },
    reach: 'readable',
  }),
}

const has: Operator<keyof typeof CONTENT_TESTS> = {
  // Safe: these are the keys of `CONTENT_TESTS`.
  read: operands.wordOperand('has', ['link', 'image', 'attachment', 'reaction']),
  ask: (content) => CONTENT_TESTS[content],
}

const is: Operator<{ state: keyof typeof STATE_TESTS; muted: MutedTargets | null }> = {
  read(asker, operand) {
    const state = operands.wordOperand('is', keysOf(STATE_TESTS))(asker, operand)
    return { state, muted: state === 'muted' ? mutedTargetsOf(asker) : null }
  },
  ask: ({ state, muted }) => STATE_TESTS[state](muted),
}

const search: Operator<SearchClause[]> = {
  read: (asker, operand) => parseClauses(operands.textOperand(asker, operand)),
  ask: searchTest,
}

/** Operators by all names that clients use. `narrow.ts` handles `with`. */
export const OPERATORS = {
  channel,
  stream: channel,
  topic,
  subject: topic,
  sender,
  from: sender,
  dm,
  'pm-with': dm,
  pm_with: dm,
  'dm-including': dmIncludingOperator(false),
  'group-pm-with': dmIncludingOperator(true),
  group_pm_with: dmIncludingOperator(true),
  id,
  near,
  order,
  in: mutedTargetsOperator,
  channels,
  streams: channels,
  has,
  is,
  search,
} as const

const contentTest = (column: string, content: keyof typeof matching.CONTENT_HTML): MessageTest => ({
  about: 'message',
  sql: () => `m.${column}`,
  matches: matching.hasContent(content),
  source: { kind: 'row', rank: 6 },
})

/** The database computes the `has_` columns from the HTML fragments in `CONTENT_HTML`. */
const CONTENT_TESTS = {
  link: contentTest('has_link', 'link'),
  attachment: contentTest('has_attachment', 'attachment'),
  image: contentTest('has_image', 'image'),
  reaction: {
    about: 'message',
    sql: () => 'exists (select from reactions r where r.organization_id = $1 and r.message_id = m.id)',
    source: {
      kind: 'ids',
      sql: () => 'select distinct message_id as id from reactions where organization_id = $1',
      rank: 6,
    },
  },
} as const satisfies Record<string, MessageTest>

function flagTest(
  column: string,
  state: keyof typeof matching.MATCHERS_BY_STATE,
  more?: { sql: string; ids: string },
): MessageTest {
  const rows = `message_flags f where f.organization_id = $1 and f.user_id = $2 and (${column})`
  return {
    about: 'message',
    sql: () => {
      const exists = `exists (select from ${rows} and f.message_id = m.id)`
      return more === undefined ? exists : `(${exists} or (${more.sql}))`
    },
    matches: matching.MATCHERS_BY_STATE[state],
    source: {
      kind: 'ids',
      sql: () => {
        const ids = `select f.message_id as id from ${rows}`
        return more === undefined ? ids : `${ids} union ${more.ids}`
      },
      rank: 2,
    },
    reach: 'readable',
  }
}

const directMessageTest = (): MessageTest => ({
  about: 'place',
  sql: (_, at) =>
    `${at.channel} is null and ${at.topic} = any(array(select c.topic_id from conversation_members own
      join conversations c on c.organization_id = $1 and c.id = own.conversation_id
      where own.organization_id = $1 and own.user_id = $2))`,
  matches: matching.MATCHERS_BY_STATE.dm,
  source: { kind: 'topics', rank: 4 },
})

export const STATE_TESTS = {
  dm: directMessageTest,
  private: directMessageTest,
  starred: () => flagTest('f.starred', 'starred'),
  alerted: () => flagTest('f.has_alert_word', 'alerted'),
  /** Flags store mentions by name, group, or topic; the message itself stores mentions of the whole channel. */
  mentioned: () =>
    flagTest('f.mentioned or f.topic_wildcard_mentioned', 'mentioned', {
      sql: `m.mentions_channel and ${receivedSql({ message: 'm' })}`,
      ids: 'select id from messages where organization_id = $1 and mentions_channel',
    }),
  unread: (): MessageTest => ({
    about: 'message',
    sql: () => unreadSql({ message: 'm' }),
    matches: matching.MATCHERS_BY_STATE.unread,
    source: {
      kind: 'spans',
      sql: `with ${UNREAD_SPANS}
        select candidate.id, candidate.channel_id, candidate.name, span from candidate cross join lateral unnest(candidate.unread) as span`,
      ofTopic: unreadSpanSql({ topic: 't' }),
      rank: 2,
    },
  }),
  resolved: (): MessageTest => ({
    about: 'place',
    sql: (bind, at) => `${at.channel} is not null and starts_with(${at.name}, ${bind(RESOLVED_PREFIX)}::text)`,
    matches: (message) => message.channelId !== null && message.topic.startsWith(RESOLVED_PREFIX),
    source: { kind: 'topics', rank: 6 },
  }),
  followed: (): MessageTest => ({
    about: 'place',
    sql: (_, at) => `${at.topic} = any(array(select tt.id from user_topics u
      join topics tt on tt.organization_id = $1 and tt.channel_id = u.channel_id and tt.name_key = u.name_key
      where u.organization_id = $1 and u.user_id = $2 and u.visibility_policy = ${VISIBILITY.followed}))`,
    source: { kind: 'topics', rank: 3 },
  }),
  muted: (muted: MutedTargets | null): MessageTest => mutedTest(muted ?? { channelIds: [], userIds: [] }),
} as const satisfies Record<string, (muted: MutedTargets | null) => MessageTest>

interface MutedTargets {
  readonly channelIds: readonly number[]
  readonly userIds: readonly number[]
}

function mutedTargetsOf({ organization, member }: Asker): MutedTargets {
  const mine = organization.of(subscriptionsProjection).byUser.get(member.userId)
  return {
    channelIds: [...(mine?.values() ?? [])].filter((one) => one.isMuted).map((one) => one.channelId),
    userIds: mutedUsersOf(organization, member.userId).map((user) => user.id),
  }
}

/** Selects messages from muted users, in muted topics, or in muted channels unless the topic is unmuted or followed. */
function mutedTest({ channelIds, userIds }: MutedTargets): MessageTest {
  const chosen = (policies: readonly number[]): string => `(select tt.id from user_topics u
    join topics tt on tt.organization_id = $1 and tt.channel_id = u.channel_id and tt.name_key = u.name_key
    where u.organization_id = $1 and u.user_id = $2 and u.visibility_policy in (${policies.join(', ')}))`
  const place = (bind: BindParameter, at: LocationColumns): string => `(${at.topic} in ${chosen([VISIBILITY.muted])}
    or (${at.channel} = any(${bind(channelIds)}::bigint[])
        and ${at.topic} not in ${chosen([VISIBILITY.unmuted, VISIBILITY.followed])}))`
  if (userIds.length === 0) return { about: 'place', sql: place, source: { kind: 'topics', rank: 6 } }
  return {
    about: 'message',
    sql: (bind, at) => `(m.sender_id = any(${bind(userIds)}::bigint[]) or ${place(bind, at)})`,
    source: { kind: 'row', rank: 9 },
  }
}

function isChannelOfKind(one: Channel, kind: 'public' | 'web-public' | 'archived'): boolean {
  if (kind === 'archived') return one.isArchived
  return kind === 'web-public' ? one.isWebPublic : !one.inviteOnly
}

function readablePartById({ organization, member }: Asker, channelId: number): ReturnType<typeof readablePart> {
  const found = organization.of(channelsProjection).byId.get(channelId)
  return found === undefined ? 'none' : readablePart(organization, member, found)
}
