import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ageMessages } from '../../testing/age.ts'
import { runAfterReading } from '../../testing/meanwhile.ts'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Body } from '../../testing/user.ts'

const server = useTestServer()

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

it('edits a message and sends readers an update with their own flags', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben, out] = [await user('Ann'), await user('Ben'), await user('Out')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id] })
  const id = await owner.send('news', 'hello', 'first', { read_by_sender: true })
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const [owners, anns, bens, outs] = [
    await owner.register(),
    await ann.register(),
    await ben.register(),
    await out.register(),
  ]
  const answer = await owner.call('PATCH', `/messages/${id}`, { content: '/me says **second**' })
  expect(answer).toMatchObject({ detached_uploads: [] })
  const update = {
    type: 'update_message',
    user_id: owner.id,
    message_id: id,
    message_ids: [id],
    rendering_only: false,
    stream_name: 'news',
    orig_content: 'first',
    orig_rendered_content: '<p>first</p>',
    content: '/me says **second**',
    rendered_content: '<p>/me says <strong>second</strong></p>',
    is_me_message: true,
  }
  const [own, ...none] = await owners.events()
  expect([own, none]).toEqual([expect.objectContaining({ ...update, flags: ['read'] }), []])
  expect(own).not.toHaveProperty('subject')
  expect(await anns.events()).toMatchObject([{ ...update, flags: ['read', 'starred'] }])
  expect(await bens.events()).toMatchObject([{ ...update, flags: [] }])
  expect(await outs.events()).toEqual([])

  const { message } = await ben.call('GET', `/messages/${id}`)
  expect(message).toMatchObject({
    content: '<p>/me says <strong>second</strong></p>',
    last_edit_timestamp: own?.['edit_timestamp'],
    edit_history: [{ user_id: owner.id, prev_content: 'first', prev_rendered_content: '<p>first</p>' }],
  })
  expect(message).not.toHaveProperty('last_moved_timestamp')
  // Senders also get the event if they are not subscribed.
  const outside = await out.send('news', 'hello', 'from outside')
  await outs.events()
  await out.call('PATCH', `/messages/${outside}`, { content: 'changed outside' })
  expect(await outs.events()).toMatchObject([{ type: 'update_message', message_id: outside }])
  await owners.events()
  // Unchanged content has no effect.
  await owner.call('PATCH', `/messages/${id}`, { content: '/me says **second**  ' })
  expect(await owners.events()).toEqual([])
})

it('replaces the content of a message that is edited to be empty with "(deleted)"', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const queue = await owner.register()
  for (const content of ['', ' \n ']) {
    const id = await owner.send('news', 'hello', '@**all** said too early')
    await queue.events()
    await owner.call('PATCH', `/messages/${id}`, { content })
    expect(await queue.events()).toMatchObject([{ type: 'update_message', message_id: id, content: '(deleted)' }])
    expect(await owner.call('GET', `/messages/${id}`)).toMatchObject({ raw_content: '(deleted)' })
    expect((await owner.try('POST', '/messages', { type: 'stream', to: 'news', topic: 'x', content })).status).toBe(400)
  }
})

it('edits direct messages for everyone in the conversation', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const id = await owner.sendTo([ann.id], 'psst', { read_by_sender: true })
  const [owners, anns, bens] = [await owner.register(), await ann.register(), await ben.register()]
  await owner.call('PATCH', `/messages/${id}`, { content: 'hush' })
  expect(await owners.events()).toMatchObject([{ type: 'update_message', message_id: id, flags: ['read'] }])
  const [event] = await anns.events()
  expect(event).toMatchObject({ type: 'update_message', content: 'hush', flags: [] })
  expect(event).not.toHaveProperty('stream_id')
  expect(await bens.events()).toEqual([])
  expect(await owner.call('GET', `/messages/${id}/history`)).toMatchObject({
    message_history: [
      { topic: '', content: 'psst' },
      { topic: '', content: 'hush', prev_content: 'psst' },
    ],
  })
  for (const parameters of [{ topic: 'x' }, { stream_id: 1 }]) {
    expect((await owner.try('PATCH', `/messages/${id}`, parameters)).body).toMatchObject({ code: 'BAD_REQUEST' })
  }
  const hidden = await ben.try('PATCH', `/messages/${id}`, { content: 'mine' })
  const absent = await ben.try('PATCH', '/messages/999999', { content: 'mine' })
  expect(hidden.body).toEqual(absent.body)
})

it('updates mentions, wildcards, and alert words to match edited text', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben, cleo] = [await user('Ann'), await user('Ben'), await user('Cleo')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id, cleo.id] })
  await cleo.call('POST', '/users/me/alert_words', { alert_words: ['lunch'] })
  const id = await owner.send('news', 'hello', 'Hi @**Ann**, lunch?')
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'collapsed' })
  // Users who subscribed later did not receive the message, even if it mentions them now.
  const dora = await user('Dora')
  await dora.call('POST', '/users/me/alert_words', { alert_words: ['lunch'] })
  await owner.subscribe(['news'], { principals: [dora.id] })
  const doras = await dora.register()
  const [anns, bens, cleos] = [await ann.register(), await ben.register(), await cleo.register()]
  await owner.call('PATCH', `/messages/${id}`, { content: 'Hi @**Ben**, @**topic**' })
  expect(await anns.events()).toMatchObject([{ flags: ['collapsed'] }])
  expect(await bens.events()).toMatchObject([{ flags: ['mentioned'] }])
  expect(await cleos.events()).toMatchObject([{ flags: [] }])
  await owner.call('PATCH', `/messages/${id}`, { content: '@**all** lunch' })
  const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned']
  expect(await anns.events()).toMatchObject([{ flags: ['collapsed', ...wildcard] }])
  expect(await cleos.events()).toMatchObject([{ flags: [...wildcard, 'has_alert_word'] }])
  const historical = { flags: ['read', 'historical'] }
  expect(await doras.events()).toMatchObject([historical, historical])
  const { message } = await cleo.call('GET', `/messages/${id}`)
  expect(message['flags']).toEqual([...wildcard, 'has_alert_word'])
  expect((await ben.register()).state['unread_msgs']).toMatchObject({ mentions: [id] })
})

it("resolves an edit's mentions in the topic chosen by a concurrent move", async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id] })
  const id = await ann.send('news', 'here', 'first')
  await ben.send('news', 'here', 'Ben takes part here')
  await owner.send('news', 'there', 'The owner takes part there')
  const [owners, bens] = [await owner.register({ event_types: ['update_message'] }), await ben.register()]
  const isMoved = runAfterReading(server().parley, 'topic_participants', async () =>
    owner.call('PATCH', `/messages/${id}`, { topic: 'there', send_notification_to_new_thread: false }),
  )
  await ann.call('PATCH', `/messages/${id}`, { content: '@**topic**' })
  expect(isMoved()).toBe(true)
  const update = { type: 'update_message', message_id: id }
  const mentioned = { ...update, flags: ['topic_wildcard_mentioned', 'wildcard_mentioned'] }
  expect(await owners.events()).toMatchObject([{ ...update, subject: 'there' }, mentioned])
  expect(await bens.events()).toMatchObject([
    { ...update, subject: 'there' },
    { ...update, flags: [] },
  ])
})

it('refuses edits with mentions that the author cannot use', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const [ann, ...others] = [
    await user('Ann'),
    ...(await Promise.all(Array.from({ length: 15 }, async (_, n) => user(`U ${n}`)))),
  ]
  await owner.subscribe(['news', 'small'], { principals: [ann, ...others].map((one) => one?.id) })
  await changeSettings(server().parley, organizationId, {
    can_mention_many_users_group: { direct_members: [owner.id], direct_subgroups: [] },
  })
  const id = await ann.send('news', 'hello', 'first')
  const queue = await ann.register()
  const all = await ann.try('PATCH', `/messages/${id}`, { content: '@**all**' })
  expect(all.body['code']).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  for (const one of others) await one?.send('news', 'hello', 'me too')
  const topic = await ann.try('PATCH', `/messages/${id}`, { content: '@**topic**' })
  expect(topic.body['code']).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  expect((await queue.events()).filter((event) => event['type'] === 'update_message')).toEqual([])
})

it('rejects invalid edits without changes', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news', 'work'])
  const id = await owner.send('news', 'hello', 'first')
  const queue = await owner.register()
  const editError = async (parameters: Body): Promise<unknown> =>
    (await owner.try('PATCH', `/messages/${id}`, parameters)).body['code']
  expect(await editError({})).toBe('BAD_REQUEST')
  for (const propagate_mode of ['change_later', 'change_all'])
    expect(await editError({ content: 'x', propagate_mode })).toBe('BAD_REQUEST')
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'work' })
  expect(await editError({ content: 'x', stream_id })).toBe('BAD_REQUEST')
  expect(await editError({ stream_id: 999_999 })).toBe('BAD_REQUEST')
  expect(await editError({ content: '😀'.repeat(10_001) })).toBe('REQUEST_VARIABLE_INVALID')
  expect(await editError({ topic: 'x'.repeat(61) })).toBe('REQUEST_VARIABLE_INVALID')
  expect(await editError({ topic: 'x', propagate_mode: 'change_some' })).toBe('REQUEST_VARIABLE_INVALID')
  expect(await editError({ content: 'x', prev_content_sha256: sha256('second') })).toBe('EXPECTATION_MISMATCH')
  expect(await editError({ topic: 'x', prev_content_sha256: 'nonsense' })).toBe('EXPECTATION_MISMATCH')
  expect(await queue.events()).toEqual([])
  await owner.call('PATCH', `/messages/${id}`, {
    content: '😀'.repeat(10_000),
    topic: '😀'.repeat(60),
    prev_content_sha256: sha256('first').toUpperCase(),
  })
})

it("lets only the sender edit a message, within the organization's time limit", async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const id = await ann.send('news', 'hello', 'first')
  const others = await owner.try('PATCH', `/messages/${id}`, { content: 'mine' })
  expect(others.body).toMatchObject({ code: 'BAD_REQUEST' })
  await ageMessages(server().database, organizationId, [id], 601)
  await ann.call('PATCH', `/messages/${id}`, { content: 'second' })
  await ageMessages(server().database, organizationId, [id], 20)
  expect((await ann.try('PATCH', `/messages/${id}`, { content: 'third' })).body).toMatchObject({ code: 'BAD_REQUEST' })
  await changeSettings(server().parley, organizationId, { message_content_edit_limit_seconds: null })
  await ann.call('PATCH', `/messages/${id}`, { content: 'third' })
  await changeSettings(server().parley, organizationId, { allow_message_editing: false })
  expect((await ann.try('PATCH', `/messages/${id}`, { content: 'fourth' })).body['code']).toBe('BAD_REQUEST')
  // The limit on edits does not apply to moves.
  await ann.call('PATCH', `/messages/${id}`, { topic: 'elsewhere' })
})

it('shows as much edit history as the organization allows', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news', 'work'], { principals: [owner.id, ann.id] })
  const { stream_id: work } = await owner.call('GET', '/get_stream_id', { stream: 'work' })
  const { stream_id: news } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const id = await ann.send('news', 'hello', 'first')
  await ann.call('PATCH', `/messages/${id}`, { content: 'second', topic: '' })
  await owner.call('PATCH', `/messages/${id}`, { stream_id: work, topic: 'plans' })
  const { message_history } = await owner.call('GET', `/messages/${id}/history`)
  expect(message_history).toMatchObject([
    { topic: 'hello', content: 'first', user_id: ann.id },
    { topic: 'general chat', prev_topic: 'hello', content: 'second', prev_content: 'first', user_id: ann.id },
    {
      topic: 'plans',
      prev_topic: 'general chat',
      stream: work,
      prev_stream: news,
      content: 'second',
      rendered_content: '<p>second</p>',
      user_id: owner.id,
    },
  ])
  const named = await owner.call('GET', `/messages/${id}/history`, { allow_empty_topic_name: true })
  expect(named['message_history']).toMatchObject([{}, { topic: '' }, { prev_topic: '' }])

  await changeSettings(server().parley, organizationId, { message_edit_history_visibility_policy: 'moves' })
  const moves = await owner.call('GET', `/messages/${id}/history`)
  expect(JSON.stringify(moves)).not.toContain('first')
  expect(moves['message_history']).toMatchObject([
    { content: 'second' },
    { prev_topic: 'hello' },
    { prev_stream: news },
  ])
  await changeSettings(server().parley, organizationId, { message_edit_history_visibility_policy: 'none' })
  expect((await owner.try('GET', `/messages/${id}/history`)).body).toMatchObject({ code: 'BAD_REQUEST' })
  const { message } = await owner.call('GET', `/messages/${id}`)
  expect(message).not.toHaveProperty('edit_history')
  expect(message).toHaveProperty('last_edit_timestamp')
  expect(message).toHaveProperty('last_moved_timestamp')
  const queue = await owner.register()
  await ann.call('PATCH', `/messages/${id}`, { content: 'third' })
  expect((await queue.events())[0]).not.toHaveProperty('orig_content')
})

it('shows an HTML diff of each content change in the history', async () => {
  const { id: organizationId, owner } = await server().organization()
  await owner.subscribe(['news'])
  const id = await owner.send('news', 'hello', 'Lunch at *noon*')
  await owner.call('PATCH', `/messages/${id}`, { content: 'Lunch at *one* & cake' })
  await owner.call('PATCH', `/messages/${id}`, { topic: 'lunch' })
  const diffs = async (): Promise<unknown[]> => {
    const { message_history } = await owner.call('GET', `/messages/${id}/history`)
    return message_history.map((state) => state.content_html_diff)
  }
  const [deleted, inserted] = ['deleted', 'inserted'].map((mark) => `<span class="highlight_text_${mark}">`)
  const changed = `<p>Lunch at <em>${deleted}noon</span>${inserted}one</span></em>${inserted} &amp; cake</span></p>`
  expect(await diffs()).toEqual([undefined, changed, undefined])
  await changeSettings(server().parley, organizationId, { message_edit_history_visibility_policy: 'moves' })
  expect(await diffs()).toEqual([undefined, undefined])
})

it("hides a message's former channel from people who cannot see that channel", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['open'], { principals: [owner.id, ann.id] })
  const { stream_id: open } = await owner.call('GET', '/get_stream_id', { stream: 'open' })
  const id = await owner.send('secret', 'hush', 'first')
  await owner.call('PATCH', `/messages/${id}`, { topic: 'quiet' })
  const anns = await ann.register()
  await owner.call('PATCH', `/messages/${id}`, { stream_id: open, topic: 'loud' })
  await owner.call('PATCH', `/messages/${id}`, { topic: 'louder' })
  const history = await ann.call('GET', `/messages/${id}/history`)
  const { message } = await ann.call('GET', `/messages/${id}`)
  const events = await anns.events()
  for (const told of [history, message, events]) {
    const text = JSON.stringify(told)
    for (const hidden of ['hush', 'quiet', 'secret']) expect(text).not.toContain(hidden)
  }
  expect(events[0]).toMatchObject({ type: 'update_message', message_ids: [id], stream_id: open, flags: ['read'] })
  expect(history['message_history']).toMatchObject([{ topic: 'loud' }, { topic: 'loud' }, { topic: 'louder' }])
  const full = await owner.call('GET', `/messages/${id}/history`)
  expect(full['message_history']).toMatchObject([{ topic: 'hush' }, {}, { prev_topic: 'quiet' }, {}])
})

it('replays no edits from a channel the reader can no longer see', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['hush', 'open'], { principals: [owner.id, ann.id], invite_only: true })
  const [id, moved] = [await owner.send('hush', 'plans', 'first'), await owner.send('open', 'plans', 'second')]
  const { stream_id: hush } = await owner.call('GET', '/get_stream_id', { stream: 'hush' })
  const queue = await ann.register({ event_types: ['message', 'update_message'] })
  const begin = queue.lastEventId
  await owner.call('PATCH', `/messages/${id}`, { content: 'changed' })
  const silently = { send_notification_to_new_thread: false }
  await owner.call('PATCH', `/messages/${moved}`, { stream_id: hush, ...silently })
  const update = { type: 'update_message', message_id: id }
  expect(await queue.events()).toMatchObject([update, { message_ids: [moved] }])
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['hush'], principals: [ann.id] })
  // Acknowledges the events, so that the server must read the log to replay them.
  await queue.events()
  queue.lastEventId = begin
  // Ann still sees the channel that the message left, so she needs the event.
  expect(await queue.events()).toMatchObject([{ message_ids: [moved] }])
})

it('lists the readers of a message if the organization allows it, except people who opt out', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const [ann, ben, late] = [await user('Ann'), await user('Ben'), await user('Late')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id] })
  const id = await owner.send('news', 'hello', 'first', { read_by_sender: true })
  await owner.subscribe(['news'], { principals: [late.id] })
  const path = `/messages/${id}/read_receipts`
  expect((await owner.try('GET', path)).body).toMatchObject({ code: 'BAD_REQUEST' })
  await changeSettings(server().parley, organizationId, { enable_read_receipts: true })
  expect((await owner.call('GET', path))['user_ids']).toEqual([])
  for (const reader of [ann, late]) {
    await reader.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  }
  expect((await ben.call('GET', path))['user_ids']).toEqual([ann.id])
  await ann.call('PATCH', '/settings', { send_read_receipts: false })
  expect((await ben.call('GET', path))['user_ids']).toEqual([])
  const direct = await owner.sendTo([ann.id], 'psst')
  const hidden = await ben.try('GET', `/messages/${direct}/read_receipts`)
  const absent = await ben.try('GET', '/messages/999999/read_receipts')
  expect(hidden.body).toEqual(absent.body)
  expect(hidden.status).toBe(400)
})
