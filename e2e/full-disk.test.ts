/*
 * A server that has no room for what people upload says so, keeps nothing of it, and goes on.
 */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { sendFiles } from '../server/src/testing/files.ts'
import { Random } from '../server/src/testing/random.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { TestUser } from '../server/src/testing/user.ts'
import { persist } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'

/** Of 512 bytes. */
const LARGEST_FILE_BLOCKS = 512

function urlOf({ host, user, database }: pg.ClientConfig): string {
  return `postgres://${user ?? ''}@/${database ?? ''}?host=${encodeURIComponent(host ?? '')}`
}

it('answers an upload without room for it with 507, and takes what fits', async () => {
  const here = await startTestServer({}, { shared: true })
  const { owner } = await here.organization('Shared', { stringId: '' })
  const environment = { DATABASE_URL: urlOf(here.database), PARLEY_LOG_LEVEL: 'silent' }
  const server = await ServerProcess.start(environment, LARGEST_FILE_BLOCKS)
  try {
    const there = new TestUser(server.url, owner.host, owner.email, owner.apiKey, owner.id)
    await persist(there, 'GET', '/users/me', {}, { random: new Random(1), over: new AbortController().signal })
    const queue = await there.register({ event_types: ['attachment'] })
    const large = await sendFiles(there, '/user_uploads', [
      { name: 'large.bin', content: Buffer.alloc(5 * 1024 * 1024) },
    ])
    expect([large.status, large.body['code'], large.body['msg']]).toEqual([
      507,
      'SERVER_NOT_READY',
      'The server has no room for this file. Tell its administrator.',
    ])
    expect((await readdir(server.dataDirectory, { recursive: true })).filter((name) => /large/.test(name))).toEqual([])
    expect(await readdir(join(server.dataDirectory, 'files/incoming'))).toEqual([])
    expect(await queue.events()).toEqual([])
    const small = await sendFiles(there, '/user_uploads', [{ name: 'small.txt', content: 'Hello' }])
    expect(small.status).toBe(200)
    expect(await queue.events()).toMatchObject([{ op: 'add' }])

    // The smaller of its two pictures fits.
    const avatars = await there.register({ event_types: ['realm_user'] })
    const before = await filesIn(server.dataDirectory)
    const picture = { name: 'noise.jpg', content: await noise(500) }
    expect(picture.content.length).toBeLessThan(LARGEST_FILE_BLOCKS * 512)
    const avatar = await sendFiles(there, '/users/me/avatar', [picture])
    expect([avatar.status, avatar.body['code']]).toEqual([507, 'SERVER_NOT_READY'])
    expect(await filesIn(server.dataDirectory)).toEqual(before)
    expect(await avatars.events()).toEqual([])
  } finally {
    await server.close()
    await here.close()
  }
  expect(server.accidents).toEqual([])
})

/** All that is kept of uploads. */
async function filesIn(dataDirectory: string): Promise<string[]> {
  const entries = await readdir(join(dataDirectory, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** A JPEG that is several times as large when nothing of it is left out. */
async function noise(side: number): Promise<Buffer> {
  const pixels = randomBytes(side * side * 3)
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 30 })
    .toBuffer()
}
