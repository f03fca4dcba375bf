import { expect, it } from 'vitest'
import { ageMessages } from '../../testing/age.ts'
import { anyNumber } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  const { stream_id } = await user.call('GET', '/get_stream_id', { stream })
  return stream_id
}

it('deletes a message with all its data and notifies everyone who saw it', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben, out] = [await user('Ann'), await user('Ben'), await user('Out')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const news = await channelIdOf(owner, 'news')
  const first = await owner.send(news, '', 'first')
  const second = await owner.send(news, '', 'second')
  await owner.call('PATCH', `/messages/${first}`, { content: 'changed' })
  for (const reader of [ann, ben]) {
    await reader.call('POST', '/messages/flags', { messages: [first, second], op: 'add', flag: 'starred' })
  }
  await ann.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
  const [anns, olds, bens, outs] = [
    await ann.register(),
    await ann.register({ client_capabilities: {} }),
    await ben.register(),
    await out.register(),
  ]
  expect(await owner.call('DELETE', `/messages/${first}`)).toMatchObject({ result: 'success' })
  const change = { type: 'stream', property: 'first_message_id', value: second }
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: news }
  expect(await anns.events()).toMatchObject([{ ...gone, topic: '', message_ids: [first] }, change])
  expect(await olds.events()).toMatchObject([{ ...gone, topic: 'general chat', message_id: first }, change])
  const unstar = { type: 'update_message_flags', op: 'remove', flag: 'starred', messages: [first] }
  expect(await bens.events()).toMatchObject([unstar, change])
  expect(await outs.events()).toMatchObject([change])
  const absent = await ann.try('GET', '/messages/999999')
  expect((await ann.try('GET', `/messages/${first}`)).body).toEqual(absent.body)
  expect((await ann.try('GET', `/messages/${first}/history`)).body).toEqual(absent.body)
  expect((await owner.try('DELETE', `/messages/${first}`)).body).toEqual(absent.body)
  const { state } = await ben.register()
  expect(state['starred_messages']).toEqual([second])
  await owner.call('DELETE', `/messages/${second}`)
  expect((await anns.events()).at(-1)).toMatchObject({ property: 'first_message_id', value: null })
  expect(await ann.call('GET', `/users/me/${news}/topics`)).toMatchObject({ topics: [] })
  // Messages in a new topic of the same name are unread.
  const third = await owner.send(news, '', 'third')
  expect((await ann.register()).state['unread_msgs']).toMatchObject({ streams: [{ unread_message_ids: [third] }] })
})

it('deletes direct messages for everyone in the conversation', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const [first, second] = [await owner.sendTo([ann.id], 'one'), await owner.sendTo([ann.id], 'two')]
  const [anns, bens] = [await ann.register(), await ben.register()]
  const recent = async (): Promise<unknown> => (await ann.register()).state['recent_private_conversations']
  expect((await ann.try('DELETE', `/messages/${first}`)).body).toMatchObject({ code: 'BAD_REQUEST' })
  await owner.call('DELETE', `/messages/${second}`)
  expect(await anns.events()).toEqual([
    { type: 'delete_message', id: anyNumber, message_type: 'private', message_ids: [second] },
  ])
  expect(await recent()).toEqual([{ user_ids: [owner.id], max_message_id: first }])
  await owner.call('DELETE', `/messages/${first}`)
  expect(await recent()).toEqual([])
  expect(await bens.events()).toEqual([])
  const again = await ann.sendTo([owner.id], 'three')
  expect(await recent()).toEqual([{ user_ids: [owner.id], max_message_id: again }])
})

it("lets people delete their own recent messages and, with permission, other people's messages", async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const bot = await user('Bot', { bot: { ownerId: ann.id } })
  const { state } = await owner.register()
  const nobody = state['realm_user_groups'].find((group) => group['name'] === 'role:nobody')?.['id']
  const bens = { direct_members: [ben.id], direct_subgroups: [] }
  await owner.subscribe(['news', 'second'], { principals: [owner.id, ann.id, ben.id, bot.id] })
  await owner.subscribe(['granted'], {
    principals: [owner.id, ann.id, ben.id],
    can_delete_any_message_group: bens,
    can_delete_own_message_group: { direct_members: [ann.id], direct_subgroups: [] },
  })
  const code = async (actor: TestUser, id: number): Promise<unknown> =>
    (await actor.try('DELETE', `/messages/${id}`)).body['code']
  const byBot = await bot.send('news', 'x', 'beep')
  expect(await code(ben, byBot)).toBe('BAD_REQUEST')
  expect(await code(ann, byBot)).toBeUndefined()
  const [inTime, late] = [await ann.send('news', 'x', 'a'), await ann.send('news', 'x', 'b')]
  await ageMessages(server().database, organizationId, [inTime, late], 601)
  expect(await code(ann, inTime)).toBeUndefined()
  await ageMessages(server().database, organizationId, [late], 20)
  expect(await code(ann, late)).toBe('BAD_REQUEST')
  expect(await code(owner, late)).toBeUndefined()
  expect(await code(ben, await owner.send('granted', 'x', 'c'))).toBeUndefined()
  await changeSettings(server().parley, organizationId, { can_delete_own_message_group: nobody })
  expect(await code(ann, await ann.send('news', 'x', 'd'))).toBe('BAD_REQUEST')
  expect(await code(ann, await ann.send('granted', 'x', 'e'))).toBeUndefined()
  expect(await code(ben, await ben.send('news', 'x', 'f'))).toBe('BAD_REQUEST')
})

it('refuses changes and deletions in an archived channel', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news', 'work'])
  const [news, work] = [await channelIdOf(owner, 'news'), await channelIdOf(owner, 'work')]
  const [id, other] = [await owner.send(news, 'hello', 'first'), await owner.send(work, 'hello', 'second')]
  await owner.call('DELETE', `/streams/${news}`)
  const queue = await owner.register()
  for (const [method, path, parameters] of [
    ['PATCH', `/messages/${id}`, { content: 'changed' }],
    ['PATCH', `/messages/${id}`, { topic: 'elsewhere' }],
    ['PATCH', `/messages/${id}`, { stream_id: work }],
    ['PATCH', `/messages/${other}`, { stream_id: news }],
    ['DELETE', `/messages/${id}`, {}],
    ['POST', `/streams/${news}/delete_topic`, { topic_name: 'hello' }],
    ['POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
  ] as const) {
    const { status, body } = await owner.try(method, path, parameters)
    expect([method, path, status, body['code']]).toEqual([method, path, 400, 'BAD_REQUEST'])
  }
  expect(await queue.events()).toEqual([])
})

it('deletes a topic in batches and reports completion', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const news = await channelIdOf(owner, 'news')
  const ids: number[] = []
  for (let index = 0; index < 101; index += 1) ids.push(await owner.send(news, 'hello', `${index}`))
  const other = await owner.send(news, 'other', 'stays')
  const path = `/streams/${news}/delete_topic`
  const [queue, old] = [await ann.register(), await ann.register({ client_capabilities: {} })]
  expect((await ann.try('POST', path, { topic_name: 'hello' })).body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' })
  expect(await queue.events()).toEqual([])
  expect(await owner.call('POST', path, { topic_name: 'HELLO' })).toMatchObject({ complete: true })
  const deletions = (await queue.events()).filter((event) => event['type'] === 'delete_message')
  expect(deletions.map((event) => event['message_ids'])).toEqual([ids.slice(1), ids.slice(0, 1)])
  const single = (await old.events()).filter((event) => event['type'] === 'delete_message')
  expect(single.map((event) => event['message_id'])).toEqual([...ids.slice(1), ids[0]])
  expect(await owner.call('GET', `/users/me/${news}/topics`)).toMatchObject({
    topics: [{ name: 'other', max_id: other }],
  })
  expect(await owner.call('POST', path, { topic_name: 'hello' })).toMatchObject({ complete: true })
  await owner.subscribe(['secret'], { invite_only: true })
  const hidden = await ben.try('POST', `/streams/${await channelIdOf(owner, 'secret')}/delete_topic`, {
    topic_name: 'x',
  })
  const absent = await ben.try('POST', '/streams/999999/delete_topic', { topic_name: 'x' })
  expect(hidden.body).toEqual(absent.body)
})

it('rejects deleting a topic by an overlong name instead of truncating the name', async () => {
  const { owner, user } = await server().organization()
  const alerts = await user('Alerts', { role: 200, bot: {} })
  await owner.subscribe(['news'])
  const news = await channelIdOf(owner, 'news')
  const cut = `${'a'.repeat(59)}…`
  const id = await alerts.send(news, 'a'.repeat(61), 'stays')
  const queue = await owner.register()
  for (const actor of [alerts, owner]) {
    const long = await actor.try('POST', `/streams/${news}/delete_topic`, { topic_name: 'a'.repeat(61) })
    expect([long.status, long.body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  }
  expect(await queue.events()).toEqual([])
  expect(await alerts.call('POST', `/streams/${news}/delete_topic`, { topic_name: ` ${cut} ` })).toMatchObject({
    complete: true,
  })
  expect(await queue.events()).toMatchObject([
    { type: 'delete_message', topic: cut, message_ids: [id] },
    { type: 'stream' },
  ])
})

it('deletes only visible messages and notifies only people who saw them', async () => {
  const { owner, user } = await server().organization()
  const [ann, admin] = [await user('Ann'), await user('Ada', { role: 200 })]
  await owner.subscribe(['club'], { invite_only: true })
  const club = await channelIdOf(owner, 'club')
  const hidden = await owner.send(club, 'hello', 'hidden')
  await owner.subscribe(['club'], { principals: [ann.id, admin.id] })
  const seen = await owner.send(club, 'hello', 'seen')
  const [anns, olds] = [await ann.register(), await ann.register({ client_capabilities: {} })]
  const absent = await admin.try('DELETE', '/messages/999999')
  expect((await admin.try('DELETE', `/messages/${hidden}`)).body).toEqual(absent.body)
  expect(await admin.call('POST', `/streams/${club}/delete_topic`, { topic_name: 'hello' })).toMatchObject({
    complete: true,
  })
  expect(await anns.events()).toMatchObject([{ type: 'delete_message', message_ids: [seen] }])
  expect(await olds.events()).toMatchObject([{ type: 'delete_message', message_id: seen }])
  await owner.call('DELETE', `/messages/${hidden}`)
  expect((await anns.events()).filter((event) => event['type'] === 'delete_message')).toEqual([])
})

it('refuses deletion of unreadable messages regardless of permissions', async () => {
  const { owner, user } = await server().organization()
  const [ann, admin] = [await user('Ann'), await user('Ada', { role: 200 })]
  const anns = { direct_members: [ann.id], direct_subgroups: [] }
  await owner.subscribe(['club'], {
    invite_only: true,
    can_administer_channel_group: anns,
    can_delete_any_message_group: anns,
  })
  const club = await channelIdOf(owner, 'club')
  const id = await owner.send(club, 'hello', 'hidden')
  const queue = await owner.register()
  for (const actor of [ann, admin]) {
    const hidden = await actor.try('DELETE', `/messages/${id}`)
    expect([hidden.status, hidden.body]).toEqual([400, (await actor.try('DELETE', '/messages/999999')).body])
    expect((await actor.try('POST', `/streams/${club}/delete_topic`, { topic_name: 'hello' })).status).toBe(400)
  }
  expect(await queue.events()).toEqual([])
  await owner.subscribe(['club'], { principals: [ann.id] })
  const later = await owner.send(club, 'hello', 'seen')
  await ann.call('DELETE', `/messages/${later}`)
})
