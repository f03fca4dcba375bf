import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ResponseTo } from '../../testing/contract-types.ts'
import { effort } from '../../testing/effort.ts'
import { isList } from '../../testing/json.ts'
import { itemAt } from '../../testing/look-up.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, Parameters, TestUser } from '../../testing/user.ts'
import { playSteps, step, type History } from '../history/testing/narrow-history.ts'

/* Compares each person's conversations with `GET /messages` after random moves, renames, and deletions. */

const server = useTestServer()

const ANY_TEXT: unknown = expect.any(String)

type ShownMessage = ResponseTo<'GET', '/messages'>['messages'][number]

const MENTIONS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']
const FILTERS = ['unread', 'participated', 'unresolved', 'followed', 'muted'] as const
type Filters = Partial<Record<(typeof FILTERS)[number], boolean>>

interface UserSettings {
  readonly policies: ReadonlyMap<string, number>
  readonly mutedChannels: ReadonlySet<number>
  readonly mutedUsers: ReadonlySet<number>
}

async function settingsOf(user: TestUser): Promise<UserSettings & { channels: number[] }> {
  const { state } = await user.register({ fetch_event_types: ['user_topic', 'subscription', 'muted_users'] })
  const subscriptions = state['subscriptions']
  return {
    channels: subscriptions.map((one) => one['stream_id']),
    policies: new Map(
      state['user_topics'].map((one) => [
        `${one['stream_id']}/${one['topic_name'].toLowerCase()}`,
        one['visibility_policy'],
      ]),
    ),
    mutedChannels: new Set(subscriptions.filter((one) => one['is_muted']).map((one) => one['stream_id'])),
    mutedUsers: new Set(state['muted_users'].map(({ id }) => id)),
  }
}

/** Reads all messages that match a narrow, or none if it names a hidden channel or user. */
async function messagesOf(user: TestUser, narrow: readonly Body[]): Promise<ShownMessage[]> {
  const asked = { anchor: 'newest', num_before: 1_000, num_after: 0, narrow, allow_empty_topic_name: true }
  const { body } = await user.try('GET', '/messages', asked)
  return body.messages ?? []
}

function placeOf({ type, stream_id, subject, display_recipient }: ShownMessage, own: number): Body & { key: string } {
  if (type === 'stream')
    return { key: `${Number(stream_id)}/${subject.toLowerCase()}`, type, stream_id, topic: subject }
  const members = typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id)
  return { key: `dm/${members.join()}`, type, user_ids: members.filter((id) => id !== own) }
}

/** Model: groups all messages into conversations. */
function conversationsOf(messages: readonly ShownMessage[], own: number): { key: string; row: Body; wrote: boolean }[] {
  const conversations = new Map<string, ShownMessage[]>()
  for (const message of messages) {
    const { key } = placeOf(message, own)
    conversations.set(key, [...(conversations.get(key) ?? []), message])
  }
  const all = [...conversations.values()].map((list) => {
    const newestFirst = list.toSorted((a, b) => b.id - a.id)
    const newest = itemAt(newestFirst, 0)
    const { key, ...place } = placeOf(newest, own)
    const unread = newestFirst.filter(({ flags }) => !flags.includes('read'))
    const senders = [...new Set(newestFirst.map(({ sender_id }) => sender_id))]
    const row = {
      ...place,
      max_message_id: newest.id,
      sender_id: newest.sender_id,
      timestamp: newest.timestamp,
      snippet: ANY_TEXT,
      first_unread_message_id: unread.at(-1)?.id ?? null,
      unread_count: unread.length,
      unread_mention_count: unread.filter(({ flags }) => MENTIONS.some((flag) => flags.includes(flag))).length,
      latest_sender_ids: senders.slice(0, 5),
      participant_count: senders.length,
    }
    return { key, row, wrote: senders.includes(own) }
  })
  return all.toSorted((a, b) => b.row.max_message_id - a.row.max_message_id)
}

function isMuted({ policies, mutedChannels, mutedUsers }: UserSettings, key: string, row: Body): boolean {
  const { user_ids: others } = row
  if (isList(others)) return others.length > 0 && others.every((userId) => mutedUsers.has(Number(userId)))
  const policy = policies.get(key) ?? 0
  return policy === 1 || (policy === 0 && mutedChannels.has(Number(row['stream_id'])))
}

function expectedConversations(
  messages: readonly ShownMessage[],
  own: number,
  choices: UserSettings,
  filters: Filters,
): Body[] {
  return conversationsOf(messages, own)
    .filter(({ key, row, wrote }) => {
      if (filters.unread === true && row['unread_count'] === 0) return false
      if (filters.participated === true && !wrote) return false
      if (filters.unresolved === true && String(row['topic']).startsWith('✔ ')) return false
      if (filters.followed === true && choices.policies.get(key) !== 3) return false
      return filters.muted === true || !isMuted(choices, key, row)
    })
    .map(({ row }) => row)
}

async function recentOf(user: TestUser, asked: Parameters, limit: number): Promise<Body[]> {
  const rows: Body[] = []
  for (let isLast = false; !isLast;) {
    const before = rows.length === 0 ? {} : { before: rows.at(-1)?.['max_message_id'] }
    const body = await user.call('GET', '/recent', { ...asked, ...before, limit, allow_empty_topic_name: true })
    rows.push(...body['conversations'])
    isLast = body['found_oldest']
  }
  return rows
}

async function expectSameConversations(user: TestUser, filters: Filters, limit: number): Promise<void> {
  const { channels, ...choices } = await settingsOf(user)
  const byChannel = channels.map((operand) => messagesOf(user, [{ operator: 'channel', operand }]))
  const directs = messagesOf(user, [{ operator: 'is', operand: 'dm' }])
  const messages = (await Promise.all([...byChannel, directs])).flat()
  const text = JSON.stringify([user.id, filters, limit])
  expect([text, await recentOf(user, filters, limit)]).toEqual([
    text,
    expectedConversations(messages, user.id, choices, filters),
  ])
}

async function expectSameInChannel(user: TestUser, channelId: number, filters: Filters, limit: number): Promise<void> {
  const messages = await messagesOf(user, [{ operator: 'channel', operand: channelId }])
  const { status } = await user.try('GET', '/recent', { channel_id: channelId })
  const choices = { ...(await settingsOf(user)), mutedChannels: new Set<number>() }
  const text = JSON.stringify([user.id, channelId, filters, limit])
  const rows = status === 400 ? [] : await recentOf(user, { ...filters, channel_id: channelId }, limit)
  expect([text, rows]).toEqual([text, expectedConversations(messages, user.id, choices, filters)])
}

const changeArbitrary = fc.record({
  kind: fc.constantFrom('move one', 'move all', 'to another channel', 'delete', 'send meanwhile'),
  pick: fc.nat(60),
  topic: fc.constantFrom('plan', 'elsewhere', '✔ plan', 'deploy friday'),
})
const filtersArbitrary = fc.record({
  filters: fc.record(Object.fromEntries(FILTERS.map((name) => [name, fc.boolean()])), { requiredKeys: [] }),
  limit: fc.integer({ min: 1, max: 5 }),
  who: fc.nat(10),
  channel: fc.nat(10),
})

type Change = typeof changeArbitrary extends fc.Arbitrary<infer Value> ? Value : never

async function makeChange({ organization, users, reader, messages }: History, one: Change): Promise<void> {
  const { kind, pick, topic } = one
  const { owner } = organization
  const { id = 1 } = messages[pick % Math.max(messages.length, 1)] ?? {}
  if (kind === 'delete') await owner.try('DELETE', `/messages/${id}`)
  else if (kind === 'send meanwhile') {
    await reader.try('DELETE', '/users/me/subscriptions', { subscriptions: ['private'] })
    await itemAt(users, 2).send('private', topic, 'Meanwhile')
    await owner.subscribe(['private'], { principals: [reader.id] })
  } else {
    const channels = kind === 'to another channel' ? await channelsOf(owner) : []
    const place = kind === 'to another channel' ? { stream_id: itemAt(channels, pick) } : { topic }
    const mode = kind === 'move one' ? 'change_one' : 'change_all'
    await owner.try('PATCH', `/messages/${id}`, { ...place, propagate_mode: mode })
  }
}

async function channelsOf(user: TestUser): Promise<number[]> {
  const { streams } = await user.call('GET', '/streams', { include_public: true })
  return streams.map((stream) => stream['stream_id'])
}

it('lists the same recent conversations as a simple model after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 15, maxLength: 40 }),
      fc.array(changeArbitrary, { maxLength: 8 }),
      fc.array(filtersArbitrary, { minLength: 12, maxLength: 12 }),
      async (steps, changes, questions) => {
        const history = await playSteps(await server().organization(), steps)
        const channels = await channelsOf(history.organization.owner)
        for (const one of changes) await makeChange(history, one)
        for (const { filters, limit, who, channel } of questions) {
          const user = who % 2 === 0 ? history.reader : itemAt(history.users, who)
          await expectSameConversations(user, filters, limit)
          await expectSameInChannel(user, itemAt(channels, channel), filters, limit)
        }
      },
    ),
    { numRuns: effort(15), endOnFailure: true },
  )
}, 600_000)
