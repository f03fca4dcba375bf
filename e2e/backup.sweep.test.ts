/*
 * Guarantees for administrators: a backup contains everything acknowledged before it started, whatever the server does
 * meanwhile; an interrupted backup is never accepted as complete; and after a restore, no ID is used twice.
 *
 * BACKUP_SEED repeats a run's random choices.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { fetchAs, upload } from '../server/src/testing/files.ts'
import { Random } from '../server/src/testing/random.ts'
import type { Body, TestQueue, TestUser } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { persist, type Patience } from './crash/requests.ts'
import { sendUntil, type SentMessage } from './crash/sender.ts'
import { ServerProcess } from './crash/server-process.ts'
import { doubled, history, lost } from './crash/verdict.ts'

const SEED = Number(process.env['BACKUP_SEED'] ?? Date.now() % 1_000_000)
const TIMEOUT_MILLISECONDS = 300_000
const BACKUPS = effort(3)
const KILLS = effort(12)
const SENDERS = 6

interface Scene {
  readonly server: ServerProcess
  readonly owner: TestUser
  readonly folder: string
  readonly random: Random
  readonly patience: Patience
  /** Messages acknowledged so far. */
  readonly sent: SentMessage[]
  /** Stops the load. */
  readonly silence: () => Promise<void>
}

/** Runs a server under load, with a database that writes checkpoints continuously. */
async function underLoad(work: (scene: Scene) => Promise<void>): Promise<void> {
  const random = new Random(SEED)
  const server = await ServerProcess.start()
  const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  const [over, silent] = [new AbortController(), new AbortController()]
  try {
    const patience = { random: random.fork(), over: over.signal }
    const owner = await logIn(server.url, patience)
    const place = { parameters: { type: 'direct', to: [owner.id] }, audience: new Set([owner.id]) }
    const sent: SentMessage[] = []
    const load = Promise.all([
      checkpoints(server, silent.signal),
      ...Array.from({ length: SENDERS }, async (_, index) =>
        sendUntil(
          silent.signal,
          { name: `Sender ${index}`, user: owner, places: [place] },
          { random: random.fork(), over: over.signal },
          (message) => void sent.push(message),
        ),
      ),
    ])
    load.catch(() => undefined)
    const silence = async (): Promise<void> => {
      silent.abort()
      await load
    }
    await work({ server, owner, folder, random, patience, sent, silence })
    await silence()
  } finally {
    silent.abort()
    over.abort()
    await server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  expect(server.accidents).toEqual([])
}

async function checkpoints(server: ServerProcess, stopped: AbortSignal): Promise<void> {
  const client = new pg.Client({ host: join(server.dataDirectory, 'postgres'), user: 'parley', database: 'parley' })
  client.on('error', () => undefined)
  await client.connect()
  while (!stopped.aborted) {
    await client.query('checkpoint')
    await sleep(20)
  }
  await client.end()
}

interface RunningProcess {
  readonly child: ChildProcess
  readonly stderr: () => string
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

function parley(args: readonly string[], data: string, scratch: string): RunningProcess {
  const env = { PATH: process.env['PATH'] ?? '', PARLEY_DATA_DIR: data, TMPDIR: scratch, PORT: '0' }
  const child = spawn(process.execPath, ['bin/parley.js', ...args], { env })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }))
  return { child, stderr: () => stderr, ended }
}

/** Stops the server, replaces its data with a backup, and restarts it. */
async function putBack({ server, folder }: Scene, backup: string): Promise<void> {
  await server.restart(async (data) => {
    await rename(data, await mkdtemp(join(folder, 'broken-')))
    const { code, stderr } = await parley(['restore', backup], data, folder).ended
    expect([code, stderr]).toEqual([0, expect.stringContaining('Restoring the rows')])
  })
}

it(
  'backs up each message acknowledged before the start and never reuses an ID',
  async () =>
    underLoad(async (scene) => {
      const { server, owner, folder, patience, sent, silence } = scene
      process.stdout.write(`backup test: seed ${SEED}\n`)
      const queue = await owner.register({ event_types: ['message'] })
      const address = await upload(owner, 'kept.bin', Buffer.alloc(300_000, 'kept'))
      let before: SentMessage[] = []
      let backup = ''
      for (let count = 1; count <= BACKUPS; count += 1) {
        before = [...sent]
        backup = join(folder, `backup-${count}`)
        const { code, stdout, stderr } = await parley(['backup', backup, '--json'], server.dataDirectory, folder).ended
        expect([code, stderr]).toEqual([0, expect.stringContaining('Reading the database')])
        const { linked_files: linked } = JSON.parse(stdout) as { linked_files: number }
        expect(linked).toBe(count === 1 ? 0 : 1)
        const { code: verified, stderr: faults } = await parley(['verify', backup], server.dataDirectory, folder).ended
        expect([verified, faults]).toEqual([0, expect.stringContaining('Building indexes')])
      }
      const inBackups = sent.length
      await expect.poll(() => sent.length).toBeGreaterThan(inBackups + 20)
      await silence()
      await follow(queue)
      const furthest = Math.max(...sent.map(({ id }) => id))
      // No files of temporary database servers remain.
      expect((await readdir(folder)).filter((name) => !name.startsWith('backup-'))).toEqual([])

      await putBack(scene, backup)
      await persist(owner, 'GET', '/users/me', {}, patience)
      const histories = new Map([[owner.id, await history(owner)]])
      const missing = lost(before, histories)
      const twice = doubled(histories)
      const restored = histories.get(owner.id)?.size ?? 0
      process.stdout.write(
        `backup test: ${BACKUPS} backups, ${sent.length} messages acknowledged, ${before.length} before the last backup began: ` +
          `${missing.length} of ${before.length} missing, ${twice.length} doubled, ${restored} restored\n`,
      )
      expect([missing, twice]).toEqual([[], []])
      // Every restored message is one that was sent, including those sent during the backup.
      const known = new Map(sent.map(({ id, content }) => [id, content]))
      for (const [id, content] of histories.get(owner.id) ?? []) expect(known.get(id)).toBe(content)
      expect(Buffer.compare((await fetchAs(owner, address)).bytes, Buffer.alloc(300_000, 'kept'))).toBe(0)

      for (const last_event_id of [queue.lastEventId, -1]) {
        const poll = { queue_id: queue.id, last_event_id, dont_block: true }
        const { status, body } = await owner.try('GET', '/events', poll)
        expect([status, body['code']]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
      }
      const next = await owner.register({ event_types: ['message'] })
      const id = await owner.sendTo([owner.id], 'After the restore')
      expect(id).toBeGreaterThan(furthest)
      expect(await next.events()).toMatchObject([{ message: { id } }])
      await server.restart()
      await persist(owner, 'GET', '/users/me', {}, patience)
      const again = await owner.sendTo([owner.id], 'After another start')
      expect(again - id).toBeLessThan(1_000)
      expect(await next.events()).toMatchObject([{ message: { id: again } }])
      await useEverything(owner, 'once')

      // Each restore skips many log positions: after the first, positions exceed 32 bits.
      const second = join(folder, 'backup-again')
      expect(await parley(['backup', second], server.dataDirectory, folder).ended).toMatchObject({ code: 0 })
      const last = await owner.sendTo([owner.id], 'Lost by the second restore')
      await putBack(scene, second)
      await persist(owner, 'GET', '/users/me', {}, patience)
      expect(await owner.sendTo([owner.id], 'After the second restore')).toBeGreaterThan(last)
      await useEverything(owner, 'twice')
    }),
  TIMEOUT_MILLISECONDS,
)

/** Creates, edits, moves, reads, and deletes objects of every kind; every request must succeed. */
async function useEverything(owner: TestUser, name: string): Promise<void> {
  const queue = await owner.register()
  const [from, to] = [`from ${name}`, `to ${name}`]
  await owner.subscribe([from, to])
  const idOf = async (stream: string): Promise<unknown> =>
    (await owner.call('GET', '/get_stream_id', { stream }))['stream_id']
  const [stream_id, target] = [await idOf(from), await idOf(to)]
  const ids: number[] = []
  for (let index = 0; index < 4; index += 1) ids.push(await owner.send(from, 'talk', `Message ${index}`))
  const [first = 0, second = 0, third = 0] = ids
  await owner.call('PATCH', `/messages/${first}`, { content: 'Edited' })
  await owner.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
  await owner.call('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'starred' })
  await owner.call('POST', '/messages/flags', { messages: ids, op: 'remove', flag: 'read' })
  await owner.call('POST', '/user_topics', { stream_id, topic: 'talk', visibility_policy: 3 })
  await owner.call('PATCH', `/messages/${first}`, { topic: 'renamed', propagate_mode: 'change_later' })
  await owner.call('PATCH', `/messages/${second}`, { stream_id: target, propagate_mode: 'change_one' })
  await owner.call('PATCH', `/messages/${first}`, { stream_id: target, propagate_mode: 'change_all' })
  await owner.call('DELETE', `/messages/${third}`)
  const narrow = [{ operator: 'channel', operand: to }]
  const shown = await owner.call('GET', '/messages', { anchor: 'first_unread', num_before: 9, num_after: 9, narrow })
  expect((shown['messages'] as Body[]).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
  await owner.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
    narrow: [{ operator: 'search', operand: 'edited' }],
  })
  await owner.call('GET', `/messages/${first}/history`)
  await owner.call('POST', '/mark_all_as_read')
  const later = Math.floor(Date.now() / 1000) + 86_400
  await owner.call('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [target], topic: 'a', content: 'a', timestamp: 1 }],
  })
  await owner.call('POST', '/scheduled_messages', {
    type: 'stream',
    to: target,
    topic: 'a',
    content: 'a',
    scheduled_delivery_timestamp: later,
  })
  await owner.call('POST', '/saved_snippets', { title: name, content: 'a' })
  await owner.call('POST', '/user_groups/create', { name, description: '', members: [owner.id] })
  await owner.call('POST', '/bots', { full_name: `${name} Bot`, short_name: name })
  await upload(owner, 'later.txt', Buffer.from(name))
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: [from] })
  const told = new Set((await follow(queue)).map(({ type }) => type))
  expect([...told]).toEqual(
    expect.arrayContaining(['message', 'update_message', 'delete_message', 'reaction', 'drafts', 'saved_snippets']),
  )
  expect((await owner.register()).state).toBeDefined()
}

/** Polls until no events are left. */
async function follow(queue: TestQueue): Promise<Body[]> {
  const all: Body[] = []
  for (;;) {
    const events = await queue.events()
    if (events.length === 0) return all
    all.push(...events)
  }
}

it(
  'never accepts an interrupted backup or serves an interrupted restore',
  async () =>
    underLoad(async (scene) => {
      const { server, folder, random, owner, patience, silence } = scene
      await upload(owner, 'large.bin', Buffer.alloc(20_000_000, 'large'))
      const whole = join(folder, 'whole')
      const begun = performance.now()
      expect(await parley(['backup', whole], server.dataDirectory, folder).ended).toMatchObject({ code: 0 })
      const longest = performance.now() - begun
      let cut = 0
      for (let count = 0; count < KILLS; count += 1) {
        const place = join(folder, `kill-${count}`)
        await mkdir(place)
        const { child, ended } = parley(['backup', join(place, 'backup')], server.dataDirectory, folder)
        await Promise.race([sleep(random.between(0.3 * longest, longest)), ended])
        child.kill('SIGKILL')
        const { code } = await ended
        const names = await readdir(place)
        if (code !== 0) cut += 1
        for (const name of names) {
          const { code: verified, stderr } = await parley(['verify', join(place, name)], server.dataDirectory, folder)
            .ended
          // If the kill came after the manifest was written, the backup is complete.
          const isWhole = existsSync(join(place, name, 'manifest.json'))
          expect({ isWhole, verified, isPartial: name.startsWith('backup.partial-') || isWhole }).toEqual({
            isWhole,
            verified: isWhole ? 0 : 3,
            isPartial: true,
          })
          expect(isWhole || stderr.includes('Was the backup cut off?')).toBe(true)
        }
      }
      process.stdout.write(`backup test: ${KILLS} backups killed, ${cut} of them before their end, 0 taken for whole\n`)
      expect(cut).toBeGreaterThan(0)
      await silence()
      expect(await parley(['verify', whole], server.dataDirectory, folder).ended).toMatchObject({ code: 0 })

      await server.restart(async (data) => {
        await rename(data, join(folder, 'broken'))
        const { child, ended, stderr } = parley(['restore', whole], data, folder)
        await expect.poll(stderr).toContain('Restoring the rows')
        child.kill('SIGKILL')
        await ended
        for (const args of [
          ['start'],
          ['organization', 'list'],
          ['restore', whole],
          ['backup', join(folder, 'none')],
        ]) {
          const { code, stderr: told } = await parley(args, data, folder).ended
          expect([args, code, told]).toEqual([args, 1, expect.stringContaining('A backup is being restored into')])
        }
        for (const pid of server.databaseProcesses()) process.kill(pid, 'SIGKILL')
        await rm(data, { recursive: true, maxRetries: 10 })
        expect(await parley(['restore', whole], data, folder).ended).toMatchObject({ code: 0 })
      })
      await persist(owner, 'GET', '/users/me', {}, patience)
    }),
  TIMEOUT_MILLISECONDS,
)
