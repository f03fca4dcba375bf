import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

/* Names typed as composed (NFC) and as decomposed (NFD) letters are the same names. */

const server = useTestServer()

const NFC = 'Café'
const NFD = NFC.normalize('NFD')

async function createPeople(): Promise<Record<'owner' | 'ann', TestUser>> {
  const { owner, user } = await server().organization()
  return { owner, ann: await user('Ann') }
}

/** The strings in a response that are not in NFC. */
function decomposedStringsIn(value: unknown): unknown[] {
  if (typeof value === 'string') return value === value.normalize('NFC') ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flat().flatMap(decomposedStringsIn)
}

const groupNamed = (name: string): Body => ({ name, description: '', members: [] })

it.each<[kind: string, make: (owner: TestUser, name: string) => ReturnType<TestUser['try']>, taken: string]>([
  [
    'a channel',
    async (owner, name) => owner.try('POST', '/channels/create', { name, subscribers: [] }),
    'Channel name already in use.',
  ],
  [
    'a user group',
    async (owner, name) => owner.try('POST', '/user_groups/create', groupNamed(name)),
    'already exists.',
  ],
  [
    'a channel folder',
    async (owner, name) => owner.try('POST', '/channel_folders/create', { name, description: '' }),
    'Channel folder name already in use',
  ],
  [
    'a default channel group',
    async (owner, group_name) =>
      owner.try('POST', '/default_stream_groups/create', { group_name, description: 'For all', stream_names: [] }),
    'already exists',
  ],
  [
    'a profile field',
    async (owner, name) => owner.try('POST', '/realm/profile_fields', { name, field_type: 1 }),
    'A field with that label already exists.',
  ],
])('stores the name of %s in NFC and rejects its other Unicode forms once taken', async (_, make, taken) => {
  const people = await createPeople()
  const look = await watch(people)
  expect(await make(people.owner, `${NFD} Ης`)).toMatchObject({ status: 200 })
  const { owner, ann } = await look()
  expect(JSON.stringify(owner)).toContain(NFC)
  expect(decomposedStringsIn([owner, ann])).toEqual([])
  for (const form of [`${NFC} Ης`, `${NFD}\u00a0ησ`, `${NFD.toUpperCase()}  \u3000ΗΣ`]) {
    const { status, body } = await make(people.owner, form)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body['msg']).toContain(taken)
  }
  expect(await look()).toEqual({ owner: [], ann: [] })
  expect(decomposedStringsIn((await people.owner.register()).state)).toEqual([])
})

it('stores names and titles in NFC, and limits their length in NFC', async () => {
  const { owner } = await createPeople()
  const korean = '한'.repeat(60)
  await owner.call('PATCH', '/settings', { full_name: NFD })
  await owner.call('PATCH', '/realm', { name: NFD })
  await owner.call('POST', '/saved_snippets', { title: NFD, content: 'x' })
  await owner.call('POST', '/users/me/alert_words', { alert_words: [NFD, NFC] })
  // The decomposed name has 180 code points; a channel's name can have 60.
  await owner.call('POST', '/channels/create', { name: korean.normalize('NFD'), subscribers: [owner.id] })
  // NFC makes this name too long, because it writes `क़` as two code points.
  const grows = { name: '\u0958'.repeat(60), subscribers: [] }
  expect(await owner.try('POST', '/channels/create', grows)).toMatchObject({ status: 400 })
  const { state } = await owner.register()
  expect(state).toMatchObject({
    full_name: NFC,
    realm_name: NFC,
    alert_words: [NFC],
    subscriptions: [{ name: korean }],
  })
  expect(state['saved_snippets']).toMatchObject([{ title: NFC }])
})

it("resolves either Unicode form of a topic's name to the same topic", async () => {
  const people = await createPeople()
  const { owner, ann } = people
  for (const one of [owner, ann]) await one.subscribe([NFC])
  const { stream_id } = await ann.call('GET', '/get_stream_id', { stream: NFD })
  const first = await owner.send(NFC, NFC, 'one')
  const look = await watch(people, { event_types: ['message', 'user_topic', 'typing'] })
  const second = await owner.send(NFD, NFD, 'two')
  const message = { type: 'message', message: { id: second, subject: NFC, display_recipient: NFC } }
  expect(await look()).toMatchObject({ owner: [message], ann: [message] })
  const { topics } = await ann.call('GET', `/users/me/${String(stream_id)}/topics`)
  expect(topics).toEqual([{ name: NFC, max_id: second }])
  const unread = async (): Promise<unknown> => (await ann.register()).state.unread_msgs.streams
  expect(await unread()).toMatchObject([{ topic: NFC, unread_message_ids: [first, second] }])

  await ann.call('POST', '/user_topics', { stream_id, topic: NFD, visibility_policy: 3 })
  await owner.call('POST', '/typing', { op: 'start', type: 'stream', stream_id, topic: NFD })
  const policy = { type: 'user_topic', stream_id, topic_name: NFC, visibility_policy: 3 }
  const seen = await look()
  expect(seen.ann).toMatchObject([policy, { type: 'typing', topic: NFC }])
  expect(decomposedStringsIn(seen)).toEqual([])
  const narrows = [
    [
      ['channel', NFD],
      ['topic', NFD],
    ],
    [['topic', NFC]],
    [['is', 'followed']],
  ]
  for (const narrow of narrows) {
    const found = await ann.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 5, num_after: 0 })
    expect(found['messages']).toMatchObject([{ id: first }, { id: second }])
  }

  await ann.call('POST', '/mark_topic_as_read', { stream_id, topic_name: NFD })
  expect(await unread()).toEqual([])
  await ann.call('POST', '/drafts', { drafts: [{ type: 'stream', to: [stream_id], topic: NFD, content: 'x' }] })
  await ann.call('POST', '/scheduled_messages', {
    type: 'stream',
    to: stream_id,
    topic: NFD,
    content: 'x',
    scheduled_delivery_timestamp: 4_000_000_000,
  })
  const { state } = await ann.register()
  expect(state).toMatchObject({ drafts: [{ topic: NFC }], scheduled_messages: [{ topic: NFC }] })

  const third = await owner.send(NFC, 'other', 'three')
  await owner.call('PATCH', `/messages/${third}`, { topic: NFD })
  expect((await ann.call('GET', `/messages/${third}`))['message']).toMatchObject({ subject: NFC })
  expect(await owner.call('POST', `/streams/${String(stream_id)}/delete_topic`, { topic_name: NFD })).toMatchObject({
    complete: true,
  })
  expect((await ann.call('GET', `/users/me/${String(stream_id)}/topics`))['topics']).toEqual([])
})

it('resolves mentions, links, and alert words in either Unicode form', async () => {
  const { owner, ann } = await createPeople()
  for (const one of [owner, ann]) await one.subscribe([NFC])
  await ann.call('PATCH', '/settings', { full_name: NFC })
  await ann.call('POST', '/users/me/alert_words', { alert_words: [NFC] })
  await owner.call('POST', '/user_groups/create', groupNamed(NFC))
  const written = `@**${NFD}** @**${NFD}|${ann.id}** @*${NFD}* #**${NFD}** #**${NFD}>${NFD}** ${NFD}`
  const id = await owner.send(NFC, 'hello', written)
  const { message } = await ann.call('GET', `/messages/${id}`, { apply_markdown: true })
  const { content, flags } = message
  expect(flags).toEqual(expect.arrayContaining(['mentioned', 'has_alert_word']))
  expect(content.match(/class="user-mention"/g)).toHaveLength(2)
  expect(content).toContain('class="user-group-mention"')
  expect(content).toContain(`class="stream" `)
  expect(content).toContain(`/topic/Caf.C3.A9">#${NFC} &gt; ${NFC}</a>`)
  // The text itself is stored as it was sent.
  expect(content.endsWith(`${NFD}</p>`)).toBe(true)
  const raw = await ann.call('GET', `/messages/${id}`, { apply_markdown: false })
  expect(raw['message']).toMatchObject({ content: written })
})

it('finds and highlights words in either Unicode form in messages and topics', async () => {
  const { owner } = await createPeople()
  await owner.subscribe(['general'])
  const ids = [
    await owner.send('general', 'one', `Das ${NFD} hat auf`),
    await owner.send('general', 'two', `Das ${NFC} hat zu`),
    await owner.send('general', `Über ${NFD}`, 'three'),
  ]
  await owner.send('general', 'four', 'Coffee')
  const edited = await owner.send('general', 'five', 'nothing')
  await owner.call('PATCH', `/messages/${edited}`, { content: `"${NFD}"` })
  for (const word of [NFC, NFD, NFD.toUpperCase(), `"${NFD}"`]) {
    const narrow = [{ operator: 'search', operand: word }]
    const found = await owner.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 9, num_after: 0 })
    const hit = (form: string): string => `<span class="highlight">${form}</span>`
    expect(found['messages']).toMatchObject([
      { id: ids[0], match_content: `<p>Das ${hit(NFD)} hat auf</p>` },
      { id: ids[1], match_content: `<p>Das ${hit(NFC)} hat zu</p>` },
      { id: ids[2], match_subject: `Über ${hit(NFC)}` },
      { id: edited, match_content: `<p>&quot;${hit(NFD)}&quot;</p>` },
    ])
  }
})
