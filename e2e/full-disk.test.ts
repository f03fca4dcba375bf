/* A server without disk space rejects uploads, stores no part of them, and keeps running. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { databaseUrl } from '../server/src/testing/databases.ts'
import { sendFiles } from '../server/src/testing/files.ts'
import { Random } from '../server/src/testing/random.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { TestUser } from '../server/src/testing/user.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import { ServerProcess } from './crash/server-process.ts'

/** Maximum size of a file that the server can write, in blocks of 512 bytes. */
const LARGEST_FILE_BLOCKS = 512
/** Maximum size of a file, in blocks, that leaves too little space for an emoji. */
const TOO_FEW_BLOCKS = 64

it('answers 507 to an upload too large for the disk, and accepts a smaller upload', async () => {
  await withFileSizeLimit(LARGEST_FILE_BLOCKS, async (there, dataDirectory) => {
    const queue = await there.register({ event_types: ['attachment'] })
    const large = await sendFiles(there, '/user_uploads', [
      { name: 'large.bin', content: Buffer.alloc(5 * 1024 * 1024) },
    ])
    expect([large.status, large.body['code'], large.body['msg']]).toEqual([
      507,
      'SERVER_NOT_READY',
      'The server has no space for this file. Tell its operator.',
    ])
    expect((await readdir(dataDirectory, { recursive: true })).filter((name) => /large/.test(name))).toEqual([])
    expect(await readdir(join(dataDirectory, 'files/incoming'))).toEqual([])
    expect(await queue.events()).toEqual([])
    const small = await sendFiles(there, '/user_uploads', [{ name: 'small.txt', content: 'Hello' }])
    expect(small.status).toBe(200)
    expect(await queue.events()).toMatchObject([{ op: 'add' }])

    // Only the smaller of the avatar's two images fits.
    const avatars = await there.register({ event_types: ['realm_user'] })
    const before = await filesIn(dataDirectory)
    const picture = { name: 'noise.jpg', content: await noisyJpeg(500) }
    expect(picture.content.length).toBeLessThan(LARGEST_FILE_BLOCKS * 512)
    const avatar = await sendFiles(there, '/users/me/avatar', [picture])
    expect([avatar.status, avatar.body['code']]).toEqual([507, 'SERVER_NOT_READY'])
    expect(await filesIn(dataDirectory)).toEqual(before)
    expect(await avatars.events()).toEqual([])
  })
})

it("answers 507 if an emoji's second image does not fit on disk, and stores neither image", async () => {
  await withFileSizeLimit(TOO_FEW_BLOCKS, async (there, dataDirectory) => {
    const queue = await there.register({ event_types: ['realm_emoji'] })
    const still = { name: 'noise.jpg', content: await noisyJpeg(32) }
    expect((await sendFiles(there, '/realm/emoji/still', [still])).status).toBe(200)
    expect(await queue.events()).toHaveLength(1)
    const before = await filesIn(dataDirectory)
    const moving = { name: 'noise.webp', content: await noisyAnimation(10) }
    expect(moving.content.length).toBeLessThan(TOO_FEW_BLOCKS * 512)
    const refused = await sendFiles(there, '/realm/emoji/noise', [moving])
    expect([refused.status, refused.body['code']]).toEqual([507, 'SERVER_NOT_READY'])
    expect(await filesIn(dataDirectory)).toEqual(before)
    expect(await queue.events()).toEqual([])
    const { emoji } = await there.call('GET', '/realm/emoji')
    expect(Object.values(emoji)).toMatchObject([{ name: 'still' }])
  })
})

/** Starts a server that cannot write files larger than this many blocks. */
async function withFileSizeLimit(
  blocks: number,
  use: (there: TestUser, dataDirectory: string) => Promise<void>,
): Promise<void> {
  const here = await startTestServer({}, { shared: true })
  const { owner } = await here.organization('Shared', { stringId: '' })
  const environment = { DATABASE_URL: databaseUrl(here.database), PARLEY_LOG_LEVEL: 'silent' }
  const server = await ServerProcess.start(environment, blocks)
  try {
    const there = new TestUser(server.url, owner.host, owner.email, owner.apiKey, owner.id)
    await retryUntilSuccess(
      there,
      'GET',
      '/users/me',
      {},
      { random: new Random(1), over: new AbortController().signal },
    )
    await use(there, server.dataDirectory)
  } finally {
    await server.close()
    await here.close()
  }
  expect(server.accidents).toEqual([])
}

/** Lists stored files, after the deferred removal of temporary files. */
async function filesIn(dataDirectory: string): Promise<string[]> {
  await expect.poll(async () => readdir(join(dataDirectory, 'files/incoming'))).toEqual([])
  const entries = await readdir(join(dataDirectory, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** A JPEG that is several times larger when re-encoded at full quality. */
async function noisyJpeg(side: number): Promise<Buffer> {
  const pixels = randomBytes(side * side * 3)
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 30 })
    .toBuffer()
}

/** A WebP that is several times larger as the stored GIF. */
async function noisyAnimation(frames: number): Promise<Buffer> {
  const side = 64
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const
  return sharp(randomBytes(side * side * frames * 3), { raw })
    .webp({ quality: 10 })
    .toBuffer()
}
