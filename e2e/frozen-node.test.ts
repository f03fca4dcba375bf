/*
 * One of two servers on a database freezes in the middle of what it does, again and again: the other one goes on within
 * three seconds, and the first one when it thaws. Nothing that was acknowledged is lost or there twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { Random } from '../server/src/testing/random.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { TestUser } from '../server/src/testing/user.ts'
import { persist } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'

const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const FREEZES = effort(12)
const WRITERS = 6
/** The longest that a frozen server may keep another one from writing. */
const MAX_STANDSTILL_MILLISECONDS = 3_000
const TIMEOUT_MILLISECONDS = 600_000

function urlOf({ host, user, database }: pg.ClientConfig): string {
  return `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}`
}

it(
  'lets the other server go on when one freezes, and loses and doubles nothing',
  async () => {
    process.stdout.write(`frozen node test: seed ${SEED}, ${FREEZES} freezes\n`)
    const random = new Random(SEED)
    const here = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
    const { owner } = await here.organization('Shared', { stringId: '' })
    await owner.subscribe(['general'])
    const node = await ServerProcess.start({ DATABASE_URL: urlOf(here.database), PARLEY_LOG_LEVEL: 'silent' })
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
    }
    expect(node.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

function message(content: string, more: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return { type: 'stream', to: 'general', topic: 'freezing', content, ...more }
}
