import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Random } from '../../server/src/testing/random.ts'
import { startTestServer } from '../../server/src/testing/server.ts'
import { TestUser } from '../../server/src/testing/user.ts'
import { retryUntilSuccess } from '../crash/requests.ts'
import { ServerProcess, databaseUrl } from '../crash/server-process.ts'

/** CRASH_SEED repeats a run's random choices. */
export const RANDOM_SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const WRITER_COUNT = 6
/** Maximum time for which a frozen server can block another server's writes. */
export const MAX_STANDSTILL_MILLISECONDS = 3_000

/**
 * Freezes one of two servers during its writes. Expects that the other server continues and that nothing is lost or
 * duplicated.
 * @param busUrl URL of a NATS server; by default, the servers notify each other through the database
 */
export async function expectOtherServerContinues(freezes: number, busUrl?: string): Promise<void> {
  process.stdout.write(`frozen node test: seed ${RANDOM_SEED}, ${freezes} freezes\n`)
  const random = new Random(RANDOM_SEED)
  const here = await startTestServer(serverEnvironment(busUrl), { shared: true })
  const { owner } = await here.organization('Shared', { stringId: '' })
  await owner.subscribe(['general'])
  const node = await ServerProcess.start({ ...serverEnvironment(busUrl), DATABASE_URL: databaseUrl(here.database) })
  const there = new TestUser(node.url, owner.host, owner.email, owner.apiKey, owner.id)
  const ending = new AbortController()
  try {
    await retryUntilSuccess(there, 'GET', '/users/me', {}, { random: random.fork(), over: ending.signal })
    const acknowledged: string[] = []
    const failures: unknown[] = []
    const queue = await there.register({ event_types: ['message'] })
    // A settings change holds the organization's lock from its first statement to its commit.
    const writing = Array.from({ length: WRITER_COUNT }, async (_, writer) => {
      for (let turn = 0; !ending.signal.aborted; turn += 1) {
        const content = `There ${writer} ${turn}`
        const local = { queue_id: queue.id, local_id: `${writer} ${turn}` }
        const change = await there.try('PATCH', '/settings', { enter_sends: turn % 2 === 0 })
        // Retried with the same local ID until acknowledged.
        let answer = await there.try('POST', '/messages', messageParameters(content, local))
        while (answer.status === 503) answer = await there.try('POST', '/messages', messageParameters(content, local))
        if (answer.status === 200) acknowledged.push(content)
        for (const { status, body } of [change, answer]) if (status !== 200 && status !== 503) failures.push(body)
      }
    })
    const standstills: number[] = []
    for (let freeze = 0; freeze < freezes; freeze += 1) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before)
      await sleep(random.between(0, 40))
      node.signal('SIGSTOP')
      const began = performance.now()
      const content = `Here ${freeze}`
      const { status } = await owner.try('POST', '/messages', messageParameters(content, {}))
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
  }
  expect(node.accidents).toEqual([])
}

export function serverEnvironment(busUrl: string | undefined): Record<string, string> {
  // BUS_URL requires DATABASE_URL, whose value test servers ignore.
  const bus: Record<string, string> = busUrl === undefined ? {} : { BUS_URL: busUrl, DATABASE_URL: 'postgres:///' }
  return { PARLEY_LOG_LEVEL: 'silent', ...bus }
}

function messageParameters(content: string, more: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return { type: 'stream', to: 'general', topic: 'freezing', content, ...more }
}
