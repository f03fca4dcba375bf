import { expect, it } from 'vitest'
import type { ResponseTo } from '../../testing/contract-types.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function fetchMessages(user: TestUser, parameters: Body): Promise<ResponseTo<'GET', '/messages'>> {
  return user.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, ...parameters })
}

async function findIds(user: TestUser, narrow: unknown, parameters: Body = {}): Promise<number[]> {
  const { messages } = await fetchMessages(user, { narrow, ...parameters })
  return messages.map((message) => message.id)
}

it('finds messages by every narrow operator and its aliases', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news', 'work'], { principals: [owner.id, ann.id, ben.id] })
  const first = await owner.send('news', 'Hello', 'one')
  const second = await ann.send('news', 'hello', 'two')
  const third = await ann.send('work', 'hello', 'three')
  const fourth = await ben.send('news', 'other', 'four')
  const direct = await owner.sendTo([ann.id], 'five')
  const group = await owner.sendTo([ann.id, ben.id], 'six')
  const self = await owner.sendTo([owner.id], 'seven')
  const { streams } = await owner.call('GET', '/streams')
  const newsId = streams.find((stream) => stream['name'] === 'news')?.['stream_id']
  const expected: [unknown, number[]][] = [
    [[], [first, second, third, fourth, direct, group, self]],
    [[{ operator: 'channel', operand: 'news' }], [first, second, fourth]],
    [[{ operator: 'stream', operand: 'NEWS' }], [first, second, fourth]],
    [[{ operator: 'channel', operand: newsId }], [first, second, fourth]],
    [
      [
        ['stream', 'news'],
        ['topic', 'HELLO'],
      ],
      [first, second],
    ],
    [[{ operator: 'topic', operand: 'hello' }], [first, second, third]],
    [[{ operator: 'subject', operand: 'other' }], [fourth]],
    [[{ operator: 'sender', operand: ann.email }], [second, third]],
    [[{ operator: 'from', operand: ann.id }], [second, third]],
    [[{ operator: 'dm', operand: [ann.id] }], [direct]],
    [[{ operator: 'dm', operand: ann.email }], [direct]],
    [[{ operator: 'pm-with', operand: `${ann.email},${ben.email}` }], [group]],
    [[{ operator: 'dm', operand: [owner.id] }], [self]],
    [[{ operator: 'id', operand: third }], [third]],
    [[{ operator: 'id', operand: String(third) }], [third]],
    [[{ operator: 'channel', operand: 'news', negated: true }], [third, direct, group, self]],
    [[{ operator: 'topic', operand: 'hello', negated: true }], [fourth, direct, group, self]],
    [[{ operator: 'sender', operand: owner.id, negated: true }], [second, third, fourth]],
    [[{ operator: 'dm', operand: [ann.id], negated: true }], [first, second, third, fourth, group, self]],
    [
      [
        { operator: 'channel', operand: 'news' },
        { operator: 'id', operand: third },
      ],
      [],
    ],
  ]
  for (const [narrow, wanted] of expected) expect([narrow, await findIds(owner, narrow)]).toEqual([narrow, wanted])
})

it('treats hidden channels in a narrow as missing', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['secret'], { invite_only: true })
  const { streams } = await owner.call('GET', '/streams')
  const secretId = streams[0]?.['stream_id']
  const answers = await Promise.all(
    [
      [{ operator: 'channel', operand: 'secret' }],
      [{ operator: 'channel', operand: 'absent' }],
      [{ operator: 'channel', operand: secretId }],
      [{ operator: 'channel', operand: 999_999 }],
    ].map((narrow) => ann.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })),
  )
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([400, { ...answers[0]?.body, code: 'BAD_NARROW', desc: 'unknown channel' }])
  }
  for (const term of [
    { operator: 'nonsense', operand: 'x' },
    { operator: 'sender', operand: 'nobody@example.com' },
    { operator: 'dm', operand: [] },
    { operator: 'dm', operand: [4242] },
    { operator: 'id', operand: 'x' },
    { operator: 'topic', operand: 7 },
  ]) {
    const { status, body } = await ann.try('GET', '/messages', {
      anchor: '0',
      num_before: 0,
      num_after: 1,
      narrow: [term],
    })
    expect([term, status, body['code']]).toEqual([term, 400, 'BAD_NARROW'])
  }
})

it('returns the messages around an anchor, and whether they include the oldest or newest message', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const sent: number[] = []
  for (let index = 0; index < 7; index += 1) sent.push(await owner.send('news', 'hello', `Message ${index}`))
  const narrow = [{ operator: 'channel', operand: 'news' }]
  const listAround = async (parameters: Body): Promise<unknown[]> => {
    const answer = await fetchMessages(owner, { narrow, ...parameters })
    return [
      answer.messages.map((message) => sent.indexOf(message.id)),
      answer['found_oldest'],
      answer['found_anchor'],
      answer['found_newest'],
    ]
  }
  expect(await listAround({ anchor: String(sent[3]), num_before: 1, num_after: 1 })).toEqual([
    [2, 3, 4],
    false,
    true,
    false,
  ])
  expect(await listAround({ anchor: String(sent[3]), num_before: 3, num_after: 3 })).toEqual([
    [0, 1, 2, 3, 4, 5, 6],
    true,
    true,
    true,
  ])
  expect(await listAround({ anchor: String(sent[3]), num_before: 1, num_after: 1, include_anchor: false })).toEqual([
    [2, 4],
    false,
    false,
    false,
  ])
  expect(await listAround({ anchor: 'oldest', num_before: 0, num_after: 2 })).toEqual([[0, 1], true, false, false])
  expect(await listAround({ anchor: 'newest', num_before: 2, num_after: 0 })).toEqual([[5, 6], false, false, true])
  expect(await listAround({ anchor: '10000000000000000', num_before: 2, num_after: 0 })).toEqual([
    [5, 6],
    false,
    false,
    true,
  ])
})

it('reveals no hidden messages through any choice of anchor', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const sent = await owner.send('news', 'hello', 'Hello')
  await ann.call('POST', '/messages/flags', { messages: [sent], op: 'add', flag: 'read' })
  const looks = async (): Promise<unknown[]> => {
    const seen: unknown[] = []
    for (const narrow of [[], [['channel', 'news']], [['topic', 'absent']]]) {
      for (const anchor of [
        { anchor: 'newest' },
        { anchor: 'oldest' },
        { anchor: 'first_unread' },
        { anchor: 'date', anchor_date: '2999-01-01' },
        { anchor: '10000000000000000' },
        { anchor: '9007199254740990' },
      ]) {
        for (const [num_before, num_after] of [
          [0, 0],
          [1, 0],
          [0, 1],
        ]) {
          const { messages: _, ...rest } = await fetchMessages(ann, { narrow, ...anchor, num_before, num_after })
          seen.push([anchor, rest])
        }
      }
    }
    return seen
  }
  const before = await looks()
  await owner.send('secret', 'hello', 'Hidden')
  await owner.sendTo([owner.id], 'Hidden as well')
  expect(await looks()).toEqual(before)
  // Clients recognize this number as "no unread messages".
  for (const anchor of ['newest', 'first_unread']) {
    expect(await fetchMessages(ann, { anchor, narrow: [['topic', 'absent']] })).toMatchObject({
      anchor: 10_000_000_000_000_000,
    })
  }
})

it('reads messages on only one side of the anchor if only that side is requested', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const [first, second, third] = [
    await owner.send('news', 'a', '1'),
    await owner.send('news', 'a', '2'),
    await owner.send('news', 'a', '3'),
  ]
  const findByDate = async (parameters: Body): Promise<unknown> =>
    (await owner.call('GET', '/messages', { anchor: second, narrow: [['channel', 'news']], ...parameters }))[
      'messages'
    ].map(({ id }) => id)
  expect(await findByDate({ num_before: 1 })).toEqual([first, second])
  expect(await findByDate({ num_after: 1 })).toEqual([second, third])
  expect(await findByDate({})).toEqual([second])
  // Some clients send `null` for no narrow.
  expect(await findByDate({ num_after: 1, narrow: 'null' })).toEqual([second, third])
})

it('rejects a missing, malformed, or too large message range', async () => {
  const { owner } = await server().organization()
  const messagesError = async (parameters: Body): Promise<unknown> =>
    (await owner.try('GET', '/messages', parameters)).body['code']
  expect(await messagesError({ num_before: 1, num_after: 1 })).toBe('REQUEST_VARIABLE_MISSING')
  expect(await messagesError({ anchor: 'sometime', num_before: 1, num_after: 1 })).toBe('REQUEST_VARIABLE_INVALID')
  expect(await messagesError({ anchor: 'newest', num_before: -1, num_after: 1 })).toBe('REQUEST_VARIABLE_INVALID')
  expect(await messagesError({ anchor: 'newest', num_before: 5_000, num_after: 1 })).toBe('BAD_REQUEST')
  expect(await messagesError({ anchor: 'newest', num_before: 0, num_after: 5_001 })).toBe('BAD_REQUEST')
  expect(await messagesError({ anchor: 'newest', num_before: 2_500, num_after: 2_500 })).toBeUndefined()
})

it('returns messages from the first message after a date if the anchor is `date`', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const sent = [await owner.send('news', 'a', 'one'), await owner.send('news', 'a', 'two')]
  const listAround = async (anchor_date: string, narrow: unknown = []): Promise<unknown> => {
    const { anchor, messages } = await fetchMessages(owner, {
      narrow,
      anchor: 'date',
      anchor_date,
      num_before: 0,
      num_after: 1,
    })
    return [anchor, messages.map((message) => message.id)]
  }
  expect(await listAround('2020-01-01')).toEqual([sent[0], sent])
  expect(await listAround('2020-01-01T00:00:00+02:00', [['topic', 'a']])).toEqual([sent[0], sent])
  expect(await listAround('2999-01-01T00:00:00Z')).toEqual([expect.any(Number), []])
  expect(await listAround('2020-01-01T10:00', [['topic', 'absent']])).toEqual([expect.any(Number), []])
  for (const anchor_date of ['', 'today', '2020-13-01', '1577836800']) {
    const window = { anchor: 'date', num_before: 0, num_after: 1 }
    const { status, body } = await owner.try('GET', '/messages', { ...window, anchor_date })
    expect([anchor_date, status, body['code']]).toEqual([anchor_date, 400, 'REQUEST_VARIABLE_INVALID'])
    expect((await owner.try('GET', '/messages', window)).body['code']).toBe('REQUEST_VARIABLE_MISSING')
  }
})

it('returns the messages with the given IDs that the reader can see', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['open'])
  await owner.subscribe(['secret'], { invite_only: true })
  const open = await owner.send('open', 'hello', 'one')
  const secret = await owner.send('secret', 'hello', 'two')
  const direct = await owner.sendTo([owner.id], 'three')
  const { messages } = await ann.call('GET', '/messages', { message_ids: [open, secret, direct, 999_999] })
  expect(messages.map(({ id, flags }) => [id, flags])).toEqual([[open, ['read', 'historical']]])
  const { status, body } = await ann.try('GET', '/messages', { message_ids: [open], anchor: 'newest', num_before: 1 })
  expect([status, body['code'], body['parameters']]).toEqual([
    400,
    'BAD_REQUEST',
    ['anchor', 'num_before', 'message_ids'],
  ])
})

it('shows a message to people who can read it and treats it as missing for everyone else', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['secret'], { invite_only: true })
  const id = await owner.send('secret', 'hello', 'some **text**')
  const shown = await owner.call('GET', `/messages/${id}`)
  expect(shown).toMatchObject({
    raw_content: 'some **text**',
    message: { id, content: '<p>some <strong>text</strong></p>' },
  })
  const raw = await owner.call('GET', `/messages/${id}`, { apply_markdown: false })
  expect(raw['message']).toMatchObject({ content: 'some **text**', content_type: 'text/x-markdown' })
  const hidden = await ann.try('GET', `/messages/${id}`)
  const absent = await ann.try('GET', '/messages/999999')
  expect(hidden.status).toBe(400)
  expect(hidden.body).toEqual(absent.body)
})

it('shows only messages of protected history that were sent while the reader was subscribed', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true })
  const before = await owner.send('club', 'hello', 'before')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const during = await owner.send('club', 'hello', 'during')
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  const away = await owner.send('club', 'hello', 'away')
  expect(await findIds(ann, [])).toEqual([])
  expect((await ann.try('GET', `/messages/${during}`)).status).toBe(400)
  await owner.subscribe(['club'], { principals: [ann.id] })
  const again = await owner.send('club', 'hello', 'again')
  for (const narrow of [
    [],
    [['channel', 'club']],
    [
      ['channel', 'club'],
      ['topic', 'hello'],
    ],
    [['topic', 'hello']],
  ]) {
    expect([narrow, await findIds(ann, narrow)]).toEqual([narrow, [during, again]])
  }
  for (const hidden of [before, away]) {
    expect((await ann.try('GET', `/messages/${hidden}`)).status).toBe(400)
    expect(await findIds(ann, [['id', String(hidden)]])).toEqual([])
  }
})

it('when history becomes protected, hides starred messages sent before the reader subscribed', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true, history_public_to_subscribers: true })
  const before = await owner.send('club', 'hello', 'before')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const during = await owner.send('club', 'hello', 'during')
  await ann.call('POST', '/messages/flags', { messages: [before, during], op: 'add', flag: 'starred' })
  expect(await findIds(ann, [['is', 'starred']])).toEqual([before, during])
  const club = (await owner.call('GET', '/get_stream_id', { stream: 'club' }))['stream_id']
  await owner.call('PATCH', `/streams/${String(club)}`, { is_private: true, history_public_to_subscribers: false })
  // Hidden messages do not count.
  const oldest = { anchor: 'oldest', num_before: 0, num_after: 1 }
  expect(await findIds(ann, [['is', 'starred']], oldest)).toEqual([during])
  expect((await ann.try('GET', `/messages/${before}`)).status).toBe(400)
})

it('shows later subscribers the shared history of a private channel', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['shared'], { invite_only: true, history_public_to_subscribers: true })
  const before = await owner.send('shared', 'hello', 'before')
  await owner.subscribe(['shared'], { principals: [ann.id] })
  const { messages } = await fetchMessages(ann, { narrow: [['channel', 'shared']] })
  expect(messages.map(({ id, flags }) => [id, flags])).toEqual([[before, ['read', 'historical']]])
  expect(await findIds(ann, [])).toEqual([])
})

it('sends a name for the empty topic to clients that do not support empty topics', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const id = await owner.send('news', '', 'hello')
  const subject = async (parameters: Body): Promise<unknown> =>
    (await owner.call('GET', `/messages/${id}`, parameters))['message']['subject']
  expect(await subject({})).toBe('general chat')
  expect(await subject({ allow_empty_topic_name: true })).toBe('')
  expect(await findIds(owner, [['topic', 'general chat']])).toEqual([id])
})

it('finds the empty topic by each of its names', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const names = ['', '(no topic)', 'general chat', ' (no topic) ', ' general chat ']
  const sent: number[] = []
  for (const topic of names) sent.push(await owner.send('news', topic, 'hello'))
  await owner.send('news', 'no topic', 'another')
  for (const topic of names) expect(await findIds(owner, [['topic', topic]])).toEqual(sent)
  // Messages cannot be sent to such a topic.
  expect(await findIds(owner, [['topic', 'a\u0007b']])).toEqual([])
  const queue = await owner.register({ narrow: [['topic', '(no topic)']] })
  await owner.send('news', '(no topic)', 'now')
  expect(await queue.events()).toMatchObject([{ message: { content: '<p>now</p>' } }])
})
