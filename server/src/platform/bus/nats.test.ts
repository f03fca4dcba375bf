import { describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '../../kernel/transaction.ts'
import { hasNatsServer, NatsServer } from '../../testing/nats-server.ts'
import type { Bus, BusListener, PublishedEvent } from './bus.ts'
import { natsBus, findBusProblem } from './nats.ts'
import { parseBusServers } from './nats-servers.ts'

const ORGANIZATION = 7

interface TestListener {
  readonly bus: Bus
  readonly errors: string[]
  readonly heard: unknown[]
}

function listenAt(url: string, database = 'one-1'): TestListener {
  const [errors, heard]: [string[], unknown[]] = [[], []]
  const rows: Db['rows'] = async <Row>() => Promise.resolve([{ name: database }] as Row[])
  const hearing: BusListener = {
    committed: (organizationId, position) => heard.push({ organizationId, position }),
    removed: (organizationId) => heard.push({ organizationId, removed: true }),
    ephemeral: (published) => heard.push(published),
    nodeMessage: () => undefined,
    connected: () => undefined,
  }
  const onBack = (): unknown => errors.push('back')
  const bus = natsBus({ url, reads: { rows }, onError: ({ message }) => errors.push(message), onBack })(hearing)
  onTestFinished(async () => bus.close())
  return { bus, errors, heard }
}

async function serverWith(...more: string[]): Promise<NatsServer> {
  const server = await NatsServer.start(...more)
  onTestFinished(async () => server.kill())
  return server
}

function typingEvent(organizationId: number, count: number): PublishedEvent {
  return { organizationId, position: 1, type: 'typing/start', audience: { users: [1] }, payload: { count } }
}

describe.skipIf(!hasNatsServer)('NATS bus', () => {
  it('notifies only servers that follow the organization and share the database', async () => {
    const { url } = await serverWith()
    const [here, there, elsewhere] = [listenAt(url), listenAt(url), listenAt(url, 'two-2')]
    for (const { bus } of [here, there, elsewhere]) await bus.follow(ORGANIZATION)
    here.bus.committed(ORGANIZATION + 1, 5)
    here.bus.committed(ORGANIZATION, 6)
    here.bus.ephemeral(typingEvent(ORGANIZATION, 0))
    await here.bus.removed(ORGANIZATION)
    const all = [
      { organizationId: ORGANIZATION, position: 6 },
      typingEvent(ORGANIZATION, 0),
      { organizationId: ORGANIZATION, removed: true },
    ]
    await expect.poll(() => [here.heard, there.heard]).toEqual([all, all])
    there.bus.unfollow(ORGANIZATION)
    here.bus.committed(ORGANIZATION, 7)
    await expect.poll(() => here.heard).toHaveLength(4)
    expect([there.heard.length, elsewhere.heard]).toEqual([3, []])
    expect(here.bus.report).toEqual({ kind: 'nats', isConnected: true, sent: 5, received: 4 })
  })

  it('delivers ephemeral events in publishing order', async () => {
    const { url } = await serverWith()
    const [here, there] = [listenAt(url), listenAt(url)]
    await there.bus.follow(ORGANIZATION)
    await here.bus.follow(ORGANIZATION)
    const events = Array.from({ length: 2_000 }, (_, count) => typingEvent(ORGANIZATION, count))
    for (const event of events) here.bus.ephemeral(event)
    await expect.poll(() => [here.heard.length, there.heard.length]).toEqual([events.length, events.length])
    expect(there.heard).toEqual(events)
    expect(here.heard).toEqual(events)
  })

  it('sends messages queued before the bus connects, even if the bus is closed immediately', async () => {
    const { url } = await serverWith()
    const there = listenAt(url)
    await there.bus.follow(ORGANIZATION)
    const command = listenAt(url)
    command.bus.committed(ORGANIZATION, 8)
    await command.bus.close()
    await expect.poll(() => there.heard).toEqual([{ organizationId: ORGANIZATION, position: 8 }])
  })

  it('reports a rejected login once, without the password', async () => {
    const server = await serverWith('--user', 'parley', '--pass', 'open: sesame@')
    const wrong = `nats://parley:swordfish@127.0.0.1:${server.port}`
    const { bus, errors } = listenAt(wrong)
    await bus.follow(ORGANIZATION)
    await expect.poll(() => errors).toEqual([`the bus at 127.0.0.1:${server.port} rejects the login in BUS_URL`])
    expect(bus.report.isConnected).toBe(false)
    expect(await findBusProblem(wrong)).toBe(errors[0])
    expect(await findBusProblem(`nats://parley:open%3A%20sesame%40@127.0.0.1:${server.port}`)).toBeUndefined()
    // Every retry failed, but the error is reported only once.
    await server.kill()
    await expect.poll(() => errors.length).toBe(2)
    expect(errors[1]).toMatch(`the bus at 127.0.0.1:${server.port} is unreachable`)
    expect(errors.join()).not.toContain('swordfish')
  })

  it('reports each outage and recovery once', async () => {
    const server = await serverWith()
    const { bus, errors, heard } = listenAt(server.url)
    await bus.follow(ORGANIZATION)
    expect(errors).toEqual([])
    await server.kill()
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    await server.begin()
    await expect.poll(() => errors.at(-1)).toBe('back')
    expect(new Set(errors).size).toBe(errors.length)
    bus.committed(ORGANIZATION, 9)
    await expect.poll(() => heard).toEqual([{ organizationId: ORGANIZATION, position: 9 }])
  })

  it('authenticates to NATS with a token', async () => {
    const server = await serverWith('--auth', 'open sesame')
    expect(await findBusProblem(`nats://open%20sesame@127.0.0.1:${server.port}`)).toBeUndefined()
    expect(await findBusProblem(server.url)).toContain('rejects the login')
  })

  it('rejects an unencrypted server when TLS is required', async () => {
    const server = await serverWith()
    expect(await findBusProblem(server.url.replace('nats:', 'tls:'))).toContain('is unreachable')
  })

  it('connects to the reachable server of a cluster', async () => {
    const server = await serverWith()
    const away = await NatsServer.away()
    expect(await findBusProblem(`${away.url}, ${server.url}`)).toBeUndefined()
    expect(await findBusProblem(away.url)).toContain('is unreachable')
  })
})

it('parses the servers, credentials, and TLS of a bus URL', () => {
  expect(parseBusServers('nats://bus.example.org')).toEqual({
    options: { servers: ['bus.example.org'] },
    name: 'bus.example.org',
  })
  expect(parseBusServers('tls://a%40b:c%3Ad:e@one:4222,tls://a%40b:c%3Ad:e@[::1]:4223')).toEqual({
    options: { servers: ['one:4222', '[::1]:4223'], user: 'a@b', pass: 'c:d:e', tls: {} },
    name: 'one:4222, [::1]:4223',
  })
})

it.each([
  '',
  'bus.example.org',
  'http://bus.example.org',
  'nats://',
  'nats://:4222',
  'nats://bus.example.org:port',
  'nats://bus.example.org:99999',
  'nats://bus.example.org/path',
  'nats://a:%zz@bus.example.org',
  'nats://one,,nats://two',
  'nats://one,tls://two',
  'nats://a:b@one,nats://two',
])('rejects an invalid bus URL without revealing its password: %s', (text) => {
  expect(() => parseBusServers(text)).toThrow(/^must be (?:a URL like nats:|URLs with the same login)/)
})
