/* Repeats frozen-node.generated.test.ts with NATS as the bus, and tests a server whose connection to the bus is cut. */
import { expect, it } from 'vitest'
import { Random } from '../server/src/testing/random.ts'
import { NatsServer, hasNatsServer } from '../server/src/testing/nats-server.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { TestUser } from '../server/src/testing/user.ts'
import { Relay } from './crash/relay.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import { ServerProcess, databaseUrl } from './crash/server-process.ts'
import {
  serverEnvironment,
  expectOtherServerContinues,
  MAX_STANDSTILL_MILLISECONDS,
  RANDOM_SEED,
} from './freezing/freeze.ts'

const FREEZES = 10
/**
 * Two unanswered pings, nine seconds in total, reveal a cut connection. The remaining time allows for slow machines.
 */
const MAX_DETECTION_MILLISECONDS = 30_000
/** Revoking permissions takes milliseconds with a bus, and two seconds without. */
const MAX_REVOCATION_MILLISECONDS = 1_500
const METRICS_TOKEN = 'a-token-of-the-metrics'
const TIMEOUT_MILLISECONDS = 600_000

it.skipIf(!hasNatsServer)(
  'keeps one server working over NATS without losing messages while the other server is frozen',
  async () => {
    const nats = await NatsServer.start()
    try {
      await expectOtherServerContinues(FREEZES, nats.url)
    } finally {
      await nats.kill()
    }
  },
  TIMEOUT_MILLISECONDS,
)

it.skipIf(!hasNatsServer)(
  'delivers events and applies revocations in time on a server cut off from the bus',
  async () => {
    const nats = await NatsServer.start()
    const relay = await Relay.to(nats.port)
    const here = await startTestServer(serverEnvironment(nats.url), { shared: true })
    const { owner, user } = await here.organization('Shared', { stringId: '' })
    const reader = await user('Rita Reader')
    await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
    const own = { DATABASE_URL: databaseUrl(here.database), PARLEY_METRICS_TOKEN: METRICS_TOKEN }
    const node = await ServerProcess.start({ ...serverEnvironment(`nats://127.0.0.1:${relay.port}`), ...own })
    const userAt = ({ host, email, apiKey, id }: TestUser): TestUser => new TestUser(node.url, host, email, apiKey, id)
    const [sendingEnds, readingEnds] = [new AbortController(), new AbortController()]
    const takes = async (name: string): Promise<number> => {
      const leaving = await user(name)
      await userAt(leaving).call('GET', '/users/me')
      const began = performance.now()
      await owner.call('DELETE', `/users/${leaving.id}`)
      const took = Math.round(performance.now() - began)
      expect(await userAt(leaving).try('GET', '/users/me')).toMatchObject({ body: { code: 'USER_DEACTIVATED' } })
      return took
    }
    try {
      await retryUntilSuccess(
        userAt(owner),
        'GET',
        '/users/me',
        {},
        { random: new Random(RANDOM_SEED), over: sendingEnds.signal },
      )
      await expect.poll(async () => isConnected(node)).toBe(true)
      const queue = await userAt(reader).register({ event_types: ['message'] })
      const sentAt = new Map<number, number>()
      const seen: { readonly id: number; readonly at: number }[] = []
      const sending = [owner, userAt(owner)].map(async (at, sender) => {
        for (let count = 0; !sendingEnds.signal.aborted; count += 1)
          sentAt.set(await at.send('general', 'cut off', `${sender} ${count}`), performance.now())
      })
      const reading = (async () => {
        while (!readingEnds.signal.aborted)
          for (const { message: sent } of await queue.next())
            if (sent !== undefined) seen.push({ id: sent.id, at: performance.now() })
      })()
      relay.cut()
      const took = [await takes('Cut off')]
      await expect.poll(async () => isConnected(node), { timeout: MAX_DETECTION_MILLISECONDS }).toBe(false)
      took.push(await takes('Still cut off'))
      relay.heal()
      await expect.poll(async () => isConnected(node), { timeout: MAX_DETECTION_MILLISECONDS }).toBe(true)
      const healed = await takes('Heard again')
      sendingEnds.abort()
      await Promise.all(sending)
      await expect.poll(() => seen.length).toBeGreaterThanOrEqual(sentAt.size)
      readingEnds.abort()
      // The reader's poll returns only when another message arrives.
      sentAt.set(await owner.send('general', 'cut off', 'The last'), performance.now())
      await reading
      expect(seen.map(({ id }) => id)).toEqual([...sentAt.keys()].toSorted((a, b) => a - b))
      const latest = Math.round(Math.max(...seen.map(({ id, at }) => at - (sentAt.get(id) ?? at))))
      process.stdout.write(
        `cut off: ${seen.length} messages, the latest after ${latest} ms; rights after ${took.join(', ')} ms, ` +
          `and ${healed} ms after recovery\n`,
      )
      expect(Math.max(latest, ...took)).toBeLessThanOrEqual(MAX_STANDSTILL_MILLISECONDS)
      expect(healed).toBeLessThan(MAX_REVOCATION_MILLISECONDS)
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

async function isConnected({ url }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return /^parley_bus_connected 1$/m.test(await answer.text())
}
