import { expect, it } from 'vitest'
import { fetchAs, upload } from '../../testing/files.ts'
import { runJob } from '../../testing/jobs.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { callWithToken, makeToken } from '../api-tokens/testing/tokens.ts'
import { sendScheduledMessages } from '../scheduled-messages/jobs.ts'
import { HELD_MESSAGE_LIMIT } from './contract.ts'

const server = useTestServer()

const PATTERNS = 'casino\nfree money\n/(?:buy|sell) \\d+ coins/'

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly bob: TestUser
  readonly mia: TestUser
  readonly channelId: number
}

/** Mia is a moderator. All are in the public channel `square`; Ann and Bob are in the private channel `club`. */
async function createFixture(patterns = PATTERNS): Promise<Fixture> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [ann, bob, mia] = [await user('Ann'), await user('Bob'), await user('Mia', { role: 300 })]
  await owner.subscribe(['square'], { principals: [owner.id, ann.id, bob.id, mia.id] })
  await ann.subscribe(['club'], { principals: [ann.id, bob.id], invite_only: true })
  await owner.send('square', 'news', 'Hello')
  await owner.call('PATCH', '/realm', { held_message_patterns: patterns })
  return { ...organization, ann, bob, mia, channelId: await channelIdOf(owner, 'square') }
}

async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream })).stream_id
}

async function trySending(user: TestUser, content: string, more: Body = {}): Promise<Answer> {
  return user.try('POST', '/messages', { type: 'stream', to: 'square', topic: 'plans', content, ...more })
}

async function hold(user: TestUser, content: string, more: Body = {}): Promise<number> {
  const { status, body } = await trySending(user, content, more)
  expect([status, body['code']]).toEqual([400, 'MESSAGE_HELD'])
  return Number(body['held_message_id'])
}

const OWN_EVENTS = { client_capabilities: { held_messages: true } }

it('shows a held message only to its author and moderators, and sends it when it is approved', async () => {
  const { owner, ann, bob, mia, channelId } = await createFixture()
  const look = await watch({ ann, bob, mia }, OWN_EVENTS)
  const id = await hold(ann, 'A **casino**!', { read_by_sender: true })
  const held = {
    held_message_id: id,
    author_id: ann.id,
    stream_id: channelId,
    topic: 'plans',
    content: 'A **casino**!',
  }
  expect(await look()).toMatchObject({
    ann: [{ type: 'held_messages', op: 'add', held_message: held }],
    bob: [],
    mia: [{ type: 'held_messages', op: 'queue_add', held_message: held }],
  })
  expect((await ann.call('GET', '/held_messages')).held_messages).toMatchObject([held])
  expect((await bob.call('GET', '/held_messages')).held_messages).toEqual([])
  const { held_messages: queue, patterns } = await mia.call('GET', '/held_messages/queue')
  expect([queue, patterns]).toMatchObject([[held], PATTERNS])
  const { state } = await bob.register()
  expect(JSON.stringify(state)).not.toContain('casino')
  const found = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['search', 'casino']] }
  for (const user of [ann, bob, mia]) expect((await user.call('GET', '/messages', found)).messages).toEqual([])
  expect((await bob.call('GET', `/users/me/${channelId}/topics`)).topics).toMatchObject([{ name: 'news' }])
  for (const path of [`/held_messages/${id}/approve`, `/held_messages/${id}/reject`] as const) {
    expect((await ann.try('POST', path)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Must be an organization moderator',
    })
  }
  const { id: sent } = await mia.call('POST', `/held_messages/${id}/approve`)
  const seen = await look()
  const message = { id: sent, sender_id: ann.id, subject: 'plans', stream_id: channelId }
  expect(seen.bob).toMatchObject([{ type: 'message', message, flags: [] }])
  expect(seen.ann).toMatchObject([
    { op: 'remove', held_message_id: id },
    { type: 'message', message, flags: ['read'] },
  ])
  expect(seen.mia).toMatchObject([
    { op: 'queue_remove', held_message_id: id },
    { type: 'message', message },
  ])
  expect((await mia.try('POST', `/held_messages/${id}/approve`)).body['msg']).toBe(
    'This message no longer waits for review.',
  )
  const { entries } = await owner.call('GET', '/audit_log', { kind: 'reports' })
  expect(entries).toMatchObject([{ acting_user_id: mia.id, action: 'message_approved', target: { id: channelId } }])
})

it('returns the text of a rejected message to its author as a draft, with the reason', async () => {
  const { ann, bob, mia, channelId } = await createFixture()
  const id = await hold(ann, 'Free  MONEY')
  const look = await watch({ ann, bob }, OWN_EVENTS)
  await mia.call('POST', `/held_messages/${id}/reject`, { reason: 'No ads' })
  const seen = await look()
  expect(seen.bob).toEqual([])
  expect(seen.ann.map(({ type, op }) => [type, op])).toEqual([
    ['held_messages', 'remove'],
    ['drafts', 'add'],
    ['message', undefined],
  ])
  expect(seen.ann[1]?.['drafts']).toMatchObject([{ to: [channelId], topic: 'plans', content: 'Free  MONEY' }])
  expect(seen.ann[2]?.message?.content).toMatch(/rejected your message.*No ads.*Free {2}MONEY/s)
  expect((await ann.call('GET', '/held_messages')).held_messages).toEqual([])
})

it('lets only the author withdraw a held message, and holds a repeated request once', async () => {
  const { ann, bob, mia } = await createFixture()
  const key = { idempotency_key: 'one' }
  const id = await hold(ann, 'casino', key)
  expect(await hold(ann, 'casino', key)).toBe(id)
  for (const user of [bob, mia]) {
    expect((await user.try('DELETE', `/held_messages/${id}`)).body['msg']).toBe(
      'This message no longer waits for review.',
    )
  }
  const look = await watch({ ann, mia }, { ...OWN_EVENTS, event_types: ['held_messages'] })
  await ann.call('DELETE', `/held_messages/${id}`)
  expect(await look()).toMatchObject({ ann: [{ op: 'remove' }], mia: [{ op: 'queue_remove' }] })
})

it('answers a retry of a held message like the first request, also after it is sent', async () => {
  const { owner, ann, mia } = await createFixture()
  const reused = "This 'idempotency_key' was already used for another message."
  const key = { idempotency_key: 'one' }
  const id = await hold(ann, 'casino', key)
  expect((await trySending(ann, 'Another casino', key)).body['msg']).toBe(reused)
  const { id: sent } = await mia.call('POST', `/held_messages/${id}/approve`)
  expect((await trySending(ann, 'casino', key)).body).toMatchObject({ id: sent })
  const before = { idempotency_key: 'two' }
  const { body } = await trySending(ann, 'roulette', before)
  await owner.call('PATCH', '/realm', { held_message_patterns: 'roulette' })
  expect((await trySending(ann, 'roulette', before)).body).toMatchObject({ id: body['id'] })
})

it('holds words in topics, disguised words, and patterns, but no parts of words', async () => {
  const { ann } = await createFixture()
  const held = [
    'CASINO',
    'a cas\u200Bino',
    'c**asi**no',
    'ｃａｓｉｎｏ',
    'free money',
    'I Buy 20 coins',
    '/poll casino?',
    ...['\u034F', '\u061C', '\u180E', '\u202A', '\u2061', '\u2066', '\uFE0F', '\u3164', '\u115F', '\u{E0041}'].map(
      (invisible) => `cas${invisible}ino`,
    ),
    'cas[ino](https://example.com)',
    'free\nmoney',
    'free\tmoney',
    'x_casino',
    'casino\n'.repeat(20),
    '\uFDFA'.repeat(10_000),
  ]
  for (const content of held) await hold(ann, content)
  await hold(ann, 'Hello', { topic: 'Our casino' })
  await hold(ann, 'Vote', {
    widget_content: '{"widget_type":"poll","extra_data":{"question":"c\\u0061sino?","options":[]}}',
  })
  for (const content of ['casinos', 'free the money', 'buy coins', 'occasino']) {
    expect((await trySending(ann, content)).status).toBe(200)
  }
})

it('never holds messages of moderators, direct messages, or messages that no moderator could read', async () => {
  const { owner, ann, bob, mia } = await createFixture()
  expect((await trySending(mia, 'casino')).status).toBe(200)
  expect((await trySending(owner, 'casino')).status).toBe(200)
  await ann.sendTo([bob.id], 'casino')
  expect((await trySending(ann, 'casino', { to: 'club' })).status).toBe(200)
})

it('lets only its author and those who review a held message open its files', async () => {
  const { owner, user, ann, bob, mia } = await createFixture()
  const max = await user('Max', { role: 300 })
  await ann.subscribe(['club'], { principals: [owner.id, mia.id] })
  const [own, others] = [await upload(ann, 'own.txt', '1'), await upload(bob, 'others.txt', '2')]
  const id = await hold(ann, `casino [own](${own}) [others](${others})`, { to: 'club' })
  const statuses = async (url: string): Promise<unknown> =>
    Promise.all([ann, mia, owner, max, bob].map(async (person) => (await fetchAs(person, url)).status))
  expect(await statuses(own)).toEqual([200, 200, 200, 404, 404])
  expect(await statuses(others)).toEqual([404, 404, 404, 404, 200])
  await mia.call('POST', `/held_messages/${id}/reject`)
  expect(await statuses(own)).toEqual([200, 404, 404, 404, 404])
})

it('links no files at approval that the token of the author could not link', async () => {
  const { ann, bob, mia, channelId } = await createFixture()
  const { token } = await makeToken(ann, { is_read_only: false, channel_ids: [channelId] })
  const url = await upload(ann, 'plans.txt', '1')
  const message = { type: 'stream', to: channelId, topic: 'plans', content: `casino [plans](${url})` }
  const held = await callWithToken(ann, token, 'POST', '/messages', message)
  expect(held.body['code']).toBe('MESSAGE_HELD')
  expect((await fetchAs(mia, url)).status).toBe(404)
  await mia.call('POST', `/held_messages/${Number(held.body['held_message_id'])}/approve`)
  expect((await fetchAs(bob, url)).status).toBe(404)
})

it('checks the permissions of the author again when a message is approved', async () => {
  const { owner, ann, bob, mia, channelId } = await createFixture()
  const [first, second] = [await hold(ann, 'casino 1'), await hold(bob, 'casino 2')]
  await owner.call('PATCH', `/streams/${channelId}`, {
    can_send_message_group: { new: { direct_members: [bob.id, owner.id], direct_subgroups: [] } },
  })
  expect((await mia.try('POST', `/held_messages/${first}/approve`)).body['msg']).toBe(
    "Not authorized to send to channel 'square'",
  )
  await ann.subscribe(['club'], { principals: [mia.id] })
  const third = await hold(bob, 'casino 3', { to: 'club' })
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  const { status, body } = await mia.try('POST', `/held_messages/${third}/approve`)
  expect([status, body['msg']]).toEqual([400, 'The author can no longer see this channel.'])
  await owner.call('DELETE', `/users/${bob.id}`)
  expect((await mia.try('POST', `/held_messages/${second}/approve`)).body['msg']).toBe('Account is deactivated')
  expect((await mia.call('GET', '/held_messages/queue')).held_messages).toHaveLength(3)
})

it('hides held messages from moderators who cannot read the channel, as if they did not exist', async () => {
  const { owner, ann, bob, mia } = await createFixture()
  const max = await ann.send('club', 'plans', 'Hello')
  expect(max).toBeGreaterThan(0)
  await ann.subscribe(['club'], { principals: [owner.id] })
  const look = await watch({ owner, mia }, { ...OWN_EVENTS, event_types: ['held_messages'] })
  const id = await hold(ann, 'casino', { to: 'club' })
  expect(await look()).toMatchObject({ owner: [{ op: 'queue_add' }], mia: [] })
  expect((await mia.call('GET', '/held_messages/queue')).held_messages).toEqual([])
  for (const wanted of [id, 999_999]) {
    for (const verb of ['approve', 'reject'] as const) {
      const { body } = await mia.try('POST', `/held_messages/${wanted}/${verb}`)
      expect(body['msg']).toBe('This message no longer waits for review.')
    }
  }
  const left = await hold(bob, 'casino', { to: 'club' })
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  await ann.call('PATCH', `/streams/${await channelIdOf(owner, 'club')}`, { new_name: 'secret' })
  const heard = await watch({ bob }, { event_types: ['message'] })
  await owner.call('POST', `/held_messages/${left}/reject`)
  const [{ message } = {}] = (await heard()).bob
  expect(message?.content).toMatch(/rejected your message\. /)
  expect(message?.content).not.toContain('secret')
})

it('refuses edits, moves, and poll options that add reviewed words', async () => {
  const { owner, ann, bob, mia, channelId } = await createFixture()
  await owner.subscribe(['den'], { principals: [owner.id], invite_only: true })
  const msg = 'This change contains words that moderators review. Send a new message instead.'
  const id = await ann.send('square', 'plans', 'Hello')
  expect((await ann.try('PATCH', `/messages/${id}`, { content: 'casino' })).body['msg']).toBe(msg)
  expect((await ann.try('PATCH', `/messages/${id}`, { topic: 'casino' })).body['msg']).toBe(msg)
  const poll = await ann.send('square', 'plans', '/poll Where?')
  const option = { msg_type: 'widget', content: '{"type":"new_option","option":"c\\u0061sino"}' }
  expect((await ann.try('POST', '/submessage', { ...option, message_id: poll })).body['msg']).toBe(msg)
  const hidden = await bob.sendTo([mia.id], 'Hello')
  for (const unread of [hidden, 999_999, await owner.send('den', 'plans', 'Hello')]) {
    expect((await ann.try('POST', '/submessage', { ...option, message_id: unread })).body['msg']).toBe(
      'Invalid message(s)',
    )
  }
  const unseen = await ann.send('club', 'plans', 'casino')
  const reply = await bob.send('club', 'plans', 'Hello')
  const move = { stream_id: channelId, propagate_mode: 'change_all', send_notification_to_new_thread: false }
  for (const moved of [unseen, reply]) {
    expect((await ann.try('PATCH', `/messages/${moved}`, move)).body['msg']).toBe(msg)
  }
  expect((await bob.try('PATCH', `/messages/${reply}`, { ...move, propagate_mode: 'change_one' })).body['msg']).toBe('')
  const held = await hold(bob, 'The casino is open')
  const { id: approved } = await mia.call('POST', `/held_messages/${held}/approve`)
  await bob.call('PATCH', `/messages/${approved}`, { content: 'The casino is closed' })
  const coins = await hold(bob, 'I buy 20 coins')
  const { id: bought } = await mia.call('POST', `/held_messages/${coins}/approve`)
  expect((await bob.try('PATCH', `/messages/${bought}`, { content: 'I sell 900 coins' })).body['msg']).toBe(msg)
  await bob.call('PATCH', `/messages/${bought}`, { content: 'I buy 20 coins!' })
  await mia.call('PATCH', `/messages/${id}`, { topic: 'casino' })
  await ann.call('PATCH', `/messages/${id}`, { topic: '✔ casino', propagate_mode: 'change_all' })
})

it('holds scheduled messages when they are due', async () => {
  const { ann, bob, channelId } = await createFixture()
  await ann.call('POST', '/scheduled_messages', {
    type: 'channel',
    to: channelId,
    topic: 'plans',
    content: 'casino',
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 1,
  })
  const look = await watch({ bob }, { event_types: ['message'] })
  await expect
    .poll(
      async () => {
        await runJob(server().parley, sendScheduledMessages)
        return (await ann.call('GET', '/held_messages')).held_messages.map(({ content }) => content)
      },
      { timeout: 10_000 },
    )
    .toEqual(['casino'])
  expect((await ann.call('GET', '/scheduled_messages')).scheduled_messages).toEqual([])
  expect((await look()).bob).toEqual([])
})

it('limits the held messages of a person', async () => {
  const { ann } = await createFixture()
  for (let n = 0; n < HELD_MESSAGE_LIMIT.most; n += 1) await hold(ann, `casino ${n}`)
  expect((await trySending(ann, 'casino')).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'At most 50 of your messages can wait for review.',
  })
})

it('rejects patterns that are invalid, too many, or too complex', async () => {
  const { owner, ann, mia } = await createFixture('')
  const refusals: readonly (readonly [string, string])[] = [
    ['/(/', 'Bad regular expression: /(/'],
    ['/a(?=b)/', 'Bad regular expression: /a(?=b)/'],
    ['/.*/', 'Bad regular expression: /.*/'],
    ['/(?:a{30}){30}/\n/(?:b{30}){30}/', 'The regular expressions are too complex.'],
    [Array.from({ length: 201 }, (_, n) => `word${n}`).join('\n'), 'There can be at most 200 patterns.'],
  ]
  for (const [patterns, msg] of refusals) {
    expect((await owner.try('PATCH', '/realm', { held_message_patterns: patterns })).body['msg']).toBe(msg)
  }
  await owner.call('PATCH', '/realm', { held_message_patterns: ' a \n\n\u200B\u00AD\n/b+c/' })
  expect((await trySending(ann, 'Hello')).status).toBe(200)
  expect((await mia.try('PATCH', '/realm', { held_message_patterns: 'c' })).body['msg']).toBe(
    'Must be an organization administrator',
  )
  const { state } = await mia.register({ fetch_event_types: ['realm'] })
  expect(JSON.stringify(state)).not.toContain('held_message_patterns')
})
