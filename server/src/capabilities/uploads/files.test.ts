import { describe, expect, it } from 'vitest'
import pg from 'pg'
import { fetchAs, fetchUnauthenticated, sendFiles, upload } from '../../testing/files.ts'
import { sendRequest, MULTIPART, multipart } from '../../testing/requests.ts'
import { useTestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { UNCLAIMED_UPLOAD_DAYS } from './contract.ts'
import { removeForgottenUploads } from './jobs.ts'
import { signPass } from './rules.ts'

const server = useTestServer({ PARLEY_MAX_FILE_UPLOAD_MIB: '2', PARLEY_UPLOAD_QUOTA_MIB: '4' })

const MEBIBYTE = 1024 * 1024
const NOT_FOUND_RESPONSE = { result: 'error', code: 'NOT_FOUND', msg: 'No such endpoint or file' }

async function queryDatabase<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  const client = new pg.Client(server().database)
  await client.connect()
  try {
    return (await client.query<Row>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

async function removeForgottenFiles(): Promise<void> {
  const { database, logs, facts } = server().parley
  const due = await removeForgottenUploads.due(database.reads, Math.floor(Date.now() / 1000), [])
  for (const { organizationId, id } of due) {
    const log = await logs.of(organizationId)
    await removeForgottenUploads.run(
      { log, reads: database.reads, server: facts, closing: new AbortController().signal },
      id,
    )
  }
}

async function usedSpace(user: TestUser): Promise<unknown> {
  return (await user.call('GET', '/attachments'))['upload_space_used']
}

describe('file names', () => {
  it.each([
    ['report final (2).pdf', 'report final (2).pdf', 'report-final-2-.pdf'],
    ['Übersicht – Größe.png', 'Übersicht – Größe.png', 'Übersicht-Größe.png'],
    ['見積書.xlsx', '見積書.xlsx', '見積書.xlsx'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt', 'a.txt'],
    ['..', 'uploaded-file', 'uploaded-file'],
    ['.htaccess', '.htaccess', 'htaccess'],
    ['cod\u202egnp.exe', 'codgnp.exe', 'codgnp.exe'],
    ['[x](y) `z`.txt', '[x](y) `z`.txt', 'x-y-z-.txt'],
    [`${'x'.repeat(251)}.txt`, `${'x'.repeat(251)}.txt`, `${'x'.repeat(66)}.txt`],
  ])('displays the given file name and uses a safe name in the URL: %s', async (given, name, address) => {
    const { owner } = await server().organization()
    const { status, body } = await sendFiles(owner, '/user_uploads', [{ name: given, content: 'x' }])
    expect(status).toBe(200)
    expect(body['filename']).toBe(name)
    const url = String(body['url'])
    expect(url.slice(url.lastIndexOf('/') + 1)).toBe(address)
    const { status: fetched, headers } = await fetchAs(owner, url)
    expect(fetched).toBe(200)
    expect(headers['content-disposition']).toMatch(/^(inline|attachment); filename/)
    // The URL works unchanged in a message.
    const queue = await owner.register({ event_types: ['attachment'] })
    const id = await owner.sendTo([owner.id], `[file](${url})`)
    expect(await queue.events()).toMatchObject([{ op: 'update', attachment: { name, messages: [{ id }] } }])
  })

  it('rejects file names longer than 255 characters', async () => {
    const { owner } = await server().organization()
    const { status, body } = await sendFiles(owner, '/user_uploads', [{ name: 'é'.repeat(256), content: 'x' }])
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect((await sendFiles(owner, '/user_uploads', [{ name: 'é'.repeat(255), content: 'x' }])).status).toBe(200)
  })
})

describe('uploads', () => {
  it('rejects uploads of empty, missing, or multiple files', async () => {
    const { owner } = await server().organization()
    const queue = await owner.register()
    const file = { name: 'a.txt', content: 'x' }
    const refused = [
      await sendFiles(owner, '/user_uploads', []),
      await sendFiles(owner, '/user_uploads', [{ name: 'empty.txt', content: '' }]),
      await sendFiles(owner, '/user_uploads', [file, file]),
      await sendRequest(owner, 'POST', '/user_uploads', { type: MULTIPART, body: multipart({ a: 'b' }) }),
      await sendRequest(owner, 'POST', '/user_uploads', { type: MULTIPART, body: multipart({ a: 'b' }, '') }),
      await sendRequest(owner, 'POST', '/user_uploads'),
    ]
    for (const { status, body } of refused) expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect(await queue.events()).toEqual([])
    expect(await owner.call('GET', '/attachments')).toMatchObject({ attachments: [], upload_space_used: 0 })
  })

  it('accepts files up to max_file_upload_size_mib', async () => {
    const { owner } = await server().organization()
    const { state } = await owner.register({ event_types: ['realm'] })
    expect(state).toMatchObject({ max_file_upload_size_mib: 2, realm_upload_quota_mib: 4 })
    const largest = Buffer.alloc(2 * MEBIBYTE, 'x')
    const tooLarge = await sendFiles(owner, '/user_uploads', [
      { name: 'a', content: Buffer.concat([largest, Buffer.from('x')]) },
    ])
    expect([tooLarge.status, tooLarge.body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect(tooLarge.body['msg']).toMatch(/2 MiB/)
    expect(await usedSpace(owner)).toBe(0)
    const url = await upload(owner, 'a', largest)
    expect((await fetchAs(owner, url)).bytes.equals(largest)).toBe(true)
  })

  it('enforces realm_upload_quota_mib and frees space on deletion', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    const half = Buffer.alloc(2 * MEBIBYTE, 'x')
    await upload(owner, 'a', half)
    await upload(ann, 'b', half)
    const { status, body } = await sendFiles(ann, '/user_uploads', [{ name: 'c', content: 'x' }])
    expect([status, body['code']]).toEqual([400, 'REALM_UPLOAD_QUOTA'])
    expect(await usedSpace(ann)).toBe(4 * MEBIBYTE)
    const { attachments } = await ann.call('GET', '/attachments')
    const [{ id } = { id: 0 }] = attachments
    await ann.call('DELETE', `/attachments/${id}`)
    await upload(ann, 'c', 'x')
    expect(await usedSpace(owner)).toBe(2 * MEBIBYTE + 1)
  })

  it('rejects unauthenticated uploads', async () => {
    const { owner } = await server().organization()
    const stranger = new TestUser(owner.url, owner.host, owner.email, 'wrong', owner.id)
    const { status, body } = await sendFiles(stranger, '/user_uploads', [{ name: 'a', content: 'x' }])
    expect([status, body['code']]).toEqual([401, 'INVALID_API_KEY'])
    expect(await usedSpace(owner)).toBe(0)
  })
})

describe('file downloads', () => {
  it.each([
    ['picture.png', 'image/png', 'inline'],
    ['film.mp4', 'video/mp4', 'inline'],
    ['note.txt', 'text/plain; charset=utf-8', 'inline'],
    ['page.html', 'text/html', 'attachment'],
    ['drawing.svg', 'image/svg+xml', 'attachment'],
    ['paper.pdf', 'application/pdf', 'attachment'],
    ['script.js', 'text/javascript', 'attachment'],
    ['nothing', 'application/octet-stream', 'attachment'],
  ])('displays only harmless files inline: %s', async (name, type, disposition) => {
    const { owner } = await server().organization()
    const { headers } = await fetchAs(owner, await upload(owner, name, '<script>alert(1)</script>'))
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `${disposition}; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    })
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  })

  it('serves byte ranges of a file and answers 304 for a matching ETag', async () => {
    const { owner } = await server().organization()
    const url = await upload(owner, 'a.mp4', '0123456789')
    const range = async (value: string, more = {}): Promise<unknown[]> => {
      const { status, headers, bytes } = await fetchAs(owner, url, { range: value, ...more })
      return [status, headers['content-range'], bytes.toString()]
    }
    expect(await range('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await range('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await range('bytes=8-100')).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await range('bytes=10-')).toEqual([416, 'bytes */10', ''])
    for (const whole of ['bytes=0-1,4-5', 'lines=1-2', 'nonsense']) {
      expect(await range(whole)).toEqual([200, undefined, '0123456789'])
    }
    expect(await range('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, undefined, '0123456789'])
    const head = await fetchAs(owner, url, {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, '10', 0])
    const etag = String(head.headers['etag'])
    expect((await fetchAs(owner, url, { 'if-none-match': etag })).status).toBe(304)
    expect(await range('bytes=2-4', { 'if-range': etag })).toEqual([206, 'bytes 2-4/10', '234'])
  })

  it("answers 404 for altered paths and other organizations' files", async () => {
    const { id, owner } = await server().organization()
    const { owner: other } = await server().organization()
    const url = await upload(owner, 'a.txt', 'x')
    for (const path of [
      url.replace(/a\.txt$/, 'b.txt'),
      url.replace(`/${id}/`, `/${id + 1}/`),
      `${url}/`,
      '/user_uploads/',
      `/user_uploads/${id}/`,
      `/user_uploads/${id}/%00`,
      `/user_uploads/${id}/${'x/'.repeat(2_000)}`,
      `/user_uploads/99999999999999999999999/x`,
    ]) {
      expect([path.slice(0, 60), (await fetchAs(owner, path)).status]).toEqual([path.slice(0, 60), 404])
    }
    const { status, bytes } = await fetchAs(other, url)
    expect([status, JSON.parse(bytes.toString())]).toEqual([404, NOT_FOUND_RESPONSE])
  })
})

describe('temporary file URLs', () => {
  it('serves a temporary URL without authentication only while its requester can read the file', async () => {
    const { owner, user } = await server().organization()
    const [ann, ben] = [await user('Ann'), await user('Ben')]
    const url = await upload(owner, 'größe.png', 'x')
    await owner.subscribe(['club'], { principals: [owner.id, ann.id], invite_only: true })
    await owner.send('club', 'hello', `[x](${url})`)
    const answer = await ann.call('GET', encodeURI(url))
    const address = String(answer['url'])
    expect(address).toMatch(/^\/user_uploads\/temporary\//)
    const { status, headers, bytes } = await fetchUnauthenticated(owner, address)
    expect([status, headers['content-type'], bytes.toString()]).toEqual([200, 'image/png', 'x'])
    // The temporary URL stops working when the person loses access.
    await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
    expect((await fetchUnauthenticated(owner, address)).status).toBe(404)
    const hidden = await ben.try('GET', encodeURI(url))
    const absent = await ben.try('GET', encodeURI(url).replace('.png', '.gif'))
    expect([hidden.status, hidden.body]).toEqual([404, absent.body])
    expect(absent.body['code']).toBe('NOT_FOUND')
  })

  it('rejects forged, altered, and expired temporary file URLs', async () => {
    const { id, owner } = await server().organization()
    const url = await upload(owner, 'a.txt', 'x')
    const address = String((await owner.call('GET', url))['url'])
    const [token = ''] = /[^/]+(?=\/a\.txt$)/.exec(address) ?? []
    const [attachmentId, userId, expires, signature = ''] = token.split('.')
    const [space] = await queryDatabase<{ signing_key: string }>(
      'select signing_key from upload_spaces where organization_id = $1',
      [id],
    )
    const signingKey = space?.signing_key ?? ''
    const now = Math.floor(Date.now() / 1000)
    const pass = { attachmentId: Number(attachmentId), userId: owner.id }
    const statusOf = async (one: string): Promise<number> =>
      (await fetchUnauthenticated(owner, `/user_uploads/temporary/${one}/a.txt`)).status
    expect(await statusOf(signPass(signingKey, { ...pass, expires: now + 50 }))).toBe(200)
    expect(await statusOf(signPass(signingKey, { ...pass, expires: now - 1 }))).toBe(404)
    expect(await statusOf(signPass('other', { ...pass, expires: now + 50 }))).toBe(404)
    expect(await statusOf(`${attachmentId}.${userId}.${Number(expires) + 60}.${signature}`)).toBe(404)
    expect(await statusOf(`${attachmentId}.${userId}.${expires}.${signature.slice(1)}`)).toBe(404)
    expect(await statusOf('x')).toBe(404)
    expect((await fetchUnauthenticated(owner, address.replace('a.txt', 'b.txt'))).status).toBe(404)
  })
})

describe('file deletion', () => {
  it('lets only the owner delete a file and then hides the file from everyone', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    const url = await upload(owner, 'a.txt', 'secret')
    await owner.sendTo([ann.id], `[a](${url})`)
    const { attachments } = await owner.call('GET', '/attachments')
    const [{ id } = { id: 0 }] = attachments
    const [own, others] = [await owner.register(), await ann.register()]
    const refused = await ann.try('DELETE', `/attachments/${id}`)
    expect([refused.status, refused.body]).toEqual([400, (await ann.try('DELETE', '/attachments/999999')).body])
    expect(refused.body['code']).toBe('BAD_REQUEST')
    await owner.call('DELETE', `/attachments/${id}`)
    expect(await own.events()).toMatchObject([
      { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: 0 },
    ])
    expect(await others.events()).toEqual([])
    for (const who of [owner, ann]) expect((await fetchAs(who, url)).status).toBe(404)
    expect(await owner.call('GET', '/attachments')).toMatchObject({ attachments: [], upload_space_used: 0 })
    expect((await owner.try('DELETE', `/attachments/${id}`)).status).toBe(400)
  })

  it('deletes files that no message has linked to for weeks', async () => {
    const { id: organizationId, owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['square'], { principals: [owner.id, ann.id] })
    await owner.call('PATCH', '/realm', { held_message_patterns: 'casino' })
    const held = await upload(ann, 'held.txt', '4444')
    const message = { type: 'stream', to: 'square', topic: 'plans', content: `casino [held](${held})` }
    expect((await ann.try('POST', '/messages', message)).body['code']).toBe('MESSAGE_HELD')
    const waiting = await upload(owner, 'waiting.txt', '55555')
    await owner.call('POST', '/scheduled_messages', {
      type: 'direct',
      to: [owner.id],
      content: `[waiting](${waiting})`,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3_600,
    })
    const [kept, old, young] = [
      await upload(owner, 'kept.txt', '1'),
      await upload(owner, 'old.txt', '22'),
      await upload(owner, 'young.txt', '333'),
    ]
    await owner.sendTo([owner.id], `[kept](${kept})`)
    const age = async (name: string, days: number): Promise<unknown> =>
      queryDatabase(
        'update attachments set unclaimed_since = unclaimed_since - $3 where organization_id = $1 and name = $2',
        [organizationId, name, days * 86_400 + 60],
      )
    await age('kept.txt', UNCLAIMED_UPLOAD_DAYS)
    await age('old.txt', UNCLAIMED_UPLOAD_DAYS)
    await age('waiting.txt', UNCLAIMED_UPLOAD_DAYS)
    await age('held.txt', UNCLAIMED_UPLOAD_DAYS)
    await age('young.txt', UNCLAIMED_UPLOAD_DAYS - 1)
    const queue = await owner.register()
    await removeForgottenFiles()
    expect(await queue.events()).toMatchObject([{ op: 'remove', upload_space_used: 13 }])
    const statuses = await Promise.all(
      [kept, old, young, waiting, held].map(async (url) => (await fetchAs(owner, url)).status),
    )
    expect(statuses).toEqual([200, 404, 200, 200, 200])
    await removeForgottenFiles()
    expect(await queue.events()).toEqual([])
  })
})
