import { expect, it } from 'vitest'
import { capabilities } from '../../server/src/capabilities.ts'
import { eventName } from '../../server/src/kernel/event.ts'
import type { ReceivedEvent } from '../../server/src/testing/contract-types.ts'
import { effort } from '../../server/src/testing/effort.ts'
import { Random } from '../../server/src/testing/random.ts'
import {
  startTestServer,
  startTestServerOn,
  type TestOrganization,
  type TestServer,
} from '../../server/src/testing/server.ts'
import { TestQueue, TestUser } from '../../server/src/testing/user.ts'

/*
 * Ephemeral events reach every queue that existed when they were sent, exactly once and in order, even during
 * concurrent writes. In random organizations, clients register, poll, lose answers, and retry while others write.
 * Logged events arrive in between, and none are lost. PARLEY_EPHEMERAL_SEED repeats an organization.
 */

const GIVEN_SEED = process.env['PARLEY_EPHEMERAL_SEED']
const FIRST_SEED = Number(GIVEN_SEED ?? 1)
const ORGANIZATIONS = GIVEN_SEED === undefined ? effort(4) : 1
/** Smaller runs may not produce every event. */
const ENOUGH_ORGANIZATIONS = 4
/** Frequent heartbeats, because they also use event IDs. */
const FREQUENT_HEARTBEATS = { PARLEY_HEARTBEAT_SECONDS: '1' }
const STEPS_EACH = 50 + effort(100)
const MAX_LISTENERS = 16
const WRITERS = 3

const EPHEMERAL_EVENTS: readonly string[] = capabilities
  .flatMap(({ events }) => events.map(({ event }) => event))
  .filter(({ isEphemeral }) => isEphemeral === true)
  .map((event) => eventName(event))

const EVENT_TYPES = ['message', ...new Set(EPHEMERAL_EVENTS.map((name) => name.split('/')[0]))]

/** Extracts a value that distinguishes events of the same name. */
const DISTINGUISHING_VALUES: Readonly<Record<string, (event: ReceivedEvent) => unknown>> = {
  presence: ({ presences }) => Object.keys(presences ?? {})[0],
  'typing/start': ({ topic }) => topic,
  'typing/stop': ({ topic }) => topic,
  'typing_edit_message/start': ({ message_id }) => message_id,
  'typing_edit_message/stop': ({ message_id }) => message_id,
}

/** A queue and the events its client received. */
interface Listener {
  readonly queue: TestQueue
  /** Events sent before the registration started are optional; with a single server, they must not arrive. */
  readonly from: number
  /** Events sent after registration finished must arrive. */
  readonly to: number
  readonly told: string[]
  readonly messages: number[]
  heartbeats: number
}

/** An organization where users send ephemeral events while others write. */
class Stage {
  readonly #organization: TestOrganization
  readonly #writer: TestUser
  readonly #channelId: number
  /** Names and marks of the requested ephemeral events, in order. */
  readonly said: string[] = []
  readonly sent: number[] = []

  constructor(organization: TestOrganization, writer: TestUser, channelId: number) {
    this.#organization = organization
    this.#writer = writer
    this.#channelId = channelId
  }

  async write(): Promise<void> {
    this.sent.push(await this.#writer.send(this.#channelId, 'noise', 'Something else'))
  }

  async say(name: string): Promise<void> {
    const [type = '', op] = name.split('/')
    if (type === 'presence') {
      const newcomer = await this.#organization.user('New Comer')
      this.said.push(`${name} ${newcomer.id}`)
      await newcomer.call('POST', '/users/me/presence', { status: 'active', ping_only: true })
    } else if (type === 'typing') {
      const topic = `topic ${this.said.length}`
      this.said.push(`${name} ${topic}`)
      await this.#writer.call('POST', '/typing', { op, type: 'stream', stream_id: this.#channelId, topic })
    } else {
      const id = await this.#writer.send(this.#channelId, 'edited', 'To be edited')
      this.sent.push(id)
      this.said.push(`${name} ${id}`)
      await this.#writer.call('POST', `/messages/${id}/typing`, { op })
    }
  }
}

async function register(reader: TestUser, pollsAs: TestUser, stage: Stage): Promise<Listener> {
  const from = stage.said.length
  const { state } = await reader.register({ event_types: EVENT_TYPES, fetch_event_types: ['message'] })
  return { queue: new TestQueue(pollsAs, state), from, to: stage.said.length, told: [], messages: [], heartbeats: 0 }
}

/** Records events. `TestQueue` checks that their IDs increase. */
function recordEvents(listener: Listener, events: readonly ReceivedEvent[]): void {
  const { told, messages } = listener
  for (const event of events) {
    const name = eventName(event)
    if (name === 'heartbeat') listener.heartbeats += 1
    else if (name === 'message') messages.push(Number(event.message?.id))
    else told.push(`${name} ${String(DISTINGUISHING_VALUES[name]?.(event))}`)
  }
}

/** Waits until each queue has had a heartbeat. Later events must have higher IDs. */
async function waitForHeartbeats(listeners: readonly Listener[]): Promise<void> {
  const waiting = listeners.map(async (listener) => {
    const before = listener.heartbeats
    while (listener.heartbeats === before) recordEvents(listener, await listener.queue.next())
  })
  await Promise.all(waiting)
}

/** Polls and discards the answer, from the current event ID or an earlier one. */
async function pollAndDiscard({ queue }: Listener, isBack: boolean): Promise<void> {
  const lost = new TestQueue(queue.user, queue.state)
  lost.lastEventId = isBack ? Math.floor(queue.lastEventId / 2) : queue.lastEventId
  await lost.events()
}

async function step(random: Random, stage: Stage, listeners: Listener[], reader: TestUser, elsewhere: TestUser) {
  const chosen = random.next()
  if (listeners.length === 0 || (chosen < 0.2 && listeners.length < MAX_LISTENERS)) {
    const registering = register(reader, random.of([reader, elsewhere]), stage)
    if (random.chance(0.7)) await stage.say(random.of(EPHEMERAL_EVENTS))
    listeners.push(await registering)
  } else if (chosen < 0.6) {
    await stage.say(random.of(EPHEMERAL_EVENTS))
  } else {
    const listener = random.of(listeners)
    if (random.chance(0.6)) recordEvents(listener, await listener.queue.events())
    else await pollAndDiscard(listener, random.chance(0.5))
  }
}

/** More rounds than needed to deliver the last ephemeral event to every queue. */
const MAX_FINAL_ROUNDS = 50

/** Writes and polls until the listener has the last message and the last ephemeral event. */
async function receiveAll(listener: Listener, stage: Stage): Promise<void> {
  const { told, messages, queue } = listener
  for (let round = 0; round < MAX_FINAL_ROUNDS && told.at(-1) !== stage.said.at(-1); round += 1) {
    await stage.write()
    while (messages.at(-1) !== Math.max(...stage.sent)) recordEvents(listener, await queue.next())
  }
  while (messages.at(-1) !== Math.max(...stage.sent)) recordEvents(listener, await queue.next())
}

async function play(server: TestServer, other: TestServer, seed: number): Promise<ReadonlySet<string>> {
  const organization = await server.organization()
  const [reader, writer] = [await organization.user('Rita Reader'), await organization.user('Will Writer')]
  await writer.subscribe(['general'], { principals: [reader.id, writer.id] })
  const { stream_id } = await writer.call('GET', '/get_stream_id', { stream: 'general' })
  const { host, email, apiKey, id } = reader
  const elsewhere = new TestUser(other.parley.url, host, email, apiKey, id)
  // Makes the other server load the organization.
  await elsewhere.call('GET', '/users/me')
  const stage = new Stage(organization, writer, stream_id)
  const random = new Random(seed)
  const listeners: Listener[] = []
  const ended = new AbortController()
  const writing = Array.from({ length: WRITERS }, async () => {
    while (!ended.signal.aborted) await stage.write()
  })
  for (let count = 0; count < STEPS_EACH; count += 1) await step(random, stage, listeners, reader, elsewhere)
  ended.abort()
  await Promise.all(writing)
  await waitForHeartbeats(listeners)
  await stage.say('typing/stop')
  for (const listener of listeners) {
    await receiveAll(listener, stage)
    const { told, messages, queue, from, to } = listener
    expect([seed, told]).toEqual([seed, stage.said.slice(stage.said.length - told.length)])
    expect(told.length).toBeGreaterThanOrEqual(stage.said.length - to)
    // With several servers, earlier events may still be in transit.
    if (server === other) expect(told.length).toBeLessThanOrEqual(stage.said.length - from)
    const known = queue.state['max_message_id']
    expect([seed, messages]).toEqual([seed, stage.sent.filter((one) => one > known).toSorted((a, b) => a - b)])
  }
  return new Set(listeners.flatMap(({ told }) => told.map((one) => one.split(' ')[0] ?? '')))
}

async function playAll(first: TestServer, second: TestServer): Promise<string[]> {
  const told = new Set<string>()
  for (let index = 0; index < ORGANIZATIONS; index += 1) {
    for (const name of await play(first, second, FIRST_SEED + index)) told.add(name)
  }
  return ORGANIZATIONS < ENOUGH_ORGANIZATIONS ? EPHEMERAL_EVENTS.toSorted() : [...told].toSorted()
}

it('delivers ephemeral events to every queue once and in order', { timeout: 300_000 }, async () => {
  const server = await startTestServer(FREQUENT_HEARTBEATS)
  try {
    expect(await playAll(server, server)).toEqual(EPHEMERAL_EVENTS.toSorted())
  } finally {
    await server.close()
  }
})

it('delivers ephemeral events to clients that poll another server', { timeout: 300_000 }, async () => {
  const first = await startTestServer(FREQUENT_HEARTBEATS, { shared: true })
  const second = await startTestServerOn(first.database, FREQUENT_HEARTBEATS, { shared: true })
  try {
    expect(await playAll(first, second)).toEqual(EPHEMERAL_EVENTS.toSorted())
  } finally {
    await second.close()
    await first.close()
  }
})
