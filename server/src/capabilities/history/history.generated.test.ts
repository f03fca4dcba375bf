import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiError } from '../../kernel/refusal.ts'
import { CHANNELS, playSteps, step, TOPICS, type History, type Message } from './testing/narrow-history.ts'
import { effort } from '../../testing/effort.ts'
import { itemAt } from '../../testing/look-up.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, Body } from '../../testing/user.ts'
import { conditionsOfQueue, matchesNarrow, resolveQueueNarrow } from './queries/narrow.ts'

/* Compares the database, the in-memory test of event queues, and a simple model. */

const server = useTestServer()

interface Term {
  readonly operator: string
  readonly operand: string | number | number[]
  readonly negated: boolean
}

type ModelMatcher = (message: Message, history: History) => boolean

interface Choice {
  readonly term: (history: History, pick: number) => Pick<Term, 'operator' | 'operand'>
  readonly naive: (history: History, pick: number) => ModelMatcher
  /** Whether the term includes messages that the reader can read but did not receive. */
  readonly widens?: true
}

const someId = ({ messages }: History, pick: number): number => messages[pick % (messages.length + 1)]?.id ?? 999_999
const fixedTerm = (operator: string, operand: string, naive: ModelMatcher, widens?: 'widens'): Choice => ({
  term: () => ({ operator, operand }),
  naive: () => naive,
  ...(widens === undefined ? {} : { widens: true }),
})
const isMuted: ModelMatcher = ({ sender, channel, topic }, { mutedUsers, mutedChannels, policies }) => {
  if (mutedUsers.has(sender)) return true
  if (channel === undefined) return false
  const policy = policies.get(`${channel}/${topic.toLowerCase()}`) ?? 0
  return policy === 1 || (policy === 0 && mutedChannels.has(channel))
}
const searchTerm = (phrase: string): Choice =>
  fixedTerm('search', phrase, ({ channel, topic, content }) => {
    const words = (text: string): string => ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
    return [...phrase.matchAll(/"([^"]*)"|(\S+)/g)].every(([, quoted, word]) => {
      const wanted = words(quoted ?? word ?? '')
      return words(content).includes(wanted) || (channel !== undefined && words(topic).includes(wanted))
    })
  })

const CHOICES: readonly Choice[] = [
  {
    term: (_, pick) => ({ operator: itemAt(['channel', 'stream'], pick), operand: itemAt(CHANNELS, pick) }),
    naive: (_, pick) => (message) => message.channel === itemAt(CHANNELS, pick),
    widens: true,
  },
  {
    term: (_, pick) => ({ operator: itemAt(['topic', 'subject'], pick), operand: itemAt(TOPICS, pick) }),
    naive: (_, pick) => (message) =>
      message.channel !== undefined && message.topic.toLowerCase() === itemAt(TOPICS, pick).toLowerCase(),
  },
  {
    term: ({ users }, pick) => ({ operator: itemAt(['sender', 'from'], pick), operand: itemAt(users, pick).email }),
    naive:
      ({ users }, pick) =>
      (message) =>
        message.sender === itemAt(users, pick).id,
  },
  {
    term: ({ users }, pick) => ({ operator: 'dm', operand: [itemAt(users, pick).id, itemAt(users, pick + 1).id] }),
    naive: ({ users, reader }, pick) => {
      const members = new Set([itemAt(users, pick).id, itemAt(users, pick + 1).id, reader.id])
      return (message) => message.members.length === members.size && message.members.every((one) => members.has(one))
    },
  },
  {
    term: ({ users }, pick) => ({ operator: 'dm-including', operand: itemAt(users, pick).id }),
    naive:
      ({ users }, pick) =>
      (message) =>
        message.members.includes(itemAt(users, pick).id),
  },
  {
    term: ({ users }, pick) => ({ operator: 'group-pm-with', operand: itemAt(users, pick).id }),
    naive:
      ({ users }, pick) =>
      (message) =>
        message.members.length > 2 && message.members.includes(itemAt(users, pick).id),
  },
  {
    term: (history, pick) => ({ operator: 'id', operand: someId(history, pick) }),
    naive: (history, pick) => (message) => message.id === someId(history, pick),
    widens: true,
  },
  fixedTerm('near', '3', () => true),
  fixedTerm('in', 'all', () => true),
  fixedTerm('in', 'home', (message, history) => !isMuted(message, history)),
  fixedTerm('channels', 'public', ({ channel }) => channel === 'one' || channel === 'two', 'widens'),
  fixedTerm('streams', 'web-public', () => false, 'widens'),
  fixedTerm('channels', 'archived', () => false, 'widens'),
  fixedTerm('has', 'link', ({ content }) => content.includes('https:')),
  fixedTerm('has', 'attachment', () => false),
  fixedTerm('has', 'image', () => false),
  fixedTerm('has', 'reaction', ({ reacted }) => reacted),
  fixedTerm('is', 'dm', ({ channel }) => channel === undefined),
  fixedTerm('is', 'private', ({ channel }) => channel === undefined),
  fixedTerm('is', 'starred', ({ flags }) => flags.includes('starred'), 'widens'),
  fixedTerm(
    'is',
    'mentioned',
    ({ flags }) => flags.includes('mentioned') || flags.includes('wildcard_mentioned'),
    'widens',
  ),
  fixedTerm('is', 'alerted', ({ flags }) => flags.includes('has_alert_word'), 'widens'),
  fixedTerm('is', 'unread', ({ flags }) => !flags.includes('read')),
  fixedTerm('is', 'resolved', ({ channel, topic }) => channel !== undefined && topic.startsWith('✔ ')),
  fixedTerm(
    'is',
    'followed',
    ({ channel, topic }, { policies }) => policies.get(`${channel}/${topic.toLowerCase()}`) === 3,
  ),
  fixedTerm('is', 'muted', isMuted),
  searchTerm('deploy'),
  searchTerm('Cake deploy'),
  searchTerm('"deploy friday"'),
  searchTerm('example.com/cake'),
  searchTerm('καλημέρα'),
]

const choice = fc.record({ which: fc.nat(CHOICES.length - 1), pick: fc.nat(30), negated: fc.boolean() })
const narrows = fc.array(fc.array(choice, { maxLength: 3 }), { minLength: 40, maxLength: 40 })

type GeneratedTerm = { readonly which: number; readonly pick: number; readonly negated: boolean }

function matchingIds(history: History, asked: readonly GeneratedTerm[]): number[] {
  return history.messages
    .filter((message) => message.readable)
    .filter((message) =>
      asked.every(({ which, pick, negated }) => {
        const { naive } = itemAt(CHOICES, which)
        return naive(history, pick)(message, history) !== negated
      }),
    )
    .map((message) => message.id)
}

function expectedIds(history: History, asked: readonly GeneratedTerm[]): number[] {
  const isWide = asked.some(({ which, negated }) => !negated && itemAt(CHOICES, which).widens === true)
  const received = new Set(history.messages.filter((message) => message.received).map((message) => message.id))
  return matchingIds(history, asked).filter((id) => isWide || received.has(id))
}

async function compare(history: History, asked: readonly GeneratedTerm[]): Promise<void> {
  const { reader } = history
  const terms = asked.map(({ which, pick, negated }) => ({ ...itemAt(CHOICES, which).term(history, pick), negated }))
  const text = JSON.stringify(terms)
  const fetch = async (parameters: Body): Promise<Answer> =>
    reader.try('GET', '/messages', { narrow: terms, ...parameters })
  const idsOf = ({ body }: Answer): number[] => objectsIn(body['messages'] ?? []).map(({ id }) => Number(id))
  const all = await fetch({ anchor: 'newest', num_before: 100, num_after: 0 })
  if (all.body['desc'] === 'unknown channel') return
  const wanted = expectedIds(history, asked)
  expect([text, all.status, idsOf(all)]).toEqual([text, 200, wanted])
  const middle = wanted[wanted.length >> 1] ?? 1
  const around = await fetch({ anchor: middle, num_before: 1, num_after: 2 })
  const index = wanted.filter((id) => id < middle).length
  const exact = wanted.includes(middle) ? 1 : 0
  const { found_oldest, found_newest } = around.body
  expect([text, found_oldest, found_newest, idsOf(around)]).toEqual([
    text,
    index <= 1,
    index + exact + 2 >= wanted.length,
    wanted.slice(Math.max(index - 1, 0), index + exact + 2),
  ])
  const unread = history.messages.filter(({ id, flags }) => wanted.includes(id) && !flags.includes('read'))
  const first = await fetch({ anchor: 'first_unread', num_before: 0, num_after: 0 })
  expect([text, idsOf(first)]).toEqual([text, unread.slice(0, 1).map(({ id }) => id)])
  const ids = history.messages.map(({ id }) => id)
  const { messages: among } = await reader.call('GET', '/messages/matches_narrow', { msg_ids: ids, narrow: terms })
  expect([text, Object.keys(among).map(Number)]).toEqual([text, matchingIds(history, asked)])
  await compareInMemory(history, terms, wanted)
}

async function compareInMemory(
  { organization, reader, messages }: History,
  terms: readonly Term[],
  wanted: readonly number[],
): Promise<void> {
  if (terms.some((term) => term.negated || typeof term.operand === 'object')) return
  const log = await server().parley.logs.of(organization.id)
  const asker = { organization: log.organization, member: { userId: reader.id, role: 400 } } as const
  const pairs = terms.map((term): [string, string] => [term.operator, String(term.operand)])
  const narrow = queueNarrowIfSupported(asker, pairs)
  if (narrow === undefined) return
  const { messages: shown } = await reader.call('GET', '/messages', { message_ids: messages.map(({ id }) => id) })
  const registration = { form: {}, eventTypes: null, narrow, allPublicStreams: false }
  const facts = new Map(messages.map((message) => [message.id, message]))
  const found = shown.filter((message) => {
    const { members = [] } = facts.get(message['id']) ?? {}
    return matchesNarrow(
      {
        id: message['id'],
        channelId: message['type'] === 'stream' ? Number(message['stream_id']) : null,
        topic: facts.get(message['id'])?.topic ?? '',
        senderId: message['sender_id'],
        memberIds: members.length > 0 ? members.toSorted((a, b) => a - b) : null,
        renderedContent: message['content'],
        flags: message['flags'],
      },
      conditionsOfQueue(registration as never),
    )
  })
  const received = new Set(messages.filter((message) => message.received).map((message) => message.id))
  const ids = found.map((message) => message['id']).filter((id) => received.has(id))
  expect([terms, ids]).toEqual([terms, wanted.filter((id) => received.has(id))])
}

/** Returns undefined for operators that event queues do not support. */
function queueNarrowIfSupported(
  ...parameters: Parameters<typeof resolveQueueNarrow>
): ReturnType<typeof resolveQueueNarrow> | undefined {
  try {
    return resolveQueueNarrow(...parameters)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_NARROW') return undefined
    throw error
  }
}

it('finds the same messages as a model for every narrow, in the database and in memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), narrows, async (steps, asked) => {
      const history = await playSteps(await server().organization(), steps)
      for (const one of asked) await compare(history, one)
    }),
    { numRuns: effort(15), endOnFailure: true },
  )
}, 600_000)
