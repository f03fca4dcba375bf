/*
 * The database stops answering and then recovers. Requests fail in time with a retryable error, none hangs, and none
 * fails with an internal error.
 */
import { expect, it } from 'vitest'
import { Random } from '../server/src/testing/random.ts'
import { TestUser, type Answer } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import { OWNER, ServerProcess } from './crash/server-process.ts'

const TIMEOUT_MILLISECONDS = 180_000

it(
  'answers 503 while the database does not respond, and recovers afterward',
  async () => {
    const server = await ServerProcess.start({ PARLEY_REQUEST_DEADLINE_SECONDS: '2', PARLEY_LOG_LEVEL: 'silent' })
    const over = new AbortController()
    const patience = { random: new Random(1), over: over.signal }
    try {
      const owner = await logIn(server.url, patience)
      const stranger = new TestUser(server.url, owner.host, '', '', 0)
      const login = { username: OWNER.email, password: OWNER.password }
      const queue = await owner.register({ event_types: ['message'] })
      const message = { type: 'direct', to: [owner.id], content: 'Frozen', queue_id: queue.id, local_id: '1' }
      const ask = async (): Promise<Answer[]> =>
        Promise.all([
          owner.try('POST', '/messages', message),
          owner.try('PATCH', '/settings', { enter_sends: true }),
          owner.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
          owner.try('POST', '/register'),
          stranger.try('POST', '/fetch_api_key', login),
        ])
      const frozen = server.databaseProcesses()
      expect(frozen.length).toBeGreaterThan(1)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      const away = await ask()
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
      for (const { status, headers, body } of away) {
        expect([status, headers['retry-after'], body['code']]).toEqual([503, '1', 'SERVER_NOT_READY'])
      }
      // The message may have been committed before; the same local ID prevents a duplicate.
      await retryUntilSuccess(owner, 'POST', '/messages', message, patience)
      await expect.poll(async () => (await ask()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0 })
      expect(messages.filter(({ content }) => content === '<p>Frozen</p>')).toHaveLength(1)

      // A database crash has the same effect, until the restart.
      const [postmaster] = server.databaseProcesses()
      if (postmaster === undefined) throw new Error('the database runs')
      process.kill(postmaster, 'SIGKILL')
      const seen = new Set<number>()
      await expect
        .poll(async () => {
          const { status } = await owner.try('PATCH', '/settings', { enter_sends: seen.size % 2 === 0 })
          seen.add(status)
          return status
        })
        .toBe(200)
      expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
    } finally {
      over.abort()
      await server.close()
    }
    expect(server.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)
