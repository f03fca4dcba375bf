/*
 * Two servers on a NATS bus that dies, freezes, starts late, or carries messages of other programs. Events can be
 * delayed, but never lost.
 */
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NatsServer, hasNatsServer } from '../server/src/testing/nats-server.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../server/src/testing/server.ts'
import { TestUser, type Body } from '../server/src/testing/user.ts'

/** Silences log messages about the intended connection losses. */
const SILENT_LOG = { PARLEY_LOG_LEVEL: 'silent' }
/** Without a bus, a node polls every second. The remaining time allows for slow machines. */
const MAX_LATENCY_MILLISECONDS = 3_000
const ORGANIZATIONS = 60

let nats: NatsServer
let first: TestServer
let second: TestServer

function environmentOf({ url }: NatsServer): Record<string, string> {
  // BUS_URL requires DATABASE_URL, whose value test servers ignore.
  return { ...SILENT_LOG, BUS_URL: url, DATABASE_URL: 'postgres:///' }
}

function userAt(node: TestServer, { host, email, apiKey, id }: TestUser): TestUser {
  return new TestUser(node.parley.url, host, email, apiKey, id)
}

async function waitForBus(is: boolean): Promise<void> {
  await expect.poll(() => [first, second].map(({ parley }) => parley.logs.bus.isConnected)).toEqual([is, is])
}

async function createPair(): Promise<{ owner: TestUser; reader: TestUser; id: number }> {
  const { id, owner, user } = await first.organization()
  const reader = await user('Rita Reader')
  await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
  return { id, owner, reader: userAt(second, reader) }
}

describe.skipIf(!hasNatsServer)('NATS bus', () => {
  beforeAll(async () => {
    nats = await NatsServer.away()
    const environment = environmentOf(nats)
    first = await startTestServer(environment, { shared: true })
    second = await startTestServerOn(first.database, environment, { shared: true })
  })
  afterAll(async () => {
    await second.close()
    await first.close()
    await nats.kill()
  })

  it('starts while the bus is down, reports the outage, and connects later', async () => {
    const { owner, reader } = await createPair()
    await waitForBus(false)
    const queue = await reader.register({ event_types: ['message', 'typing'] })
    const id = await owner.send('general', 'early', 'Before the bus')
    expect(await queue.next()).toMatchObject([{ message: { id } }])
    // Without a bus, a node still delivers its own ephemeral events.
    const here = await userAt(first, reader).register({ event_types: ['typing'] })
    await owner.call('POST', '/typing', { op: 'start', to: [reader.id] })
    expect(await here.next()).toMatchObject([{ type: 'typing', op: 'start' }])
    const { findings } = await owner.call('GET', '/server_health')
    expect(findings.filter(({ what }) => what === 'bus_away')).toHaveLength(1)
    await nats.begin()
    await waitForBus(true)
    await owner.call('POST', '/typing', { op: 'stop', to: [reader.id] })
    expect(await queue.next()).toMatchObject([{ type: 'typing', op: 'stop' }])
    expect(await here.next()).toMatchObject([{ type: 'typing', op: 'stop' }])
  })

  it.each([
    ['is killed and restarts', async () => nats.kill(), async () => nats.begin()],
    [
      'freezes and thaws',
      async () => Promise.resolve(nats.signal('SIGSTOP')),
      async () => Promise.resolve(nats.signal('SIGCONT')),
    ],
  ])('loses no event while the bus %s, and delivers each event within seconds', async (_, lose, comeBack) => {
    await waitForBus(true)
    const { owner, reader } = await createPair()
    const queue = await reader.register({ event_types: ['message'] })
    const sentAt = new Map<number, number>()
    const seen: { readonly id: number; readonly at: number }[] = []
    const [sendingEnds, readingEnds] = [new AbortController(), new AbortController()]
    const sending = [1, 2, 3].map(async (writer) => {
      for (let count = 0; !sendingEnds.signal.aborted; count += 1) {
        const id = await owner.send('general', 'load', `${writer} ${count}`)
        sentAt.set(id, performance.now())
      }
    })
    const reading = (async () => {
      while (!readingEnds.signal.aborted) {
        for (const { message } of await queue.next())
          if (message !== undefined) seen.push({ id: message.id, at: performance.now() })
      }
    })()
    const more = async (): Promise<void> => {
      const before = seen.length
      await expect.poll(() => seen.length).toBeGreaterThan(before + 20)
    }
    for (let round = 0; round < 3; round += 1) {
      await more()
      await lose()
      await more()
      // Organizations that load during the outage do not wait for the bus.
      const late = await createPair()
      await late.owner.send('general', 'late', 'Without a bus')
      await comeBack()
    }
    await more()
    sendingEnds.abort()
    await Promise.all(sending)
    await expect.poll(() => seen.length).toBe(sentAt.size)
    readingEnds.abort()
    // The reader's poll returns only when another message arrives.
    const last = await owner.send('general', 'load', 'The last')
    sentAt.set(last, performance.now())
    await reading
    expect(seen.map(({ id }) => id)).toEqual([...sentAt.keys()].toSorted((a, b) => a - b))
    const latest = Math.max(...seen.map(({ id, at }) => at - (sentAt.get(id) ?? at)))
    process.stdout.write(`bus: ${seen.length} messages, the latest was there after ${Math.round(latest)} ms\n`)
    expect(latest).toBeLessThan(MAX_LATENCY_MILLISECONDS)
    await waitForBus(true)
  })

  it('receives events of every loaded organization and loads no other organizations', async () => {
    await waitForBus(true)
    const watching = await connect({ port: nats.port })
    const subjects = new Set<string>()
    watching.subscribe('parley.>', { callback: (_, { subject }) => void subjects.add(subject) })
    await watching.flush()
    const users = []
    for (let count = 0; count < ORGANIZATIONS; count += 1) users.push((await createPair()).reader)
    const queues = await Promise.all(users.map(async (user) => user.register({ event_types: ['message'] })))
    const waiting = queues.map(async (queue) => queue.next())
    await expect.poll(() => second.parley.queues.count().parked).toBe(ORGANIZATIONS)
    const unheard = await first.organization()
    const before = second.parley.logs.bus.received
    const ids = await Promise.all(users.map(async (user) => userAt(first, user).send('general', 'all', 'Hello')))
    const events = await Promise.all(waiting)
    expect(events.map(([event]) => event?.message?.id)).toEqual(ids)
    expect(second.parley.logs.bus.received - before).toBeGreaterThanOrEqual(ORGANIZATIONS)
    await unheard.owner.subscribe(['general'])
    const subjectOf = (id: number): RegExp => new RegExp(`^parley\\.\\d+-\\d+\\.${id}$`)
    await expect.poll(() => [...subjects].some((subject) => subjectOf(unheard.id).test(subject))).toBe(true)
    expect(new Set([...subjects].map((subject) => subject.split('.')[1])).size).toBe(1)
    expect(second.parley.logs.loaded().some(({ organization }) => organization.id === unheard.id)).toBe(false)
    await watching.close()
  })

  it("ignores messages of other programs on the server's NATS subjects", async () => {
    await waitForBus(true)
    const { id, owner, reader } = await createPair()
    // The first message of a channel causes an additional event.
    await owner.send('general', 'foreign', 'The first')
    const queue = await reader.register()
    const other = await connect({ port: nats.port })
    let subject = ''
    other.subscribe(`parley.*.${id}`, { callback: (_, message) => void (subject = message.subject) })
    await other.flush()
    await owner.call('POST', '/typing', { op: 'start', to: [reader.id] })
    expect(await queue.next()).toMatchObject([{ type: 'typing' }])
    await expect.poll(() => subject).not.toBe('')
    const audience = { users: [reader.id] }
    const said = { position: 1, type: 'message', audience, payload: { content: 'From nobody' } }
    const foreign = [
      '',
      'hello',
      '{',
      'null',
      '[]',
      '{}',
      '{"committed":"1"}',
      '{"committed":-1}',
      '{"committed":1e300}',
      `{"committed":${Number.MAX_SAFE_INTEGER}}`,
      '{"removed":"yes"}',
      '{"ephemeral":{}}',
      JSON.stringify({ ephemeral: said }),
      JSON.stringify({ ephemeral: { ...said, type: 'realm_user/update' } }),
      JSON.stringify({ ephemeral: { ...said, type: 'nothing/known' } }),
      JSON.stringify({ ephemeral: { ...said, type: 'typing/start', audience: 'all' } }),
      JSON.stringify({ ephemeral: { ...said, type: 'typing/start', audience: { users: 'all' } } }),
      JSON.stringify({ ephemeral: { ...said, type: 'typing/start', payload: null } }),
      'x'.repeat(900_000),
      '['.repeat(100_000),
    ]
    const before = second.parley.logs.bus.received
    for (const text of foreign) other.publish(subject, text)
    await other.flush()
    await expect.poll(() => second.parley.logs.bus.received).toBeGreaterThanOrEqual(before + foreign.length)
    const sent = await owner.send('general', 'foreign', 'Still here')
    const events: Body[] = []
    while (events.every(({ type }) => type !== 'message')) events.push(...(await queue.next()))
    expect(events.filter(({ type }) => type === 'message')).toMatchObject([{ message: { id: sent } }])
    expect(events.filter(({ type }) => !['message', 'typing'].includes(String(type)))).toEqual([])
    await other.close()
  })
})
