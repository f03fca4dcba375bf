import { afterEach, describe, expect, it, vi } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { anyNumber, textLike } from '../../testing/expected.ts'
import { fetchAs, fetchUnauthenticated, PIXEL, sendFiles, upload } from '../../testing/files.ts'
import { startTestServer, startTestServerOn, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser, type Answer } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { ARCHIVE_LIMIT, EXPORT_LIMIT, EXPORT_TYPE, PAST_EXPORT_LIMIT } from './contract.ts'
import { archiveKey } from './queries/index.ts'
import { archivePathOf, exportedFiles, startExport, listExports, waitForExport, recordsOf } from './testing/archives.ts'

const server = useTestServer()

afterEach(() => void vi.restoreAllMocks())

function messageContents(files: ReadonlyMap<string, Buffer>): unknown[] {
  return recordsOf(files, 'messages').map((message) => message['content'])
}

describe('data exports', () => {
  it('creates an export in the background and notifies only administrators', async () => {
    const { owner, user } = await server().organization()
    const [ada, mod, mia] = [await user('Ada', { role: 200 }), await user('Mo', { role: 300 }), await user('Mia')]
    const look = await watch({ owner, ada, mod, mia })
    const id = await startExport(ada)
    const done = await waitForExport(owner, id)
    const begun = {
      id,
      acting_user_id: ada.id,
      export_time: anyNumber,
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: null,
      pending: true,
      export_type: 1,
    }
    expect(done).toEqual({ ...begun, pending: false, export_url: textLike(/^http.*\.tar\.gz$/) })
    const { headers } = await fetchAs(owner, archivePathOf(done))
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'private, no-cache',
      'content-disposition': textLike(/^attachment; filename="[\w-]+\.tar\.gz"$/),
    })
    expect((await owner.call('DELETE', `/export/realm/${id}`))['result']).toBe('success')
    const deleted = { ...done, export_url: null, deleted_timestamp: anyNumber }
    expect(await listExports(ada)).toEqual([deleted])
    expect((await fetchAs(owner, archivePathOf(done))).status).toBe(404)
    const told = [begun, done, deleted].map((one) => ({ type: 'realm_export', exports: [one] }))
    expect(await look()).toEqual({ owner: told, ada: told, mod: [], mia: [] })
  })

  it('lets only administrators list, create, download, and delete exports', async () => {
    const { owner, user } = await server().organization()
    const id = await startExport(owner)
    const address = archivePathOf(await waitForExport(owner, id))
    const look = await watch({ owner })
    for (const role of [300, 400, 600] as const) {
      const somebody = await user(`Role ${role}`, { role })
      await look()
      const answers = [
        await somebody.try('GET', '/export/realm'),
        await somebody.try('GET', '/export/realm/consents'),
        await somebody.try('POST', '/export/realm'),
        await somebody.try('DELETE', `/export/realm/${id}`),
        await somebody.try('DELETE', '/export/realm/999999'),
      ]
      for (const { status, body } of answers) {
        expect([status, body['msg']]).toEqual([400, 'Must be an organization administrator'])
      }
      const absent = await fetchAs(somebody, address.replace(/\/.{24}\./, `/${'x'.repeat(24)}.`))
      expect(await fetchAs(somebody, address)).toMatchObject({ status: 404, bytes: absent.bytes })
      expect((await (await signIn(somebody)).fetches(address)).status).toBe(404)
    }
    expect((await fetchUnauthenticated(owner, address)).status).toBe(401)
    const elsewhere = await server().organization()
    expect((await fetchAs(elsewhere.owner, address)).status).toBe(404)
    expect((await (await signIn(owner)).fetches(address)).status).toBe(200)
    expect(await look()).toEqual({ owner: [] })
  })

  it('limits a public export to what all members can read', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    await mia.call('PATCH', '/settings', { allow_private_data_export: true, email_address_visibility: 4 })
    await owner.subscribe(['open'], { principals: [owner.id, mia.id] })
    await owner.subscribe(['closed'], { invite_only: true, principals: [owner.id, mia.id] })
    const [open, closed] = [
      await upload(mia, 'open.txt', 'Open bytes'),
      await upload(mia, 'closed.txt', 'Closed bytes'),
    ]
    const id = await mia.send('open', 'hello', `To all [file](${open})`)
    await owner.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await mia.send('closed', 'hello', `To some [file](${closed})`)
    for (const stream of ['open', 'closed']) {
      const { stream_id } = await mia.call('GET', '/get_stream_id', { stream })
      await mia.call('POST', `/streams/${stream_id}/links`, { title: stream, url: '/#recent' })
      await mia.try('POST', `/streams/${stream_id}/pins`, { message_id: id, scope: 'channel' })
    }
    await mia.sendTo([owner.id], 'To one')
    await mia.call('POST', '/saved_snippets', { title: 'Mine', content: 'x' })
    await sendFiles(mia, '/users/me/avatar', [{ name: 'me.png', content: PIXEL }])
    const files = await exportedFiles(owner, EXPORT_TYPE.public)
    expect(JSON.parse(files.get('export.json')?.toString('utf8') ?? '')).toMatchObject({
      format: 1,
      realm_name: 'Test',
      export_type: 1,
      consenting_user_ids: [],
    })
    expect(recordsOf(files, 'messages')).toMatchObject([
      {
        id,
        sender_id: mia.id,
        recipient_ids: null,
        topic: 'hello',
        content: `To all [file](${open})`,
        reactions: [{ user_id: owner.id, emoji_name: 'tada' }],
        pin: { scope: 'channel', pinned_by: mia.id },
      },
    ])
    expect(recordsOf(files, 'channels')).toMatchObject([{ name: 'open', subscriber_ids: [owner.id, mia.id] }])
    expect(recordsOf(files, 'channel_links')).toMatchObject([
      { link_id: expect.any(Number) as unknown, title: 'open', url: '/#recent', created_by: mia.id },
    ])
    const [file] = recordsOf(files, 'uploads')
    expect(recordsOf(files, 'uploads')).toMatchObject([{ owner_id: mia.id, name: 'open.txt', size: 10 }])
    expect(files.get(`upload_files/${String(file?.['id'])}`)?.toString('utf8')).toBe('Open bytes')
    expect(files.get(`avatars/${mia.id}.png`)?.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect(recordsOf(files, 'users')).toMatchObject([{ user_id: owner.id }, { user_id: mia.id, delivery_email: null }])
    const names = [...files.keys()]
    expect(names.filter((name) => name.startsWith('own/'))).toEqual([])
    for (const [name, bytes] of files) {
      const text = bytes.toString('latin1')
      for (const secret of ['To some', 'To one', 'Closed bytes', mia.email, mia.apiKey, owner.apiKey]) {
        expect([name, secret, text.includes(secret)]).toEqual([name, secret, false])
      }
    }
  })

  it('exports what consenting people can read, and their personal data', async () => {
    const { owner, user } = await server().organization()
    const [mia, noah] = [await user('Mia'), await user('Noah')]
    await owner.subscribe(['hers'], { invite_only: true, principals: [owner.id, mia.id] })
    await owner.subscribe(['his'], { invite_only: true, principals: [owner.id, noah.id] })
    const protection = { invite_only: true, history_public_to_subscribers: false }
    await owner.subscribe(['kept'], { ...protection, principals: [owner.id, noah.id] })
    await owner.send('hers', 'hello', 'In hers')
    await owner.send('his', 'hello', 'In his')
    await owner.send('kept', 'hello', 'Before she came')
    await owner.subscribe(['kept'], { principals: [mia.id] })
    await owner.send('kept', 'hello', 'When she was there')
    await noah.sendTo([owner.id], 'Between others')
    await noah.sendTo([mia.id], 'To her')
    for (const somebody of [mia, noah]) {
      await somebody.call('POST', '/saved_snippets', { title: `Of ${somebody.id}`, content: 'x' })
      await somebody.call('PATCH', '/settings', { enter_sends: true })
    }
    const starred = await owner.send('hers', 'hello', 'A star')
    await mia.call('POST', '/messages/flags', { messages: [starred], op: 'add', flag: 'starred' })
    await mia.call('PATCH', '/settings', { allow_private_data_export: true })
    const files = await exportedFiles(owner, EXPORT_TYPE.fullWithConsent)
    expect(JSON.parse(files.get('export.json')?.toString('utf8') ?? '')).toMatchObject({
      export_type: 2,
      consenting_user_ids: [mia.id],
    })
    expect(messageContents(files)).toEqual(['In hers', 'When she was there', 'To her', 'A star'])
    expect(recordsOf(files, 'channels').map(({ name }) => name)).toEqual(['hers', 'kept'])
    expect(recordsOf(files, `own/${mia.id}/saved_snippets`)).toMatchObject([{ title: `Of ${mia.id}` }])
    expect(recordsOf(files, `own/${mia.id}/starred_messages`)).toEqual([{ user_id: mia.id, message_id: starred }])
    expect(recordsOf(files, `own/${mia.id}/settings`)).toMatchObject([{ user_id: mia.id, enter_sends: true }])
    expect(recordsOf(files, `own/${mia.id}/subscriptions`)).toMatchObject([{ name: 'hers' }, { name: 'kept' }])
    expect([...files.keys()].filter((name) => name.startsWith(`own/${noah.id}/`))).toEqual([])
  })

  it('exports many messages in parts, each message once', async () => {
    const organization = await server().organization()
    const { owner } = organization
    await owner.subscribe(['general'])
    const first = await owner.send('general', 'hello', 'First')
    const log = await server().parley.logs.of(organization.id)
    await log.write(async (tx) => {
      const ids = Array.from({ length: 1_000 }, () => tx.nextId())
      await tx.db.rows(
        'fill_messages',
        `insert into messages (organization_id, id, channel_id, topic_id, sender_id, content, rendered_content, date_sent, client)
         select organization_id, n, channel_id, topic_id, sender_id, repeat('x', 2000), '', date_sent, client
         from messages, unnest($3::bigint[]) as n where organization_id = $1 and id = $2`,
        [organization.id, first, ids],
      )
    })
    const files = await exportedFiles(owner, EXPORT_TYPE.public)
    const all = recordsOf(files, 'messages').map(({ id }) => Number(id))
    expect(all).toHaveLength(1_001)
    expect(new Set(all).size).toBe(1_001)
    expect([...files.keys()].filter((name) => name.startsWith('messages/')).length).toBeGreaterThan(1)
  })
})

describe('refused data export requests', () => {
  it('rejects unknown export types, and deletions of missing, pending, or deleted exports', async () => {
    const { owner } = await server().organization()
    for (const export_type of [0, 3, 'public', '1.5', [1]]) {
      expect((await owner.try('POST', '/export/realm', { export_type })).status).toBe(400)
    }
    expect(await listExports(owner)).toEqual([])
    const remove = async (id: number): Promise<unknown> =>
      (await owner.try('DELETE', `/export/realm/${id}`)).body['msg']
    expect(await remove(999_999)).toBe('Invalid data export ID')
    const id = await startExport(owner)
    expect(await remove(id)).toBe('Export still in progress')
    await waitForExport(owner, id)
    expect(await remove(id)).toBe('')
    expect(await remove(id)).toBe('Export already deleted')
  })

  it('refuses a sixth export within a week', async () => {
    const organization = await server().organization()
    const { owner } = organization
    await storeExports(organization, EXPORT_LIMIT.most - 1, { begunAt: now(), completedAt: now() })
    const id = await startExport(owner)
    const { status, body } = await owner.try('POST', '/export/realm')
    const message = 'You can start at most 5 exports per week.'
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', message])
    expect(await listExports(owner)).toHaveLength(EXPORT_LIMIT.most)
    await waitForExport(owner, id)
  })

  it('refuses an export while 20 archives are stored', async () => {
    const organization = await server().organization()
    const { owner } = organization
    await storeExports(organization, ARCHIVE_LIMIT.most, { begunAt: 1, completedAt: 1 })
    const { body } = await owner.try('POST', '/export/realm')
    expect(body['msg']).toBe('An organization can have at most 20 exports. Delete one first.')
    const [oldest] = await listExports(owner)
    await owner.call('DELETE', `/export/realm/${String(oldest?.['id'])}`)
    await waitForExport(owner, await startExport(owner))
  })
})

it('lists only the newest 50 deleted or failed exports', async () => {
  const organization = await server().organization()
  const { owner } = organization
  await storeExports(organization, PAST_EXPORT_LIMIT.most + 3, { begunAt: 1, failedAt: 2 })
  const before = await listExports(owner)
  expect(before[0]).toMatchObject({ pending: false, failed_timestamp: 2, export_url: null })
  const failed = await owner.try('DELETE', `/export/realm/${String(before[0]?.['id'])}`)
  expect(failed.body['msg']).toBe('Export failed, nothing to delete')
  const id = await startExport(owner)
  expect((await listExports(owner)).map((one) => one['id'])).toEqual([...before.slice(3).map((one) => one['id']), id])
  await waitForExport(owner, id)
})

function now(): number {
  return Math.floor(Date.now() / 1000)
}

interface StoredExport {
  readonly begunAt: number
  readonly completedAt?: number
  readonly failedAt?: number
}

async function storeExports(
  { id, owner }: TestOrganization,
  count: number,
  { begunAt, completedAt, failedAt }: StoredExport,
) {
  const log = await server().parley.logs.of(id)
  await log.write(async (tx) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      organization_id: id,
      id: tx.nextId(),
      acting_user_id: owner.id,
      export_type: 1,
      begun_at: begunAt,
      name: `${'x'.repeat(20)}${String(index).padStart(4, '0')}`,
      completed_at: completedAt ?? null,
      failed_at: failedAt ?? null,
    }))
    await tx.db.insertInto('data_exports').values(rows).execute()
  })
}

describe('failed data exports', () => {
  it('marks an export as failed after three attempts and stores no archive', async () => {
    const { owner } = await server().organization()
    const { files } = server().parley.facts
    const put = vi.spyOn(files, 'put').mockRejectedValue(new Error('no room'))
    const look = await watch({ owner })
    const done = await waitForExport(owner, await startExport(owner))
    expect(done).toMatchObject({ failed_timestamp: anyNumber, export_url: null })
    expect(put).toHaveBeenCalledTimes(3)
    expect((await look()).owner).toMatchObject([{ exports: [{ pending: true }] }, { exports: [{ pending: false }] }])
  })

  it('restarts an export whose process crashed', async () => {
    const first = await startTestServer()
    const { id: organizationId, owner, host } = await first.organization()
    const [id, name] = [900_001, 'x'.repeat(24)]
    const keyOf = (attempts: number): string => archiveKey(organizationId, { name, attempts })
    // Simulates a crash between storing and recording the archive. The lease outlasts the start of the second server.
    await first.parley.database.pool.query(
      `insert into data_exports (organization_id, id, acting_user_id, export_type, begun_at, name, attempts, leased_until)
       values ($1, $2, $3, 1, $4, $5, 1, 4000000000)`,
      [organizationId, id, owner.id, now(), name],
    )
    await first.parley.close()
    const second = await startTestServerOn(first.database)
    const there = new TestUser(second.parley.url, host, owner.email, owner.apiKey, owner.id)
    const { database, facts } = second.parley
    await facts.files.write(keyOf(1), Buffer.from('of the first attempt'))
    await database.pool.query('update data_exports set leased_until = 5 where id = $1', [id])
    expect(await waitForExport(there, id)).toMatchObject({ failed_timestamp: null })
    expect(await facts.files.size(keyOf(1))).toBeUndefined()
    expect(await facts.files.size(keyOf(2))).toBeGreaterThan(0)
    await second.close()
  })
})

describe('export consent', () => {
  async function consents(user: TestUser): Promise<unknown> {
    return (await user.call('GET', '/export/realm/consents'))['export_consents']
  }

  it('lists export consents, and notifies administrators and the consenting person of changes', async () => {
    const { owner, user } = await server().organization()
    const [mia, noah] = [await user('Mia'), await user('Noah')]
    await user('Bert Bot', { bot: {} })
    const gone = await user('Gone')
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner, mia, noah })
    const setConsent = async (value: boolean): Promise<Answer> =>
      mia.try('PATCH', '/settings', { allow_private_data_export: value })
    await setConsent(true)
    await setConsent(true)
    expect(await consents(owner)).toEqual([
      { user_id: owner.id, consented: false },
      { user_id: mia.id, consented: true },
      { user_id: noah.id, consented: false },
    ])
    await setConsent(false)
    const own = [true, false].map((value) => ({
      type: 'user_settings',
      op: 'update',
      property: 'allow_private_data_export',
      value,
    }))
    const told = [true, false].map((consented) => ({ type: 'realm_export_consent', user_id: mia.id, consented }))
    expect(await look()).toEqual({ owner: told, mia: own, noah: [] })
  })

  it('notifies administrators when a new person consents to exports by default', async () => {
    const { owner, user } = await server().organization()
    await owner.call('PATCH', '/realm/user_settings_defaults', { allow_private_data_export: true })
    const queue = await owner.register({ event_types: ['realm_export_consent'] })
    const mia = await user('Mia')
    expect(await queue.events()).toMatchObject([{ user_id: mia.id, consented: true }])
    expect(await consents(owner)).toContainEqual({ user_id: mia.id, consented: true })
  })
})
