import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { S3Server } from '../../testing/s3-server.ts'
import { diskStore } from './disk.ts'
import { readS3Address } from './s3/address.ts'
import { s3Store, type S3Options } from './s3/store.ts'
import { randomName, type FileStore } from './store.ts'

const MEBIBYTE = 1024 * 1024

let storage: S3Server
let folder = ''
beforeAll(async () => {
  storage = await S3Server.start({ mostListed: 40 })
  folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
})
afterAll(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

function inBucket(
  options: Partial<S3Options> = {},
  address = storage.address(randomName().replace(/^-+/, 'a')),
): FileStore {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = storage.login
  const store = s3Store({
    address: readS3Address(address),
    credentials: { accessKeyId, secretAccessKey },
    incoming: join(folder, 'incoming'),
    ...options,
  })
  onTestFinished(() => store.close())
  return store
}

async function writeIncoming(store: FileStore, bytes: Uint8Array): Promise<string> {
  await mkdir(store.incoming, { recursive: true })
  const path = join(store.incoming, randomName())
  await writeFile(path, bytes)
  return path
}

async function listFiles(store: FileStore): Promise<[key: string, size: number][]> {
  const found: [string, number][] = []
  for await (const { key, size } of store.list()) found.push([key, size])
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

describe.each([
  ['a folder', () => diskStore(join(folder, randomName()))],
  ['a bucket', () => inBucket()],
])('file store in %s', (_, open) => {
  it('reads a stored file in full and by range', async () => {
    const store = open()
    const bytes = randomBytes(100_000)
    const path = await writeIncoming(store, bytes)
    await store.put('uploads/7/ab/one', path)
    await store.write('avatars/7/two.png', bytes.subarray(0, 10))
    expect(await readdir(store.incoming)).toEqual([])
    expect(await store.size('uploads/7/ab/one')).toBe(bytes.length)
    expect((await buffer(store.read('uploads/7/ab/one'))).equals(bytes)).toBe(true)
    for (const [start, end] of [
      [0, 0],
      [5, 70_000],
      [99_999, 99_999],
      [0, 99_999],
    ] as const) {
      const part = await buffer(store.read('uploads/7/ab/one', { start, end }))
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true)
    }
    expect(await store.failure()).toBeUndefined()
    expect(store.report).toMatchObject({ isReached: true, failures: 0 })
  })

  it('stores empty and large files', async () => {
    const store = open()
    const bytes = randomBytes(20 * MEBIBYTE + 3)
    await store.put('uploads/7/ab/large', await writeIncoming(store, bytes))
    await store.put('uploads/7/ab/none', await writeIncoming(store, Buffer.alloc(0)))
    await store.write('uploads/7/ab/none-either', Buffer.alloc(0))
    expect(await listFiles(store)).toEqual([
      ['uploads/7/ab/large', bytes.length],
      ['uploads/7/ab/none', 0],
      ['uploads/7/ab/none-either', 0],
    ])
    expect((await buffer(store.read('uploads/7/ab/large'))).equals(bytes)).toBe(true)
    expect(await buffer(store.read('uploads/7/ab/none'))).toHaveLength(0)
    const last = { start: 20 * MEBIBYTE, end: bytes.length - 1 }
    expect((await buffer(store.read('uploads/7/ab/large', last))).equals(bytes.subarray(-3))).toBe(true)
  })

  it('overwrites an existing file', async () => {
    const store = open()
    await store.write('exports/7/one', Buffer.from('before'))
    await store.put('exports/7/one', await writeIncoming(store, Buffer.from('after that')))
    expect(String(await buffer(store.read('exports/7/one')))).toBe('after that')
  })

  it('reports a missing file and removes a file twice without error', async () => {
    const store = open()
    expect(await store.size('uploads/7/ab/none')).toBeUndefined()
    await expect(buffer(store.read('uploads/7/ab/none'))).rejects.toMatchObject({ code: 'ENOENT' })
    await store.write('uploads/7/ab/one', Buffer.from('x'))
    await store.remove('uploads/7/ab/one')
    await store.remove('uploads/7/ab/one')
    expect(await store.size('uploads/7/ab/one')).toBeUndefined()
    expect(await listFiles(store)).toEqual([])
  })

  it('removes all kinds of files of one organization', async () => {
    const store = open()
    for (const key of ['uploads/7/ab/one', 'uploads/77/ab/two', 'avatars/7/three.png', 'avatars/8/four.png'])
      await store.write(key, Buffer.from('x'))
    await store.removeOrganization(7)
    expect(await listFiles(store)).toEqual([
      ['avatars/8/four.png', 1],
      ['uploads/77/ab/two', 1],
    ])
  })

  it('rejects an invalid file key', async () => {
    const store = open()
    for (const key of ['one', 'uploads/7', 'uploads/one/two', '../one/two', 'a//b', 'a/../b', '/a/b', 'a/b c', '']) {
      await expect(store.write(key, Buffer.from('x'))).rejects.toThrow('not a file key')
      await expect(store.size(key)).rejects.toThrow('not a file key')
    }
  })

  it('lists more files than fit in one response of the storage', async () => {
    const store = open()
    const keys = Array.from({ length: 83 }, (_one, index) => `uploads/7/ab/${String(index).padStart(4, '0')}`)
    await Promise.all(keys.map(async (key) => store.write(key, Buffer.from('x'))))
    expect(await listFiles(store)).toEqual(keys.map((key) => [key, 1]))
  })
})

describe('bucket file store', () => {
  it('ignores files in the bucket under another prefix', async () => {
    const [one, other] = [inBucket({}, storage.address('a')), inBucket({}, storage.address('a/b'))]
    await other.write('uploads/7/ab/one', Buffer.from('x'))
    expect(await one.size('uploads/7/ab/one')).toBeUndefined()
    // Otherwise, the cleanup of unreferenced files would remove a file under another prefix.
    expect(await listFiles(one)).toEqual([])
    await one.removeOrganization(7)
    expect(await listFiles(other)).toEqual([['uploads/7/ab/one', 1]])
  })

  it.each([
    ['a wrong secret', { secretAccessKey: 'swordfish', accessKeyId: 'S3RVER' }, undefined, 'rejects AWS_ACCESS_KEY_ID'],
    ['an unknown key', { secretAccessKey: 'swordfish', accessKeyId: 'NOBODY' }, undefined, 'rejects AWS_ACCESS_KEY_ID'],
    ['a missing bucket', undefined, 'elsewhere', 'does not exist'],
  ])('reports %s without revealing secrets', async (_, credentials, bucket, sentence) => {
    const store = inBucket(credentials === undefined ? {} : { credentials }, storage.address('chat', bucket))
    const reason = (await store.failure()) ?? ''
    expect(reason).toContain(sentence)
    expect(reason).toMatch(/^the bucket [\w-]+ at http:\/\/127\.0\.0\.1:\d+ /)
    expect(reason).not.toMatch(/swordfish|S3RVER|NOBODY|open secret/)
    const away = { name: 'StoreUnavailableError', message: reason }
    await expect(store.size('uploads/7/ab/one')).rejects.toMatchObject(away)
    await expect(store.write('uploads/7/ab/one', Buffer.from('x'))).rejects.toMatchObject(away)
    await expect(buffer(store.read('uploads/7/ab/one'))).rejects.toMatchObject(away)
    expect(store.report).toMatchObject({ kind: 's3', isReached: false })
    expect(store.report.failures).toBeGreaterThanOrEqual(4)
  })

  it('reports full storage as ENOSPC and stores no partial file', async () => {
    const full = await S3Server.start({ mostBytes: 1_000 })
    onTestFinished(async () => full.close())
    const store = inBucket({}, full.address())
    await expect(store.write('uploads/7/ab/one', Buffer.alloc(1_001))).rejects.toMatchObject({ code: 'ENOSPC' })
    const large = await writeIncoming(store, Buffer.alloc(9 * MEBIBYTE))
    await expect(store.put('uploads/7/ab/two', large)).rejects.toMatchObject({ code: 'ENOSPC' })
    await store.write('uploads/7/ab/three', Buffer.alloc(1_000))
    expect(await listFiles(store)).toEqual([['uploads/7/ab/three', 1_000]])
  })

  it('does not wait for unresponsive storage, and uses the storage again once it responds', async () => {
    const slow = await S3Server.start()
    onTestFinished(async () => slow.close())
    const store = inBucket({ answerMilliseconds: 300 }, slow.address())
    await store.write('uploads/7/ab/one', Buffer.from('x'))
    slow.signal('SIGSTOP')
    await expect(store.size('uploads/7/ab/one')).rejects.toThrow('it did not respond in time')
    expect(store.report.isReached).toBe(false)
    slow.signal('SIGCONT')
    await expect.poll(async () => store.size('uploads/7/ab/one').catch(() => undefined)).toBe(1)
    expect(store.report.isReached).toBe(true)
  })

  it('reports a connection that the storage refused', async () => {
    const listening = createServer().listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const address = listening.address()
    listening.close()
    await once(listening, 'close')
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const store = inBucket({}, `s3://chat?endpoint=http://127.0.0.1:${port}`)
    expect(await store.failure()).toMatch(/^the bucket chat at .* is unavailable: connect ECONNREFUSED/)
  })

  it('finishes a read across a restart of the storage, but fails if the storage stays down', async () => {
    const fragile = await S3Server.start()
    onTestFinished(async () => fragile.close())
    const store = inBucket({}, fragile.address())
    const bytes = randomBytes(24 * MEBIBYTE)
    await store.put('uploads/7/ab/one', await writeIncoming(store, bytes))
    for (const [start, end] of [
      [0, bytes.length - 1],
      [1_000, 22 * MEBIBYTE],
    ] as const) {
      const reading = store.read('uploads/7/ab/one', { start, end })
      await once(reading, 'readable')
      await fragile.restart()
      expect((await buffer(reading)).equals(bytes.subarray(start, end + 1))).toBe(true)
    }
    const whole = store.read('uploads/7/ab/one')
    await once(whole, 'readable')
    await fragile.kill()
    await expect(buffer(whole)).rejects.toMatchObject({ name: 'StoreUnavailableError' })
  })

  it('aborts the request to the storage when a read is canceled', async () => {
    const connections: Socket[] = []
    const proxy = createServer((socket) => {
      connections.push(socket)
      const upstream = connect(storage.port, '127.0.0.1')
      socket.on('error', () => undefined).on('close', () => upstream.destroy())
      upstream.on('error', () => undefined).on('close', () => socket.destroy())
      socket.pipe(upstream).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(async () => {
      proxy.close()
      await once(proxy, 'close')
    })
    const address = proxy.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const store = inBucket({}, storage.address().replace(`:${storage.port}`, `:${port}`))
    await store.put('uploads/7/ab/one', await writeIncoming(store, randomBytes(12 * MEBIBYTE)))
    const open = (): Socket[] => connections.filter((connection) => !connection.destroyed)
    const reading = store.read('uploads/7/ab/one')
    await once(reading, 'readable')
    const before = open().length
    reading.destroy()
    // Otherwise, the connection would stay open for the next request.
    await expect.poll(() => open().length).toBe(before - 1)
    expect(await store.size('uploads/7/ab/one')).toBe(12 * MEBIBYTE)
    expect(store.report).toMatchObject({ isReached: true, failures: 0 })
  })
})

describe('S3 addresses', () => {
  it('parses bucket, prefix, endpoint, region, and path style of an S3 address', () => {
    expect(readS3Address('s3://chat-files')).toEqual({
      bucket: 'chat-files',
      prefix: '',
      endpoint: undefined,
      region: 'us-east-1',
      isPathStyle: false,
      name: 'the bucket chat-files at Amazon S3 in us-east-1',
    })
    expect(readS3Address(' s3://chat/a.b/c/?endpoint=https://s3.example.org:9000/&region=eu-central-1 ')).toEqual({
      bucket: 'chat',
      prefix: 'a.b/c/',
      endpoint: 'https://s3.example.org:9000',
      region: 'eu-central-1',
      isPathStyle: true,
      name: 'the bucket chat at https://s3.example.org:9000',
    })
    expect(readS3Address('s3://chat?endpoint=http://storage&path_style=off').isPathStyle).toBe(false)
  })

  it.each(['b', 'bb', `b${'c'.repeat(63)}`, 'Chat', 'chat_files', '-chat', 'chat-', 'chat..files', 'chät'])(
    'explains which rule an invalid bucket name violates: %s',
    (bucket) => {
      const rule =
        /^must have a bucket name of 3 to 63 lowercase letters, digits, hyphens, and dots, .* like s3:\/\/bucket\//
      expect(() => readS3Address(`s3://${bucket}/files?endpoint=https://s3.example.org`)).toThrow(rule)
      expect(readS3Address(`s3://b${'c'.repeat(62)}`).bucket).toHaveLength(63)
    },
  )

  it.each([
    '',
    'chat',
    's3:chat',
    's3://',
    'https://chat/files',
    's3://key:secret@chat',
    's3://chat/../up',
    's3://chat/a//b',
    's3://chat/a b',
    's3://chat?endpoint=s3.example.org',
    's3://chat?endpoint=https://key:secret@s3.example.org',
    's3://chat?endpoint=https://s3.example.org/path',
    's3://chat?endpoint=ftp://s3.example.org',
    's3://chat?region=no region',
    's3://chat?path_style=perhaps',
    's3://chat?secret=swordfish',
    's3://chat#files',
  ])('rejects an invalid address without revealing secrets: %s', (text) => {
    expect(() => readS3Address(text)).toThrow(/^must (?!.*(?:swordfish|secret@))/)
  })
})

it('leaves threads free for reading files while a slow disk stores many files', async () => {
  const store = diskStore(join(folder, randomName()))
  await mkdir(store.incoming, { recursive: true })
  // A pipe without a writer blocks the thread that opens it, like a slow disk.
  const pipes = Array.from({ length: 8 }, (_, index) => join(store.incoming, `pipe${index}`))
  execFileSync('mkfifo', pipes)
  const kept = pipes.map(async (path, index) => store.put(`uploads/7/ab/${index}`, path))
  expect((await readFile(import.meta.filename)).length).toBeGreaterThan(0)
  const writer = spawn('sh', ['-c', 'for pipe; do : > "$pipe"; done', 'sh', ...pipes])
  await Promise.all([once(writer, 'close'), Promise.allSettled(kept)])
})
