import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NatsServer, hasNatsServer } from '../../testing/nats-server.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { TestUser, type Answer } from '../../testing/user.ts'
import type { NodeMessage } from '../bus/bus.ts'
import { sharedLimits, type SharedLimits } from './shared.ts'

const LIMIT = 100
const LIMIT_SETTINGS = { PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_USER: `${LIMIT}/60`, PARLEY_LOG_LEVEL: 'silent' }
/** Allows a tenth of the limit more per other node, and uses in flight during reports. */
const MAX_ACCEPTED = 1.3 * LIMIT
const CONCURRENT_REQUESTS = 6
const REQUEST_COUNT = 5 * LIMIT

describe.each([['the database', false] as const, ['a NATS server', true] as const])(
  'rate limits of three nodes with %s',
  (_, isNats) => {
    let nats: NatsServer | undefined
    let nodes: TestServer[] = []
    beforeAll(async () => {
      if (isNats && !hasNatsServer) return
      nats = isNats ? await NatsServer.start() : undefined
      const bus: Record<string, string> = nats === undefined ? {} : { BUS_URL: nats.url, DATABASE_URL: 'postgres:///' }
      const first = await startTestServer({ ...LIMIT_SETTINGS, ...bus }, { shared: true })
      nodes = [first]
      for (let count = 1; count < 3; count += 1)
        nodes.push(await startTestServerOn(first.database, { ...LIMIT_SETTINGS, ...bus }, { shared: true }))
    })
    afterAll(async () => {
      for (const node of nodes.toReversed()) await node.close()
      await nats?.kill()
    })

    function atEveryNode({ host, email, apiKey, id }: TestUser): readonly TestUser[] {
      return nodes.map(({ parley }) => new TestUser(parley.url, host, email, apiKey, id))
    }

    async function createUsers(): Promise<{ owner: TestUser; other: TestUser }> {
      const [first] = nodes
      if (first === undefined) throw new Error('the nodes start in beforeAll')
      const { owner, user } = await first.organization()
      return { owner, other: await user('Otto Other') }
    }

    async function askAll(user: TestUser, times: number): Promise<Answer[]> {
      const answers: Answer[] = []
      const at = atEveryNode(user)
      let begun = 0
      await Promise.all(
        Array.from({ length: CONCURRENT_REQUESTS }, async () => {
          while (begun < times) {
            const through = at[begun % at.length] ?? user
            begun += 1
            answers.push(await through.try('GET', '/users/me'))
          }
        }),
      )
      return answers
    }

    it.skipIf(isNats && !hasNatsServer)(
      'enforces one limit per user across nodes without affecting other users',
      async () => {
        const { owner, other } = await createUsers()
        const answers = await askAll(owner, REQUEST_COUNT)
        const through = answers.filter(({ status }) => status === 200)
        process.stdout.write(`of a limit of ${LIMIT}, three nodes let ${through.length} through\n`)
        expect(through.length).toBeGreaterThanOrEqual(LIMIT)
        expect(through.length).toBeLessThanOrEqual(MAX_ACCEPTED)
        const refused = answers.filter(({ status }) => status !== 200)
        for (const { status, headers, body } of refused) {
          expect([status, body['code'], headers['x-ratelimit-remaining']]).toEqual([429, 'RATE_LIMIT_HIT', '0'])
          expect(headers['x-ratelimit-limit']).toBe(String(LIMIT))
          expect(headers['retry-after']).toBe(String(Math.ceil(Number(body['retry-after']))))
        }
        // The window ends at the same time on all nodes.
        const last = await Promise.all(atEveryNode(owner).map(async (at) => at.try('GET', '/users/me')))
        expect(last.map(({ status }) => status)).toEqual([429, 429, 429])
        const resets = last.map(({ headers }) => Number(headers['x-ratelimit-reset']))
        expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1)
        for (const answer of await Promise.all(atEveryNode(other).map(async (at) => at.try('GET', '/users/me'))))
          expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, String(LIMIT - 1)])
      },
    )

    it.skipIf(isNats && !hasNatsServer)(
      'sends other nodes no counts of users who stay far below the limit',
      async () => {
        const { owner, other } = await createUsers()
        const counted: string[] = []
        nodes[0]?.parley.logs.onNodeMessage((message) => {
          if ('counted' in message) counted.push(...message.counted.counts.map(({ key }) => key))
        })
        for (const { status } of await askAll(other, 60)) expect(status).toBe(200)
        // Messages of one node arrive in order.
        await askAll(owner, REQUEST_COUNT)
        const keyOf = ({ id }: TestUser): RegExp => new RegExp(`^\\d+:${id}$`)
        await expect.poll(() => counted.filter((key) => keyOf(owner).test(key)).length).toBeGreaterThan(3)
        expect(counted.filter((key) => keyOf(other).test(key))).toEqual([])
      },
    )
  },
)

describe('shared limits', () => {
  /** Nodes that immediately receive each other's messages. */
  function connectedLimits(count: number): readonly SharedLimits[] {
    const nodes: SharedLimits[] = []
    const tell = (message: NodeMessage): void => nodes.forEach((node) => node.receive(message))
    for (let node = 0; node < count; node += 1) nodes.push(sharedLimits(tell))
    return nodes
  }

  it('shares counts across nodes, with a separate count for each limit and key', async () => {
    const [one, other] = connectedLimits(2)
    const [user, address] = [
      one?.limiter('user', { count: 8, seconds: 60 }),
      one?.limiter('address', { count: 8, seconds: 60 }),
    ]
    const there = [
      other?.limiter('user', { count: 8, seconds: 60 }),
      other?.limiter('address', { count: 8, seconds: 60 }),
    ]
    for (let use = 0; use < 6; use += 1) user?.use('a')
    await expect.poll(() => there[0]?.use('a').remaining).toBeLessThanOrEqual(1)
    expect(there[0]?.use('b').remaining).toBe(7)
    expect(there[1]?.use('a').remaining).toBe(7)
    expect(address?.use('a').remaining).toBe(7)
  })

  it('ignores invalid counts from other nodes', () => {
    const limits = sharedLimits(() => undefined)
    const limiter = limits.limiter('user', { count: 8, seconds: 60 })
    const counts = [
      { limit: 'user', key: 'a', used: 5, left: 0 },
      { limit: 'user', key: 'a', used: 5, left: -1 },
      { limit: 'user', key: 'a', used: 5, left: 62 },
      { limit: 'nothing', key: 'a', used: 5, left: 30 },
    ]
    limits.receive({ counted: { node: 1, counts } })
    expect(limiter.use('a').remaining).toBe(7)
  })
})
