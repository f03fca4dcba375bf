/*
 * After a disk failure, an administrator restores the data folder from the last backup. Clients then have seen data
 * that the database lacks.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Random } from '../server/src/testing/random.ts'
import type { TestUser } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { retryUntilSuccess, type RetryContext } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'

const TIMEOUT_MILLISECONDS = 180_000

interface Scene {
  readonly server: ServerProcess
  readonly patience: RetryContext
  readonly folder: string
}

async function inScene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const server = await ServerProcess.start()
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const over = new AbortController()
  try {
    await work({ server, folder, patience: { random: new Random(1), over: over.signal } })
  } finally {
    over.abort()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  expect(server.accidents).toEqual([])
}

async function logInAsOwner({ server, patience }: Scene): Promise<TestUser> {
  return logIn(server.url, patience)
}

async function send(owner: TestUser, { patience }: Scene, content: string): Promise<number> {
  const message = { type: 'direct', to: [owner.id], content }
  return (await retryUntilSuccess(owner, 'POST', '/messages', message, patience)).id
}

/** Creates a user with the CLI while the server is stopped. */
function createUser(dataDirectory: string): void {
  const environment = { PATH: process.env['PATH'] ?? '', PARLEY_DATA_DIR: dataDirectory }
  execFileSync(process.execPath, ['bin/parley.js', 'user', 'create', 'new@example.com', '--name', 'Nina New'], {
    env: environment,
    stdio: 'ignore',
  })
}

it.each([
  ['at the next start', () => undefined],
  ['by a command before the next start', createUser],
])(
  'ends queues and reuses no ID after a restore that is detected %s',
  async (_, beforeStart) =>
    inScene(async (scene) => {
      const { server, folder, patience } = scene
      const owner = await logInAsOwner(scene)
      const queue = await owner.register({ event_types: ['message'] })
      await send(owner, scene, 'Before the backup')
      await server.restart(async (data) => cp(data, join(folder, 'backup'), { recursive: true }))
      const lost: number[] = []
      for (let count = 0; count < 20; count += 1) lost.push(await send(owner, scene, `Lost ${count}`))
      // The queue survives the stop and the copy.
      const seen = (await queue.events()).map(({ message }) => message?.id)
      expect(seen.slice(1)).toEqual(lost)
      await server.restart(async (data) => {
        await rename(data, join(folder, 'broken'))
        await cp(join(folder, 'backup'), data, { recursive: true })
        beforeStart(data)
      })
      const message = { anchor: 'newest', num_before: 100, num_after: 0 }
      const { messages } = await retryUntilSuccess(owner, 'GET', '/messages', message, patience)
      expect(messages.map(({ content }) => content)).toContain('<p>Before the backup</p>')
      for (const last_event_id of [queue.lastEventId, -1]) {
        const poll = { queue_id: queue.id, last_event_id, dont_block: true }
        const { status, body } = await owner.try('GET', '/events', poll)
        expect([status, body['code']]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
      }
      const next = await owner.register({ event_types: ['message'] })
      const id = await send(owner, scene, 'After the restore')
      expect(id).toBeGreaterThan(Math.max(...lost))
      expect(await next.events()).toMatchObject([{ message: { id } }])
      // User IDs come from the same sequence.
      const { members } = await retryUntilSuccess(owner, 'GET', '/users', {}, patience)
      const ids = members.map(({ user_id }) => user_id)
      expect(ids.filter((userId) => lost.includes(userId))).toEqual([])
      // The restore is detected only once.
      await server.restart()
      const again = await send(owner, scene, 'After another start')
      expect(again - id).toBeLessThan(1_000)
      expect(await next.events()).toMatchObject([{ message: { id: again } }])
    }),
  TIMEOUT_MILLISECONDS,
)
