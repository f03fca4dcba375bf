import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { fetchAs, PIXEL, sendFiles, upload } from '../../testing/files.ts'
import { responseTo } from '../../testing/requests.ts'
import { S3Server, type S3ServerOptions } from '../../testing/s3-server.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { basic, TestUser } from '../../testing/user.ts'

const MEBIBYTE = 1024 * 1024
const STORE_UNREACHABLE_RESPONSE = {
  result: 'error',
  code: 'SERVER_NOT_READY',
  msg: 'The file store is unreachable. Try again.',
}

async function startBucketServer(
  options: S3ServerOptions = {},
  environment: Record<string, string> = {},
): Promise<{ storage: S3Server; server: TestServer }> {
  const storage = await S3Server.start(options)
  onTestFinished(async () => storage.close())
  // Silences the errors that the server logs about its storage.
  const told = { ...storage.environment(), PARLEY_LOG_LEVEL: 'silent', ...environment }
  const server = await startTestServer(told)
  onTestFinished(async () => server.close())
  return { storage, server }
}

async function keysIn(server: TestServer): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of server.parley.facts.files.list()) keys.push(key)
  return keys
}

async function beginDownload(user: TestUser, address: string): Promise<IncomingMessage> {
  const headers = { host: user.host, authorization: basic(user.email, user.apiKey) }
  return responseTo(request(new URL(address, user.url), { headers }).end())
}

it('answers only file requests with 503 while the storage is unreachable', async () => {
  const { storage, server } = await startBucketServer({}, { PARLEY_METRICS_TOKEN: 'a-secret-token' })
  const { owner } = await server.organization()
  const address = await upload(owner, 'words.txt', 'many words')
  const metric = async (name: string): Promise<number> => {
    const answer = await fetch(`${server.parley.url}/metrics`, { headers: { authorization: 'Bearer a-secret-token' } })
    return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(await answer.text())?.[1])
  }
  expect(await metric('parley_files_reached')).toBe(1)
  expect(await metric('parley_files_requests_total{outcome="answered"}')).toBeGreaterThan(0)
  expect(await metric('parley_files_requests_total{outcome="failed"}')).toBe(0)
  const queue = await owner.register({ event_types: ['attachment', 'realm_user', 'realm_emoji', 'realm'] })
  await storage.kill()

  const fetched = await fetchAs(owner, address)
  expect([fetched.status, fetched.headers['retry-after'], JSON.parse(String(fetched.bytes))]).toEqual([
    503,
    '1',
    STORE_UNREACHABLE_RESPONSE,
  ])
  for (const [path, method] of [
    ['/user_uploads', 'POST'],
    ['/users/me/avatar', 'POST'],
    ['/realm/icon', 'POST'],
    ['/realm/emoji/dot', 'POST'],
  ] as const) {
    const sent = await sendFiles(owner, path, [{ name: 'a.png', content: PIXEL, type: 'image/png' }], method)
    expect([path, sent.status, sent.headers['retry-after'], sent.body]).toEqual([
      path,
      503,
      '1',
      STORE_UNREACHABLE_RESPONSE,
    ])
  }
  await owner.sendTo([owner.id], 'Still here')
  expect((await fetch(`${server.parley.url}/readyz`)).status).toBe(200)
  const { attachments } = await owner.call('GET', '/attachments')
  expect(attachments).toMatchObject([{ name: 'words.txt' }])
  expect(await queue.events()).toEqual([])
  expect(await readdir(server.parley.facts.files.incoming)).toEqual([])
  expect(await metric('parley_files_reached')).toBe(0)
  expect(await metric('parley_files_requests_total{outcome="failed"}')).toBeGreaterThan(0)
  const { findings } = await owner.call('GET', '/server_health')
  expect(findings.filter(({ what }) => what.startsWith('file'))).toEqual([
    { what: 'file_store_away', severity: 'wrong', value: null },
  ])

  await storage.begin()
  expect(String((await fetchAs(owner, address)).bytes)).toBe('many words')
  expect(await keysIn(server)).toHaveLength(1)
  expect(await metric('parley_files_reached')).toBe(1)
})

it('serves files from shared storage to servers with separate data folders', async () => {
  const { storage, server } = await startBucketServer()
  const elsewhere = await mkdtemp(join(tmpdir(), 'parley-node-'))
  onTestFinished(async () => rm(elsewhere, { recursive: true, force: true }))
  const told = { ...storage.environment(), PARLEY_DATA_DIR: elsewhere }
  const other = await startTestServerOn(server.database, told, { shared: true })
  onTestFinished(async () => other.close())
  const { owner } = await server.organization()
  const address = await upload(owner, 'words.txt', 'many words')
  const there = new TestUser(other.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
  expect(String((await fetchAs(there, address)).bytes)).toBe('many words')
  const { headers, status, bytes } = await fetchAs(there, address, { range: 'bytes=5-' })
  expect([status, headers['content-range'], String(bytes)]).toEqual([206, 'bytes 5-9/10', 'words'])
})

it('deletes a file while the storage is unreachable and never serves it again', async () => {
  const { storage, server } = await startBucketServer()
  const { owner } = await server.organization()
  const address = await upload(owner, 'words.txt', 'many words')
  const { attachments } = await owner.call('GET', '/attachments')
  const [{ id } = { id: 0 }] = attachments
  await storage.kill()
  await owner.call('DELETE', `/attachments/${id}`)
  await storage.begin()
  expect((await fetchAs(owner, address)).status).toBe(404)
  expect(await owner.call('GET', '/attachments')).toMatchObject({ attachments: [], upload_space_used: 0 })
})

it('starts with a wrong storage secret or bucket, reports the error, and refuses uploads', async () => {
  const storage = await S3Server.start()
  onTestFinished(async () => storage.close())
  for (const wrong of [
    { ...storage.environment(), AWS_SECRET_ACCESS_KEY: 'swordfish' },
    { ...storage.environment(), PARLEY_FILES: storage.address('chat', 'elsewhere') },
  ]) {
    const server = await startTestServer({ ...wrong, PARLEY_LOG_LEVEL: 'silent' })
    onTestFinished(async () => server.close())
    const { owner } = await server.organization()
    const sent = await sendFiles(owner, '/user_uploads', [{ name: 'a', content: 'x' }])
    expect([sent.status, sent.body]).toEqual([503, STORE_UNREACHABLE_RESPONSE])
    expect(await owner.call('GET', '/attachments')).toMatchObject({ attachments: [], upload_space_used: 0 })
    const { findings } = await owner.call('GET', '/server_health')
    expect(findings).toContainEqual({ what: 'file_store_away', severity: 'wrong', value: null })
    expect(JSON.stringify(findings)).not.toMatch(/swordfish|elsewhere|127/)
  }
})

it('stores no record of a partially uploaded file', async () => {
  const { storage, server } = await startBucketServer({ partsOfLife: 2 })
  const { owner } = await server.organization()
  const queue = await owner.register({ event_types: ['attachment'] })
  const content = randomBytes(20 * MEBIBYTE)
  const sent = await sendFiles(owner, '/user_uploads', [{ name: 'large.bin', content }])
  expect([sent.status, sent.body]).toEqual([503, STORE_UNREACHABLE_RESPONSE])
  await storage.kill()
  await storage.begin()
  expect(await owner.call('GET', '/attachments')).toMatchObject({ attachments: [], upload_space_used: 0 })
  expect(await queue.events()).toEqual([])
  expect(await keysIn(server)).toEqual([])
  expect(await readdir(server.parley.facts.files.incoming)).toEqual([])
  const address = await upload(owner, 'large.bin', content)
  expect((await fetchAs(owner, address)).bytes.equals(content)).toBe(true)
})

it('continues a download after the storage restarts, or aborts it if the storage stays down', async () => {
  const { storage, server } = await startBucketServer()
  const { owner } = await server.organization()
  const content = randomBytes(28 * MEBIBYTE)
  const address = await upload(owner, 'large.bin', content)
  const patient = await beginDownload(owner, address)
  await storage.restart()
  expect((await buffer(patient)).equals(content)).toBe(true)
  const unlucky = await beginDownload(owner, address)
  await storage.kill()
  expect([unlucky.statusCode, unlucky.headers['content-length']]).toEqual([200, String(content.length)])
  await expect(buffer(unlucky)).rejects.toThrow('aborted')
})

it('reports full storage and stores no part of the upload', async () => {
  const { server } = await startBucketServer({ mostBytes: MEBIBYTE })
  const { owner } = await server.organization()
  const queue = await owner.register({ event_types: ['attachment'] })
  for (const bytes of [2 * MEBIBYTE, 10 * MEBIBYTE]) {
    const { status, body } = await sendFiles(owner, '/user_uploads', [{ name: 'a', content: Buffer.alloc(bytes) }])
    const msg = 'The server has no space for this file. Tell its operator.'
    expect([status, body]).toEqual([507, { result: 'error', code: 'SERVER_NOT_READY', msg }])
  }
  expect(await queue.events()).toEqual([])
  expect(await keysIn(server)).toEqual([])
  await upload(owner, 'small', 'x')
  expect(await queue.events()).toHaveLength(1)
})
