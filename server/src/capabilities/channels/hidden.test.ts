import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, TestUser } from '../../testing/user.ts'

const server = useTestServer()

const MISSING_CHANNEL = { name: 'nowhere', id: 987_654 }

interface NamedChannel {
  readonly name: string
  readonly id: number
}

const REQUESTS: Readonly<Record<string, (user: TestUser, channel: NamedChannel) => Promise<Answer>>> = {
  'leaving it': async (user, { name }) => user.try('DELETE', '/users/me/subscriptions', { subscriptions: [name] }),
  'sending to its name': async (user, { name }) =>
    user.try('POST', '/messages', { type: 'stream', to: JSON.stringify(name), topic: 'x', content: 'x' }),
  'sending to its ID': async (user, { id }) =>
    user.try('POST', '/messages', { type: 'channel', to: id, topic: 'x', content: 'x' }),
  'listing messages by its name': async (user, { name }) => messagesOf(user, name),
  'listing messages by its ID': async (user, { id }) => messagesOf(user, id),
  'listing messages outside it': async (user, { id }) => messagesOf(user, id, true),
  'registering with its name': async (user, { name }) => user.try('POST', '/register', { narrow: [['channel', name]] }),
  'registering with its ID': async (user, { id }) =>
    user.try('POST', '/register', { narrow: [['channel', String(id)]] }),
  'linking to it': async (user, { name, id }) => {
    const content = `#**${name}** #**${name}>topic** [](/#narrow/channel/${id}-${name}) #**${id}**`
    const sent = await user.sendTo([user.id], content)
    return user.try('GET', `/messages/${sent}`)
  },
}

async function messagesOf(user: TestUser, operand: string | number, negated = false): Promise<Answer> {
  const narrow = [{ operator: 'channel', operand, negated }]
  return user.try('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow })
}

/** Replaces the channel's name and ID in an answer and removes new IDs and times. */
function comparableAnswer({ status, body }: Answer, { name, id }: NamedChannel): unknown[] {
  const text = JSON.stringify(body, (key, value: unknown) =>
    ['queue_id', 'last_event_id', 'id', 'max_message_id', 'server_timestamp', 'timestamp'].includes(key) ? null : value,
  )
  return [
    status,
    text.replace(new RegExp(`\\b${id}\\b`, 'g'), String(MISSING_CHANNEL.id)).replaceAll(name, MISSING_CHANNEL.name),
  ]
}

async function idOf(user: TestUser, name: string): Promise<NamedChannel> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return { name, id: Number(streams.find((channel) => channel['name'] === name)?.['stream_id']) }
}

it.each(Object.entries(REQUESTS))('treats a hidden channel as missing when %s', async (_, way) => {
  const { owner, user } = await server().organization()
  const [member, former] = [await user('Mia Member'), await user('Fred Former')]
  const [guest, moderator] = [await user('Gus Guest', { role: 600 }), await user('Moe Moderator', { role: 300 })]
  await owner.subscribe(['plaza'])
  await owner.subscribe(['cabinet'], { invite_only: true, principals: [owner.id, former.id] })
  await owner.send('cabinet', 'x', 'hush')
  await owner.send('plaza', 'x', 'hello')
  await former.call('DELETE', '/users/me/subscriptions', { subscriptions: ['cabinet'] })
  const [plaza, cabinet] = [await idOf(owner, 'plaza'), await idOf(owner, 'cabinet')]
  for (const [actor, hidden] of [
    [member, cabinet],
    [moderator, cabinet],
    [former, cabinet],
    [guest, cabinet],
    [guest, plaza],
  ] as const) {
    expect(comparableAnswer(await way(actor, hidden), hidden)).toEqual(
      comparableAnswer(await way(actor, MISSING_CHANNEL), MISSING_CHANNEL),
    )
  }
})

it.each(Object.entries(REQUESTS))('does not treat a visible channel as missing when %s', async (_, way) => {
  const { owner } = await server().organization()
  await owner.subscribe(['cabinet'], { invite_only: true })
  const cabinet = await idOf(owner, 'cabinet')
  expect(comparableAnswer(await way(owner, cabinet), cabinet)).not.toEqual(
    comparableAnswer(await way(owner, MISSING_CHANNEL), MISSING_CHANNEL),
  )
})

it('finds a channel by ID in a narrow even if the ID is also the name of a hidden channel', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  await owner.subscribe(['plaza'])
  const plaza = await idOf(owner, 'plaza')
  await owner.send('plaza', 'x', 'hello')
  const before = await messagesOf(member, String(plaza.id))
  await owner.subscribe([String(plaza.id)], { invite_only: true })
  const after = await messagesOf(member, String(plaza.id))
  expect(after.body['messages']).toEqual(before.body['messages'])
  expect(after.body['messages']).toHaveLength(1)
})

it("keeps the sender's topic spelling if the existing topic with that name is hidden from the sender", async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  const protectedHistory = { invite_only: true, history_public_to_subscribers: false }
  await owner.subscribe(['cabinet'], protectedHistory)
  await owner.send('cabinet', 'Coup', 'hush')
  await owner.subscribe(['cabinet'], { principals: [member.id] })
  const sent = await member.send('cabinet', 'coup', 'hello')
  const { message } = await member.call('GET', `/messages/${sent}`)
  expect(message).toMatchObject({ subject: 'coup' })
})
