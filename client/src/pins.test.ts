import { expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { ALL_CAPABILITIES, type TestQueue, type TestUser } from '../../server/src/testing/user.ts'
import { fold } from './fold.ts'
import type { ClientState } from './types.ts'

const server = useTestServer()

const REGISTRATION_FORM = {
  client_capabilities: { ...ALL_CAPABILITIES, channel_pins: true },
  event_types: ['channel_pins'],
}

type LoadedPins = NonNullable<ClientState['channel_pins']>

interface Reader {
  readonly user: TestUser
  readonly queue: TestQueue
  readonly channels: readonly number[]
  readonly state: ClientState
}

async function loadPins(user: TestUser, channels: readonly number[]): Promise<LoadedPins> {
  const loaded: LoadedPins = {}
  for (const id of channels) {
    const { pins, links } = await user.call('GET', `/streams/${id}/pins`, { allow_empty_topic_name: true })
    loaded[id] = { pins, links }
  }
  return loaded
}

async function startReading(user: TestUser, channels: readonly number[]): Promise<Reader> {
  const queue = await user.register(REGISTRATION_FORM)
  return { user, queue, channels, state: { channel_pins: await loadPins(user, channels) } }
}

async function applyEvents({ user, queue, channels, state }: Reader): Promise<void> {
  for (const event of await queue.events()) fold(state, event, { includeSubscribers: false })
  expect(state['channel_pins']).toEqual(await loadPins(user, channels))
}

it('keeps loaded pins and links current as people pin, move, and delete messages', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob, lara] = [await user('Ann'), await user('Bob'), await user('Lara Latecomer')]
  await owner.subscribe(['plans', 'ideas'], { principals: [owner.id, ann.id] })
  const secrecy = { invite_only: true, history_public_to_subscribers: false }
  await owner.subscribe(['secret'], { principals: [owner.id, ann.id], ...secrecy })
  const idOf = async (stream: string): Promise<number> =>
    (await ann.call('GET', '/get_stream_id', { stream })).stream_id
  const [plans, ideas, secret] = [await idOf('plans'), await idOf('ideas'), await idOf('secret')]
  const early = await ann.send('secret', 'a', 'Early')
  await owner.subscribe(['secret'], { principals: [lara.id] })
  const late = await ann.send('secret', 'a', 'Late')
  const sent = [await ann.send('plans', 'a', '1'), await ann.send('plans', 'a', '2'), await ann.send('plans', '', '3')]
  const [one = 0, two = 0, three = 0] = sent
  const pin = async (channel: number, message_id: number, scope = 'channel'): Promise<unknown> =>
    ann.call('POST', `/streams/${channel}/pins`, { message_id, scope })
  const move = async (id: number, to: object): Promise<unknown> => owner.call('PATCH', `/messages/${id}`, { ...to })
  const addLink = async (title: string): Promise<number> =>
    (await ann.call('POST', `/streams/${plans}/links`, { title, url: '/#recent' })).link_id
  await pin(plans, one)
  const first = await addLink('First')
  const readers = [
    await startReading(ann, [plans, ideas, secret]),
    await startReading(bob, [plans, ideas]),
    await startReading(lara, [plans, ideas, secret]),
  ]
  const second = await addLink('Second')
  const operations: readonly (() => Promise<unknown>)[] = [
    async () =>
      Promise.all([pin(secret, early), pin(secret, late, 'topic'), pin(plans, two, 'topic'), pin(plans, three)]),
    async () => pin(plans, one, 'topic'),
    async () => move(one, { topic: 'B', propagate_mode: 'change_all' }),
    async () => move(two, { stream_id: ideas }),
    async () => move(early, { topic: 'b', propagate_mode: 'change_all' }),
    async () => ann.call('PATCH', `/streams/${plans}/links`, { order: [second, first] }),
    async () => ann.call('PATCH', `/streams/${plans}/links/${first}`, { title: 'Changed' }),
    async () => ann.call('DELETE', `/streams/${plans}/links/${second}`),
    async () => move(three, { stream_id: secret }),
    async () => owner.call('DELETE', `/messages/${one}`),
    async () => ann.call('DELETE', `/streams/${ideas}/pins/${two}`),
    async () => owner.call('POST', `/streams/${secret}/delete_topic`, { topic_name: 'b' }),
  ]
  for (const [index, operate] of operations.entries()) {
    await operate()
    // Some clients receive several events together.
    for (const [number, reader] of readers.entries()) if (index % (number + 1) === 0) await applyEvents(reader)
  }
  for (const reader of readers) await applyEvents(reader)
  const counts = readers.map(({ state }) => Object.values(state['channel_pins'] ?? {}).map(({ pins }) => pins.length))
  expect(counts).toEqual([
    [0, 0, 1],
    [0, 0],
    [0, 0, 1],
  ])
})
