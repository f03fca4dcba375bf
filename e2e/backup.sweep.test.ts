/*
 * Guarantees for administrators: a backup contains everything acknowledged before it started, regardless of the
 * server's activity during the backup, and no ID is used twice after a restore.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { fetchAs, upload } from '../server/src/testing/files.ts'
import { parseObject } from '../server/src/testing/json.ts'
import type { Body, TestQueue, TestUser } from '../server/src/testing/user.ts'
import {
  startParleyCommand,
  restoreBackup,
  RANDOM_SEED,
  TEST_TIMEOUT_MILLISECONDS,
  runUnderLoad,
} from './backup/scene.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import type { SentMessage } from './crash/sender.ts'
import { duplicatedContents, readableMessages, findLostMessages } from './crash/verdict.ts'

const BACKUPS = effort(3)

it(
  'backs up every message acknowledged before the backup, and reuses no ID after a restore',
  async () =>
    runUnderLoad(async (scene) => {
      const { server, owner, folder, patience, sent, silence } = scene
      process.stdout.write(`backup test: seed ${RANDOM_SEED}\n`)
      const queue = await owner.register({ event_types: ['message'] })
      const address = await upload(owner, 'kept.bin', Buffer.alloc(300_000, 'kept'))
      let before: SentMessage[] = []
      let backup = ''
      for (let count = 1; count <= BACKUPS; count += 1) {
        before = [...sent]
        backup = join(folder, `backup-${count}`)
        const { code, stdout, stderr } = await startParleyCommand(
          ['backup', backup, '--json'],
          server.dataDirectory,
          folder,
        ).ended
        expect([code, stderr]).toEqual([0, expect.stringContaining('Reading the database')])
        expect(parseObject(stdout)['linked_files']).toBe(count === 1 ? 0 : 1)
        const { code: verified, stderr: faults } = await startParleyCommand(
          ['verify', backup],
          server.dataDirectory,
          folder,
        ).ended
        expect([verified, faults]).toEqual([0, expect.stringContaining('Building indexes')])
      }
      const inBackups = sent.length
      await expect.poll(() => sent.length).toBeGreaterThan(inBackups + 20)
      await silence()
      await follow(queue)
      const furthest = Math.max(...sent.map(({ id }) => id))
      // No files of temporary database servers remain.
      expect((await readdir(folder)).filter((name) => !name.startsWith('backup-'))).toEqual([])

      await restoreBackup(scene, backup)
      await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
      const histories = new Map([[owner.id, await readableMessages(owner)]])
      const missing = findLostMessages(before, histories)
      const twice = duplicatedContents(histories)
      const restored = histories.get(owner.id)?.size ?? 0
      process.stdout.write(
        `backup test: ${BACKUPS} backups, ${sent.length} messages acknowledged, ${before.length} before the last backup began: ` +
          `${missing.length} of ${before.length} missing, ${twice.length} doubled, ${restored} restored\n`,
      )
      expect([missing, twice]).toEqual([[], []])
      // Every restored message was sent, some of them during the backup.
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
      await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
      const again = await owner.sendTo([owner.id], 'After another start')
      expect(again - id).toBeLessThan(1_000)
      expect(await next.events()).toMatchObject([{ message: { id: again } }])
      await useEverything(owner, 'once')

      // Each restore skips many log positions: after the first, positions exceed 32 bits.
      const second = join(folder, 'backup-again')
      expect(await startParleyCommand(['backup', second], server.dataDirectory, folder).ended).toMatchObject({
        code: 0,
      })
      const last = await owner.sendTo([owner.id], 'Lost by the second restore')
      await restoreBackup(scene, second)
      await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
      expect(await owner.sendTo([owner.id], 'After the second restore')).toBeGreaterThan(last)
      await useEverything(owner, 'twice')
    }),
  TEST_TIMEOUT_MILLISECONDS,
)

/** Creates, edits, moves, reads, and deletes objects of every kind. Every request must succeed. */
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
  expect(shown.messages.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
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
