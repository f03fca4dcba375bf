import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { loadEmojiNames } from '../../platform/markdown/emoji/names.ts'
import { channelByName, channelsProjection } from '../channels/queries/index.ts'
import { MESSAGE_EMOJI_LIMIT } from './contract.ts'

const server = useTestServer()

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
const HEART = { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' }
const EXTRA = { emoji_name: 'service', emoji_code: 'service', reaction_type: 'service_extra_emoji' }

async function reactionsOf(user: TestUser, id: number): Promise<unknown> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.reactions
}

async function tryAdding(user: TestUser, id: number, emoji: Body): Promise<Body> {
  const { status, body } = await user.try('POST', `/messages/${id}/reactions`, emoji)
  return { status, ...body }
}

async function tryRemoving(user: TestUser, id: number, emoji: Body): Promise<Body> {
  const { status, body } = await user.try('DELETE', `/messages/${id}/reactions`, emoji)
  return { status, ...body }
}

it('shows reactions in order and notifies people who can read the message', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const id = await owner.send('news', 'hello', 'one')
  const queues = [await owner.register(), await ann.register()]
  const outside = await ben.register({ all_public_streams: true })
  await ann.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await owner.call('POST', `/messages/${id}/reactions`, HEART)
  await owner.call('POST', `/messages/${id}/reactions`, TADA)
  await ann.call('DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  for (const queue of queues) {
    expect(await queue.events()).toMatchObject([
      {
        type: 'reaction',
        op: 'add',
        message_id: id,
        user_id: ann.id,
        ...TADA,
        user: { user_id: ann.id, email: ann.email, full_name: 'Ann' },
      },
      { type: 'reaction', op: 'add', message_id: id, user_id: owner.id, ...HEART },
      { type: 'reaction', op: 'add', message_id: id, user_id: owner.id, ...TADA },
      { type: 'reaction', op: 'remove', message_id: id, user_id: ann.id, ...TADA },
    ])
  }
  expect(await outside.events()).toEqual([])
  const shown = [
    { ...HEART, user_id: owner.id },
    { ...TADA, user_id: owner.id },
  ]
  expect(await reactionsOf(ann, id)).toEqual(shown)
  const { messages } = await ann.call('GET', '/messages', { anchor: id, num_before: 5, num_after: 0 })
  expect(messages).toMatchObject([{ id, reactions: shown }])
})

it('sends a message event without later reactions, even on replay', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register()
  const begin = queue.lastEventId
  const id = await owner.sendTo([owner.id], 'to myself')
  await owner.call('POST', `/messages/${id}/reactions`, TADA)
  const events = await queue.events()
  expect(events).toMatchObject([
    { type: 'message', message: { id, reactions: [] } },
    { type: 'reaction', op: 'add' },
  ])
  // When the client resumes from the start, the server reads the events from the log.
  queue.lastEventId = begin
  expect(await queue.events()).toEqual(events)
})

it('accepts an emoji by name or by a known code and name', async () => {
  const { owner } = await server().organization()
  const id = await owner.sendTo([owner.id], 'hello')
  const accepted: [Body, Body][] = [
    [{ emoji_name: 'tada' }, TADA],
    [{ emoji_name: 'heart', reaction_type: 'unicode_emoji' }, HEART],
    [{ emoji_name: 'fr' }, { emoji_code: '1f1eb-1f1f7', reaction_type: 'unicode_emoji' }],
    [{ emoji_name: 'fr', emoji_code: '1f1eb-1f1f7' }, { emoji_code: '1f1eb-1f1f7' }],
    [
      { emoji_name: 'party_popper', emoji_code: '1f389' },
      { ...TADA, emoji_name: 'party_popper' },
    ],
    // The emoji is shown under its real name.
    [{ emoji_name: 'octopus', emoji_code: '1f389', reaction_type: 'unicode_emoji' }, TADA],
    // Clients disagree about names, for example whether `dog` is the face or the animal.
    [{ emoji_name: 'dog', emoji_code: '1f415', reaction_type: 'unicode_emoji' }, { emoji_code: '1f415' }],
    [{ emoji_name: 'service' }, EXTRA],
    // Existing clients use this name for a dog.
    [{ emoji_name: 'service', reaction_type: 'unicode_emoji' }, { emoji_code: '1f415-200d-1f9ba' }],
    [EXTRA, EXTRA],
    [{ emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }, EXTRA],
  ]
  for (const [given, shown] of accepted) {
    expect(await tryAdding(owner, id, given)).toMatchObject({ status: 200 })
    expect(await reactionsOf(owner, id)).toMatchObject([shown])
    expect(await tryRemoving(owner, id, given)).toMatchObject({ status: 200 })
    expect(await reactionsOf(owner, id)).toEqual([])
  }
})

it('rejects unknown emoji, and changes nothing', async () => {
  const { owner } = await server().organization()
  const id = await owner.sendTo([owner.id], 'hello')
  const queue = await owner.register()
  const invalid: Body[] = [
    { emoji_name: 'no_such_emoji' },
    { emoji_name: 'Tada!' },
    { emoji_name: '' },
    { emoji_name: 'no_such_emoji', emoji_code: '1f389' },
    { emoji_name: 'tada', emoji_code: '1f389f' },
    { emoji_name: 'tada', emoji_code: '' },
    { emoji_name: 'tada', emoji_code: 'service' },
    { emoji_name: 'tada', emoji_code: 'service', reaction_type: 'unicode_emoji' },
    { emoji_name: 'service', emoji_code: '1f389', reaction_type: 'service_extra_emoji' },
    { emoji_name: 'tada', reaction_type: 'service_extra_emoji' },
    { emoji_name: 'tada', emoji_code: '1', reaction_type: 'realm_emoji' },
    { emoji_name: 'tada', reaction_type: 'realm_emoji' },
    { emoji_name: 'tada', reaction_type: 'nonsense' },
  ]
  for (const emoji of invalid) {
    expect([emoji, await tryAdding(owner, id, emoji)]).toMatchObject([emoji, { status: 400, code: 'BAD_REQUEST' }])
  }
  expect(await tryAdding(owner, id, {})).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'emoji_name' })
  for (const emoji of [
    {},
    { emoji_code: 'nonsense' },
    { emoji_name: 'no_such_emoji' },
    { reaction_type: 'nonsense' },
  ]) {
    expect(await tryRemoving(owner, id, emoji)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  }
  expect(await tryRemoving(owner, id, { emoji_name: 'tada' })).toMatchObject({ code: 'REACTION_DOES_NOT_EXIST' })
  expect(await tryRemoving(owner, id, HEART)).toMatchObject({ status: 400, code: 'REACTION_DOES_NOT_EXIST' })
  expect(await queue.events()).toEqual([])
  expect(await reactionsOf(owner, id)).toEqual([])
})

it('counts an emoji once per person under the first name used', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const id = await owner.sendTo([ann.id], 'hello')
  await ann.call('POST', `/messages/${id}/reactions`, { emoji_name: 'party_popper' })
  for (const emoji of [TADA, { emoji_name: 'tada' }, { emoji_name: 'party_popper' }]) {
    expect(await tryAdding(ann, id, emoji)).toMatchObject({ status: 400, code: 'REACTION_ALREADY_EXISTS' })
  }
  // Adding an emoji that another person has already added does not require a known name.
  await owner.call('POST', `/messages/${id}/reactions`, { ...TADA, emoji_name: 'renamed_since' })
  expect(await reactionsOf(ann, id)).toMatchObject([
    { emoji_name: 'party_popper', user_id: ann.id },
    { emoji_name: 'party_popper', user_id: owner.id },
  ])
  // Code and type identify the emoji, regardless of the name.
  const queue = await ann.register()
  await owner.call('DELETE', `/messages/${id}/reactions`, { ...TADA, emoji_name: 'renamed_since' })
  expect(await queue.events()).toMatchObject([{ op: 'remove', emoji_name: 'party_popper', user_id: owner.id }])
  expect(await tryRemoving(owner, id, TADA)).toMatchObject({ code: 'REACTION_DOES_NOT_EXIST' })
  expect(await reactionsOf(ann, id)).toMatchObject([{ user_id: ann.id }])
})

it('adds a reaction once for concurrent identical requests', async () => {
  const { owner } = await server().organization()
  const id = await owner.sendTo([owner.id], 'hello')
  const queue = await owner.register()
  const answers = await Promise.all(Array.from({ length: 8 }, () => tryAdding(owner, id, TADA)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    200, 400, 400, 400, 400, 400, 400, 400,
  ])
  expect(await queue.events()).toHaveLength(1)
})

it('treats hidden messages as missing in requests to add or remove reactions', async () => {
  const { owner, user } = await server().organization()
  const [ann, gus] = [await user('Ann'), await user('Gus', { role: 600 })]
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['news'])
  const hidden = [
    { reader: ann, id: await owner.send('secret', 'hello', 'one') },
    { reader: ann, id: await owner.sendTo([gus.id], 'psst') },
    { reader: gus, id: await owner.send('news', 'hello', 'two') },
  ]
  const queue = await owner.register()
  for (const { reader, id } of hidden) {
    expect(await tryAdding(reader, id, TADA)).toEqual(await tryAdding(reader, 999_999, TADA))
    expect(await tryRemoving(reader, id, TADA)).toEqual(await tryRemoving(reader, 999_999, TADA))
    expect(await tryAdding(reader, id, TADA)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  }
  expect(await queue.events()).toEqual([])
})

it('lets readers of a public channel react and notifies them', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'])
  const id = await owner.send('news', 'hello', 'one')
  const [own, others, subscriber] = [await ann.register(), await ben.register(), await owner.register()]
  await ann.call('POST', `/messages/${id}/reactions`, TADA)
  expect(await own.events()).toMatchObject([{ type: 'reaction', user_id: ann.id }])
  expect(await subscriber.events()).toMatchObject([{ type: 'reaction', user_id: ann.id }])
  expect(await others.events()).toEqual([])
})

it('sends reactions to a message in protected history only to people who could read the message', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben, cid] = [await user('Ann'), await user('Ben'), await user('Cid')]
  await owner.subscribe(['club'], { invite_only: true, principals: [owner.id, ann.id, cid.id] })
  const id = await owner.send('club', 'hello', 'before Ben')
  await cid.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  await owner.subscribe(['club'], { principals: [ben.id] })
  const queues = await Promise.all([owner, ann, ben, cid].map((reader) => reader.register()))
  const begin = queues.map((queue) => queue.lastEventId)
  await ann.call('POST', `/messages/${id}/reactions`, TADA)
  expect(await tryAdding(ben, id, TADA)).toMatchObject({ status: 400 })
  expect(await tryAdding(cid, id, TADA)).toMatchObject({ status: 400 })
  const counts = async (): Promise<number[]> =>
    Promise.all(
      queues.map(async (queue) => (await queue.events()).filter((event) => event['type'] === 'reaction').length),
    )
  expect(await counts()).toEqual([1, 1, 0, 0])
  // A subscriber who comes back sees the reaction on the message but gets no past events.
  await owner.subscribe(['club'], { principals: [cid.id] })
  for (const [index, queue] of queues.entries()) queue.lastEventId = begin[index] ?? 0
  expect(await counts()).toEqual([1, 1, 0, 0])
  await owner.call('POST', `/messages/${id}/reactions`, HEART)
  expect(await counts()).toEqual([1, 1, 0, 1])
  expect(await reactionsOf(cid, id)).toHaveLength(2)
})

it('sends reactions to messages in shared history to every subscriber', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['shared'], { invite_only: true, history_public_to_subscribers: true })
  const id = await owner.send('shared', 'hello', 'before Ann')
  await owner.subscribe(['shared'], { principals: [ann.id] })
  const queue = await ann.register()
  await owner.call('POST', `/messages/${id}/reactions`, TADA)
  expect(await queue.events()).toMatchObject([{ type: 'reaction', message_id: id }])
})

it('refuses reactions in archived channels', async () => {
  const { id: organizationId, owner } = await server().organization()
  await owner.subscribe(['old'])
  const id = await owner.send('old', 'hello', 'one')
  await owner.call('POST', `/messages/${id}/reactions`, TADA)
  const log = await server().parley.logs.of(organizationId)
  const channel = channelByName(log.organization, 'old')
  if (channel === undefined) throw new Error('the channel that was just created is missing')
  await log.write(async (tx) => {
    await tx.db.updateTable('channels').set({ is_archived: true }).where('id', '=', channel.id).execute()
    tx.change(channelsProjection, { ...channel, isArchived: true })
  })
  expect(await tryAdding(owner, id, HEART)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  expect(await tryRemoving(owner, id, TADA)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  expect(await reactionsOf(owner, id)).toMatchObject([TADA])
})

it('limits how many different emoji a message has but not how many people use each emoji', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const id = await owner.sendTo([ann.id], 'hello')
  const { namesByCode } = await loadEmojiNames()
  const emoji = [...namesByCode].slice(0, MESSAGE_EMOJI_LIMIT.most + 1).map(([emoji_code, [emoji_name = '']]) => ({
    emoji_code,
    emoji_name,
  }))
  const last = emoji.pop()
  const answers = await Promise.all(emoji.map((one) => tryAdding(owner, id, one)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await tryAdding(owner, id, { ...last })).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  expect(await tryAdding(ann, id, { ...emoji[0] })).toMatchObject({ status: 200 })
  expect(await reactionsOf(ann, id)).toHaveLength(MESSAGE_EMOJI_LIMIT.most + 1)
})
