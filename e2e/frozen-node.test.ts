/*
 * One of two servers on a database freezes in the middle of what it does, again and again: the other one goes on within
 * three seconds, and the first one when it thaws. Nothing that was acknowledged is lost or there twice, whichever bus they have; nor
 * where the way from one of them to the bus is cut.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import { NatsServer, hasNatsServer } from '../server/src/testing/nats-server.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { TestUser, type Body } from '../server/src/testing/user.ts'
import { Relay } from './crash/relay.ts'
import { persist } from './crash/requests.ts'
import { ServerProcess, urlOf } from './crash/server-process.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const FREEZES = effort(12)
const WRITERS = 6
/** The longest that a frozen server may keep another one from writing. */
const MAX_STANDSTILL_MILLISECONDS = 3_000
/** A way that is cut is noticed by what is not answered: two pings, in nine seconds; the rest is what this machine may take. */
const NOTICED_MILLISECONDS = 30_000
/** By the bus it takes some milliseconds to take rights away; without, two seconds. */
const MAX_HEARD_MILLISECONDS = 1_500
const METRICS_TOKEN = 'a-token-of-the-metrics'
const TIMEOUT_MILLISECONDS = 600_000

it.each([['the database'] as const, ...(hasNatsServer ? [['a NATS server'] as const] : [])])(
  'lets the other server go on when one freezes, and loses and doubles nothing, with %s as the bus',
  async (bus) => {
    process.stdout.write(`frozen node test: seed ${SEED}, ${FREEZES} freezes, with ${bus}\n`)
    const random = new Random(SEED)
    const nats = bus === 'a NATS server' ? await NatsServer.start() : undefined
    const here = await startTestServer(environmentOf(nats?.url), { shared: true })
    const { owner } = await here.organization('Shared', { stringId: '' })
    await owner.subscribe(['general'])
    const node = await ServerProcess.start({ ...environmentOf(nats?.url), DATABASE_URL: urlOf(here.database) })
    const there = new TestUser(node.url, owner.host, owner.email, owner.apiKey, owner.id)
    const ending = new AbortController()
    try {
      await persist(there, 'GET', '/users/me', {}, { random: random.fork(), over: ending.signal })
      const acknowledged: string[] = []
      const failures: unknown[] = []
      const queue = await there.register({ event_types: ['message'] })
      // Each change of a setting holds the organization's lock from its first statement to its commit.
      const writing = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let turn = 0; !ending.signal.aborted; turn += 1) {
          const content = `There ${writer} ${turn}`
          const local = { queue_id: queue.id, local_id: `${writer} ${turn}` }
          const change = await there.try('PATCH', '/settings', { enter_sends: turn % 2 === 0 })
          // Sent again until it is acknowledged, under the same local id.
          let answer = await there.try('POST', '/messages', message(content, local))
          while (answer.status === 503) answer = await there.try('POST', '/messages', message(content, local))
          if (answer.status === 200) acknowledged.push(content)
          for (const { status, body } of [change, answer]) if (status !== 200 && status !== 503) failures.push(body)
        }
      })
      const standstills: number[] = []
      for (let freeze = 0; freeze < FREEZES; freeze += 1) {
        const before = acknowledged.length
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before)
        await sleep(random.between(0, 40))
        node.signal('SIGSTOP')
        const began = performance.now()
        const content = `Here ${freeze}`
        const { status } = await owner.try('POST', '/messages', message(content, {}))
        expect(status).toBe(200)
        acknowledged.push(content)
        standstills.push(Math.round(performance.now() - began))
        node.signal('SIGCONT')
      }
      ending.abort()
      await Promise.all(writing)
      process.stdout.write(`frozen node test: the other server went on after ${standstills.join(', ')} ms\n`)
      expect(Math.max(...standstills)).toBeLessThanOrEqual(MAX_STANDSTILL_MILLISECONDS)
      expect(failures).toEqual([])
      const { rows } = await here.parley.database.pool.query<{ content: string }>('select content from messages')
      const stored = rows.map(({ content }) => content)
      const counted = new Map<string, number>()
      for (const content of stored) counted.set(content, (counted.get(content) ?? 0) + 1)
      expect(acknowledged.filter((content) => counted.get(content) !== 1)).toEqual([])
    } finally {
      ending.abort()
      node.signal('SIGCONT')
      await node.close()
      await here.close()
      await nats?.kill()
    }
    expect(node.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

it.skipIf(!hasNatsServer)(
  'tells a server whose way to the bus is cut everything within the look of a second, and takes rights away there too',
  async () => {
    const nats = await NatsServer.start()
    const relay = await Relay.to(nats.port)
    const here = await startTestServer(environmentOf(nats.url), { shared: true })
    const { owner, user } = await here.organization('Shared', { stringId: '' })
    const reader = await user('Rita Reader')
    await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
    const own = { DATABASE_URL: urlOf(here.database), PARLEY_METRICS_TOKEN: METRICS_TOKEN }
    const node = await ServerProcess.start({ ...environmentOf(`nats://127.0.0.1:${relay.port}`), ...own })
    const through = ({ host, email, apiKey, id }: TestUser): TestUser => new TestUser(node.url, host, email, apiKey, id)
    const [sendingEnds, readingEnds] = [new AbortController(), new AbortController()]
    const takes = async (name: string): Promise<number> => {
      const leaving = await user(name)
      await through(leaving).call('GET', '/users/me')
      const began = performance.now()
      await owner.call('DELETE', `/users/${leaving.id}`)
      const took = Math.round(performance.now() - began)
      expect(await through(leaving).try('GET', '/users/me')).toMatchObject({ body: { code: 'USER_DEACTIVATED' } })
      return took
    }
    try {
      await persist(through(owner), 'GET', '/users/me', {}, { random: new Random(SEED), over: sendingEnds.signal })
      await expect.poll(async () => isConnected(node)).toBe(true)
      const queue = await through(reader).register({ event_types: ['message'] })
      const sentAt = new Map<number, number>()
      const seen: { readonly id: number; readonly at: number }[] = []
      const sending = [owner, through(owner)].map(async (at, sender) => {
        for (let count = 0; !sendingEnds.signal.aborted; count += 1)
          sentAt.set(await at.send('general', 'cut off', `${sender} ${count}`), performance.now())
      })
      const reading = (async () => {
        while (!readingEnds.signal.aborted)
          for (const { message: sent } of await queue.next())
            seen.push({ id: Number((sent as Body)['id']), at: performance.now() })
      })()
      relay.cut()
      const took = [await takes('Cut off')]
      await expect.poll(async () => isConnected(node), { timeout: NOTICED_MILLISECONDS }).toBe(false)
      took.push(await takes('Still cut off'))
      relay.heal()
      await expect.poll(async () => isConnected(node), { timeout: NOTICED_MILLISECONDS }).toBe(true)
      const healed = await takes('Heard again')
      sendingEnds.abort()
      await Promise.all(sending)
      await expect.poll(() => seen.length).toBeGreaterThanOrEqual(sentAt.size)
      readingEnds.abort()
      // What is waited for is one more.
      sentAt.set(await owner.send('general', 'cut off', 'The last'), performance.now())
      await reading
      expect(seen.map(({ id }) => id)).toEqual([...sentAt.keys()].toSorted((a, b) => a - b))
      const latest = Math.round(Math.max(...seen.map(({ id, at }) => at - (sentAt.get(id) ?? at))))
      process.stdout.write(
        `cut off: ${seen.length} messages, the latest after ${latest} ms; rights after ${took.join(', ')} ms, ` +
          `and ${healed} ms when it was healed\n`,
      )
      expect(Math.max(latest, ...took)).toBeLessThanOrEqual(MAX_STANDSTILL_MILLISECONDS)
      expect(healed).toBeLessThan(MAX_HEARD_MILLISECONDS)
    } finally {
      sendingEnds.abort()
      readingEnds.abort()
      await node.close()
      await here.close()
      await relay.close()
      await nats.kill()
    }
    expect(node.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

function environmentOf(busUrl: string | undefined): Record<string, string> {
  // Where the database is, is told to the servers of tests in another way.
  const bus: Record<string, string> = busUrl === undefined ? {} : { BUS_URL: busUrl, DATABASE_URL: 'postgres:///' }
  return { PARLEY_LOG_LEVEL: 'silent', ...bus }
}

async function isConnected({ url }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return /^parley_bus_connected 1$/m.test(await answer.text())
}

function message(content: string, more: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return { type: 'stream', to: 'general', topic: 'freezing', content, ...more }
}
