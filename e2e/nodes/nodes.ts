import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_BUFFERED_CHARACTERS } from '../../server/src/platform/queues/queue.ts'
import { makeDue, FAR_FUTURE_SECONDS } from '../../server/src/testing/age.ts'
import {
  startTestServer,
  startTestServerOn,
  type TestOrganization,
  type TestServer,
} from '../../server/src/testing/server.ts'
import { hasNatsServer, NatsServer } from '../../server/src/testing/nats-server.ts'
import type { ReceivedEvent } from '../../server/src/testing/contract-types.ts'
import { isObject } from '../../server/src/testing/json.ts'
import { TestUser, type Body } from '../../server/src/testing/user.ts'

/** Connections on which the two servers receive each other's notifications. */
const BUS_CONNECTIONS_SQL = `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`

// Silences log messages about the intended connection losses.
const ENVIRONMENT = { PARLEY_LOG_LEVEL: 'silent' }

let first: TestServer
let second: TestServer
let admin: pg.Client
/** Undefined if the servers use the database as the bus. */
let nats: NatsServer | undefined
let environment: Record<string, string>

async function startBothNodes(bus: Bus): Promise<void> {
  nats = bus === 'NATS' ? await NatsServer.start() : undefined
  // BUS_URL requires DATABASE_URL, whose value test servers ignore.
  const more: Record<string, string> = nats === undefined ? {} : { BUS_URL: nats.url, DATABASE_URL: 'postgres:///' }
  environment = { ...ENVIRONMENT, ...more }
  // Creates the database and the first server.
  first = await startTestServer(environment, { shared: true })
  second = await startTestServerOn(first.database, environment, { shared: true })
  admin = new pg.Client(first.database)
  await admin.connect()
}

async function closeBothNodes(): Promise<void> {
  await admin.end()
  await second.close()
  await first.close()
  await nats?.kill()
}

/** Disconnects both servers from the bus, once both are connected. */
async function disconnectFromBus(): Promise<void> {
  const listeners = async (): Promise<number | null> =>
    nats === undefined ? (await admin.query(BUS_CONNECTIONS_SQL)).rowCount : 2
  await expect.poll(listeners).toBe(2)
  await expect.poll(() => [first, second].every(({ parley }) => parley.logs.bus.isConnected)).toBe(true)
  if (nats === undefined) {
    await admin.query(`select pg_terminate_backend(pid) from (${BUS_CONNECTIONS_SQL}) as listeners`)
  } else {
    await nats.kill()
    await nats.begin()
  }
}

/** The same user at another server. */
function userAt(node: TestServer, { host, email, apiKey, id }: TestUser): TestUser {
  return new TestUser(node.parley.url, host, email, apiKey, id)
}

async function createOwnerAndReader(): Promise<{ organization: TestOrganization; owner: TestUser; reader: TestUser }> {
  const organization = await first.organization()
  const reader = await organization.user('Rita Reader')
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, reader.id] })
  return { organization, owner: organization.owner, reader }
}

async function poll(user: TestUser, queueId: string, lastEventId: number, block = true): Promise<ReceivedEvent[]> {
  const parameters = { queue_id: queueId, last_event_id: lastEventId, dont_block: !block }
  const { events } = await user.call('GET', '/events', parameters)
  return events
}

function messageIds(events: readonly ReceivedEvent[]): number[] {
  return events.flatMap(({ type, message }) => (type === 'message' && message !== undefined ? [message.id] : []))
}

async function waitForParkedPolls(node: TestServer, count: number): Promise<void> {
  await expect.poll(() => node.parley.queues.count().parked).toBe(count)
}

/** Transport of notifications about commits. */
export type Bus = 'LISTEN and NOTIFY' | 'NATS'

export function describeNodes(bus: Bus): void {
  describe.skipIf(bus === 'NATS' && !hasNatsServer)(`two servers with ${bus}`, () => {
    beforeAll(async () => startBothNodes(bus))
    afterAll(closeBothNodes)
    testQueues()
    testQueueEnds()
    testSends()
    testLostBus()
    testJobs()
    testPresence()
    testSharedPolls()
  })
}

function testQueues(): void {
  it('wakes a poll that waits at the other server', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const queue = await userAt(second, reader).register({ event_types: ['message'] })
    const waiting = queue.next()
    await waitForParkedPolls(second, 1)
    const id = await owner.send('general', 'hello', 'Anybody there?')
    expect(messageIds(await waiting)).toEqual([id])
  })

  it('continues a queue at the other server without gaps or repeats', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const { id, state } = await reader.register({ event_types: ['message'] })
    let last = state['last_event_id']
    const sent: number[] = []
    const seen: unknown[] = []
    for (let round = 0; round < 12; round += 1) {
      const from = userAt(round % 3 === 0 ? second : first, owner)
      for (let count = 0; count < 3; count += 1) sent.push(await from.send('general', 'rounds', `${round}.${count}`))
      const events = await poll(userAt(round % 2 === 0 ? second : first, reader), id, last)
      for (const event of events) {
        expect(event.id).toBeGreaterThan(last)
        last = event.id
      }
      seen.push(...messageIds(events))
      // A server can answer with the events that it already has; the next poll returns the rest.
    }
    while (seen.length < sent.length) {
      const events = await poll(reader, id, last)
      last = Number(events.at(-1)?.['id'])
      seen.push(...messageIds(events))
    }
    expect(seen).toEqual(sent)
  })

  it('resends no events acknowledged at the other server when the buffer is full', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const queue = await reader.register({ event_types: ['message'] })
    const sent: number[] = []
    const long = 'x'.repeat(MAX_BUFFERED_CHARACTERS / 60)
    while (sent.length < 72) {
      sent.push(...(await Promise.all(Array.from({ length: 8 }, () => owner.send('general', 'flood', long)))))
    }
    // All events are read through the second server, while the first server fills its buffer without noticing.
    const seen: unknown[] = []
    let last = -1
    while (seen.length < sent.length) {
      const events = await poll(userAt(second, reader), queue.id, last)
      last = Number(events.at(-1)?.['id'])
      seen.push(...messageIds(events))
    }
    expect(seen).toEqual(sent.toSorted((a, b) => a - b))
    expect(await poll(reader, queue.id, last, false)).toEqual([])
    const next = await owner.send('general', 'flood', 'One more')
    expect(messageIds(await poll(reader, queue.id, last))).toEqual([next])
  })
}

function testQueueEnds(): void {
  it('keeps a queue that only the other server has used recently', async () => {
    const IDLE_SECONDS = 5
    const { owner, reader } = await createOwnerAndReader()
    const soonIdle = { ...environment, PARLEY_QUEUE_IDLE_SECONDS: String(IDLE_SECONDS) }
    const [here, there] = await Promise.all(
      [0, 1].map(async () => startTestServerOn(first.database, soonIdle, { shared: true })),
    )
    if (here === undefined || there === undefined) throw new Error('two servers were started')
    const [idle, busy] = [userAt(here, reader), userAt(there, reader)]
    const [used, unused] = [await idle.register({ event_types: ['message'] }), await idle.register()]
    const isStored = async (queueId: string): Promise<boolean> => {
      const rows = await first.parley.database.kysely
        .selectFrom('queues')
        .select('id')
        .where('id', '=', queueId)
        .execute()
      return rows.length > 0
    }
    // The unused queue expires, while the other queue is polled continuously.
    await expect
      .poll(
        async () => {
          await poll(busy, used.id, -1, false)
          await there.parley.queues.sweep()
          await here.parley.queues.sweep()
          return isStored(unused.id)
        },
        { interval: 100 },
      )
      .toBe(false)
    const id = await owner.send('general', 'idle', 'Still there?')
    const events = await poll(idle, used.id, -1)
    expect(messageIds(events)).toEqual([id])
    const refused = await idle.try('GET', '/events', { queue_id: unused.id, last_event_id: -1 })
    expect(refused.body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    // A queue deleted at one server also ends at the other.
    const waiting = busy.try('GET', '/events', { queue_id: used.id, last_event_id: events.at(-1)?.['id'] })
    await waitForParkedPolls(there, 1)
    await idle.call('DELETE', '/events', { queue_id: used.id })
    await there.parley.queues.sweep()
    expect((await waiting).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    await there.close()
    await here.close()
  })

  it("rejects a user deactivated at the other server, and ends that user's waiting poll", async () => {
    const { owner, reader } = await createOwnerAndReader()
    const there = userAt(second, reader)
    const queue = await there.register()
    const waiting = there.try('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId })
    await waitForParkedPolls(second, 1)
    await owner.call('DELETE', `/users/${reader.id}`)
    expect((await waiting).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect((await there.try('GET', '/users/me')).body).toMatchObject({ code: 'USER_DEACTIVATED' })
  })
}

function testSends(): void {
  it('sends a message once when both servers get the same local ID', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const { id: queueId } = await owner.register({ event_types: ['message'] })
    const both = [owner, userAt(second, owner)]
    const ids: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const localId = { queue_id: queueId, local_id: `${round}` }
      const answers = await Promise.all(
        both.map((sender) => sender.send('general', 'twice', `Round ${round}`, localId)),
      )
      expect(new Set(answers).size).toBe(1)
      ids.push(...new Set(answers))
    }
    const narrow = [{ operator: 'topic', operand: 'twice' }]
    const { messages } = await reader.call('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow,
    })
    expect(messages.map((message) => message.id)).toEqual(ids)
  })

  it('sends a message once when both servers get the same idempotency key', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const queue = await reader.register({ event_types: ['message'] })
    const both = [owner, userAt(second, owner)]
    const ids: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const key = { idempotency_key: `${round}` }
      const sends = [...both, ...both].map((sender) => sender.send('general', 'keys', `Round ${round}`, key))
      const answers = await Promise.all(sends)
      expect(new Set(answers).size).toBe(1)
      ids.push(...new Set(answers))
      const other = { type: 'channel', to: 'general', topic: 'keys', content: 'Something else', ...key }
      const sender = round % 2 === 0 ? owner : userAt(second, owner)
      const { status, body } = await sender.try('POST', '/messages', other)
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    }
    const events: ReceivedEvent[] = []
    while (events.length < ids.length) events.push(...(await queue.next()))
    expect(messageIds([...events, ...(await queue.events())])).toEqual(ids)
  })
}

function testLostBus(): void {
  it("shows a new user's message even if the bus has not announced the user yet", async () => {
    const { organization, reader } = await createOwnerAndReader()
    const there = userAt(second, reader)
    await there.call('GET', '/users/me')
    for (let round = 0; round < 3; round += 1) {
      await disconnectFromBus()
      const stranger = await organization.user(`Stranger ${round}`)
      await stranger.subscribe(['general'])
      const id = await stranger.send('general', 'new', 'Hello')
      const { message } = await there.call('GET', `/messages/${id}`)
      expect(message).toMatchObject({ id, sender_full_name: `Stranger ${round}` })
    }
  })

  it('delivers messages after the bus connections are lost', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const queue = await userAt(second, reader).register({ event_types: ['message'] })
    for (let round = 0; round < 3; round += 1) {
      const waiting = queue.next()
      await waitForParkedPolls(second, 1)
      await disconnectFromBus()
      const id = await owner.send('general', 'deaf', `Round ${round}`)
      expect(messageIds(await waiting)).toEqual([id])
    }
  })
}

function testJobs(): void {
  it('sends a scheduled message once although both servers poll for it', async () => {
    const { organization, owner, reader } = await createOwnerAndReader()
    const queue = await userAt(second, reader).register({ event_types: ['message'], apply_markdown: false })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
    const ids: number[] = []
    const texts = Array.from({ length: 30 }, (_, index) => `Number ${index}`)
    for (const [index, content] of texts.entries()) {
      const { scheduled_message_id } = await userAt(index % 2 === 0 ? first : second, owner).call(
        'POST',
        '/scheduled_messages',
        { type: 'channel', to: stream_id, topic: 'later', content, scheduled_delivery_timestamp: FAR_FUTURE_SECONDS },
      )
      ids.push(scheduled_message_id)
    }
    await makeDue(first.database, 'scheduled_messages', organization.id, ids)
    const seen: ReceivedEvent[] = []
    while (seen.length < texts.length) seen.push(...(await queue.next()))
    await expect.poll(async () => (await owner.call('GET', '/scheduled_messages'))['scheduled_messages']).toEqual([])
    seen.push(...(await queue.events()))
    // Messages of the same second arrive in the order of scheduling.
    expect(seen.map(({ message }) => message?.content)).toEqual(texts)
  })
}

function testPresence(): void {
  it('delivers each typing event once per queue, at both servers', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const [here, there] = [
      await reader.register({ event_types: ['typing', 'message'] }),
      await userAt(second, reader).register({ event_types: ['typing', 'message'] }),
    ]
    const waiting = there.next()
    await waitForParkedPolls(second, 1)
    await owner.call('POST', '/typing', { op: 'start', to: [reader.id] })
    expect(await waiting).toMatchObject([{ type: 'typing', op: 'start', sender: { user_id: owner.id } }])
    await userAt(second, owner).call('POST', '/typing', { op: 'stop', to: [reader.id] })
    const seen: Body[] = []
    while (seen.length < 2) seen.push(...(await here.next()))
    expect(seen.map((event) => event['op'])).toEqual(['start', 'stop'])
    expect((await there.next()).map((event) => event['op'])).toEqual(['stop'])
    // A queue moved to the other server continues with higher IDs.
    const moved = poll(userAt(second, reader), here.id, here.lastEventId)
    await waitForParkedPolls(second, 1)
    await owner.call('POST', '/typing', { op: 'start', to: [reader.id] })
    const [event] = await moved
    expect(event).toMatchObject({ type: 'typing', op: 'start' })
    expect(Number(event?.['id'])).toBeGreaterThan(here.lastEventId)
  })

  it('reports a user as present at both servers, whichever server the user is connected to', async () => {
    const { owner, reader } = await createOwnerAndReader()
    const queue = await userAt(second, owner).register({ event_types: ['presence'] })
    const waiting = queue.next()
    await waitForParkedPolls(second, 1)
    await reader.call('POST', '/users/me/presence', { status: 'active', ping_only: true })
    const [event] = await waiting
    expect(event).toMatchObject({ type: 'presence', presences: { [reader.id]: {} } })
    const asked = { status: 'idle', last_update_id: -1 }
    const there = await userAt(second, owner).call('POST', '/users/me/presence', asked)
    const here = await owner.call('POST', '/users/me/presence', asked)
    expect(here['presences']).toEqual(there['presences'])
    expect(here['presences']).toMatchObject({ [reader.id]: {}, [owner.id]: {} })
    expect(here['presence_last_update_id']).toBe(there['presence_last_update_id'])
  })
}

function testSharedPolls(): void {
  it('polls all idle organizations with one statement per second', async () => {
    const LOOKS = 6
    for (let count = 0; count < 12; count += 1) {
      const { id } = await first.organization()
      await second.parley.logs.of(id)
    }
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const names = (): string[] =>
      query.mock.calls.flatMap(([asked]: unknown[]) =>
        isObject(asked) && typeof asked['name'] === 'string' ? [asked['name']] : [],
      )
    const looks = (): number => names().filter((name) => name.startsWith('together_')).length
    /** Statements outside the shared polls during several polls. Excludes message statistics, which run less often. */
    const askedAlone = async (): Promise<string[]> => {
      query.mockClear()
      await expect.poll(looks).toBeGreaterThanOrEqual(LOOKS)
      return names().filter((name) => /^(?:due|written|events)_/.test(name) && name !== 'due_counts')
    }
    try {
      // Waits until the creators of the organizations have been welcomed.
      await expect.poll(askedAlone, { timeout: 60_000 }).toEqual([])
    } finally {
      query.mockRestore()
    }
  })
}
