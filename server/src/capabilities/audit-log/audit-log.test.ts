import { describe, expect, it } from 'vitest'
import { runJob } from '../../testing/jobs.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { createPeople, makeBot } from '../bots/testing/bots.ts'
import { MAX_RETAINED_ENTRIES, MAX_DELETED_PER_TRANSACTION, deleteOldestEntries } from './actions.ts'
import { AUDIT_LIMIT, AUDIT_RETENTION_SECONDS, PIN_CHANGE_LIMIT, TOOL_USE_LIMIT, type AuditEntry } from './contract.ts'
import { pruneAuditLog } from './jobs.ts'
import { dueAuditLogs } from './queries.ts'

const server = useTestServer()

async function entriesOf(reader: TestUser, parameters: Body = {}): Promise<Omit<AuditEntry, 'id' | 'timestamp'>[]> {
  const { entries } = await reader.call('GET', '/audit_log', parameters)
  return entries.toReversed().map(({ id: _id, timestamp: _timestamp, ...entry }) => entry)
}

async function watchLog(reader: TestUser): Promise<(parameters?: Body) => Promise<Body[]>> {
  const known = (await entriesOf(reader, { limit: 500 })).length
  return async (parameters = {}) => (await entriesOf(reader, { limit: 500, ...parameters })).slice(known)
}

describe('audit log', () => {
  it('audits role, account, and group changes with their actor and the old and new values', async () => {
    const organization = await server().organization()
    const { owner, ada, mia, bob } = await createPeople(organization)
    const cleo = await organization.user('Cleo')
    const look = await watchLog(ada)
    const user = (one: TestUser, name: string): Body => ({ type: 'user', id: one.id, name })
    await owner.call('PATCH', `/users/${mia.id}`, { role: 300 })
    await ada.call('PATCH', `/users/${mia.id}`, { full_name: 'Mia Moderator' })
    const made = await mia.call('POST', '/user_groups/create', { name: 'crew', description: 'Us', members: [mia.id] })
    const crew = { type: 'group', id: made['group_id'], name: 'crew' }
    await mia.call('POST', `/user_groups/${String(made['group_id'])}/members`, { add: [bob.id, cleo.id] })
    await mia.call('PATCH', `/user_groups/${String(made['group_id'])}`, { name: 'team', description: 'All of us' })
    await ada.call('DELETE', `/users/${cleo.id}`)
    await ada.call('POST', `/users/${cleo.id}/reactivate`)
    const entry = (by: TestUser, kind: string, action: string, target: Body, changes: Body[]): Body => ({
      acting_user_id: by.id,
      kind,
      action,
      target,
      changes,
    })
    expect(await look()).toEqual([
      entry(owner, 'people', 'changed', user(mia, 'Mia Member'), [{ property: 'role', from: 400, to: 300 }]),
      entry(ada, 'people', 'changed', user(mia, 'Mia Member'), [{ property: 'full_name', to: 'Mia Moderator' }]),
      entry(mia, 'groups', 'created', crew, [{ property: 'members', to: [mia.id] }]),
      entry(mia, 'groups', 'members_added', crew, [{ property: 'members', to: [bob.id, cleo.id] }]),
      entry(mia, 'groups', 'changed', crew, [
        { property: 'name', from: 'crew', to: 'team' },
        { property: 'description', from: 'Us', to: 'All of us' },
      ]),
      entry(ada, 'people', 'changed', user(cleo, 'Cleo'), [{ property: 'is_active', from: true, to: false }]),
      entry(ada, 'groups', 'members_removed', { ...crew, name: 'team' }, [{ property: 'members', to: [cleo.id] }]),
      entry(ada, 'people', 'changed', user(cleo, 'Cleo'), [{ property: 'is_active', from: false, to: true }]),
      entry(ada, 'groups', 'members_added', { ...crew, name: 'team' }, [{ property: 'members', to: [cleo.id] }]),
    ])
  })

  it('audits setting, permission, channel, and content changes with their actor', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const { stream_id: channelId } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
    const { user_groups } = await owner.call('GET', '/user_groups')
    const idOf = (name: string): unknown => user_groups.find((group) => group['name'] === name)?.['id']
    const [nobody, members] = [idOf('role:nobody'), idOf('role:members')]
    const look = await watchLog(owner)
    await owner.call('PATCH', '/realm', { name: 'Dale', enable_read_receipts: true })
    await owner.call('PATCH', '/realm', { can_create_bots_group: { new: nobody } })
    await owner.call('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false })
    await owner.call('PATCH', `/streams/${String(channelId)}`, { new_name: 'plans', message_retention_days: 30 })
    await owner.call('PATCH', `/streams/${String(channelId)}`, { can_send_message_group: { new: nobody } })
    await owner.call('DELETE', `/streams/${String(channelId)}`)
    await owner.call('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' })
    await owner.call('POST', '/export/realm')
    const seen = await look()
    expect(seen.every((entry) => entry['acting_user_id'] === owner.id)).toBe(true)
    const channel = (name: string): Body => ({ type: 'channel', id: channelId, name })
    const settings = (changes: Body[]): unknown =>
      expect.objectContaining({ kind: 'settings', action: 'changed', changes })
    const ofChannel = (name: string, changes: Body[]): unknown =>
      expect.objectContaining({ kind: 'channels', action: 'changed', target: channel(name), changes })
    expect(seen).toEqual([
      settings([
        { property: 'name', from: 'Test', to: 'Dale' },
        { property: 'enable_read_receipts', from: false, to: true },
      ]),
      settings([{ property: 'can_create_bots_group', from: members, to: nobody }]),
      settings([{ property: 'domains', from: [], to: ['example.org'] }]),
      ofChannel('news', [
        { property: 'name', from: 'news', to: 'plans' },
        { property: 'message_retention_days', from: null, to: 30 },
      ]),
      ofChannel('plans', [{ property: 'can_send_message_group', from: idOf('role:everyone'), to: nobody }]),
      ofChannel('plans', [{ property: 'is_archived', from: false, to: true }]),
      expect.objectContaining({
        kind: 'content',
        changes: [{ property: 'linkifiers', from: [], to: ['#(?P<id>[0-9]+)'] }],
      }),
      expect.objectContaining({ kind: 'exports', action: 'begun', changes: [{ property: 'export_type', to: 1 }] }),
    ])
  })

  it('audits changes of keys, tokens, addresses, and profiles, but not the old or new values', async () => {
    const people = await createPeople(await server().organization())
    const { owner, mia, bob } = people
    const look = await watchLog(owner)
    const payload_url = 'https://hooks.example.org/very-secret'
    const made = await mia.call('POST', '/bots', { full_name: 'Out Bot', short_name: 'out', bot_type: 3, payload_url })
    const path = `/bots/${String(made['user_id'])}`
    const { api_key } = await mia.call('POST', `${path}/api_key/regenerate`)
    const { token } = await mia.call('POST', `${path}/service/regenerate_token`)
    await owner.call('PATCH', path, { bot_owner_id: bob.id })
    await owner.call('PATCH', `/users/${mia.id}`, { new_email: 'mia.hidden@example.com' })
    const seen = await look()
    const bot = { type: 'user', id: made['user_id'], name: 'Out Bot' }
    expect(seen).toMatchObject([
      { acting_user_id: mia.id, kind: 'bots', action: 'created', target: bot, changes: [] },
      { acting_user_id: mia.id, kind: 'bots', action: 'changed', target: bot, changes: [{ property: 'api_key' }] },
      { acting_user_id: mia.id, kind: 'bots', action: 'changed', target: bot, changes: [{ property: 'service' }] },
      { acting_user_id: owner.id, kind: 'bots', action: 'changed', target: bot },
      { acting_user_id: owner.id, kind: 'people', action: 'changed', changes: [{ property: 'email' }] },
    ])
    expect(seen[3]?.['changes']).toEqual(
      expect.arrayContaining([
        { property: 'bot_owner_id', from: mia.id, to: bob.id },
        { property: 'api_key' },
        { property: 'service' },
      ]),
    )
    const said = JSON.stringify(seen)
    for (const secret of [api_key, token, made['api_key'], 'very-secret', 'mia.hidden']) {
      expect(said).not.toContain(String(secret))
    }
  })

  it("omits messages, people's own settings, refused requests, and unchanged values from the audit log", async () => {
    const people = await createPeople(await server().organization())
    const { owner, mia, bob } = people
    await owner.subscribe(['news'], { principals: [owner.id, mia.id] })
    const look = await watchLog(owner)
    await mia.send('news', 'hello', 'Hello')
    await mia.call('PATCH', '/settings', { full_name: 'Mia Other', enter_sends: true })
    await mia.try('PATCH', `/users/${bob.id}`, { role: 200 })
    await mia.try('PATCH', '/realm', { name: 'Mine' })
    await owner.call('PATCH', '/realm', { name: 'Test' })
    await owner.call('PATCH', `/users/${bob.id}`, { role: 400 })
    expect(await look()).toEqual([])
  })

  it('shows the audit log only to administrators of the organization', async () => {
    const organization = await server().organization()
    const { owner, ada, mia } = await createPeople(organization)
    const [mod, guest] = [await organization.user('Mo', { role: 300 }), await organization.user('Gus', { role: 600 })]
    const bot = await makeBot(mia)
    for (const one of [mia, mod, guest, bot]) {
      const { status, body } = await one.try('GET', '/audit_log')
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Must be an organization administrator'])
      expect(body['entries']).toBeUndefined()
    }
    expect(await entriesOf(ada)).toEqual(await entriesOf(owner))
    const elsewhere = await server().organization('Elsewhere')
    const theirs = await entriesOf(elsewhere.owner)
    await owner.call('PATCH', '/realm', { name: 'Dale' })
    expect(await entriesOf(elsewhere.owner)).toEqual(theirs)
  })

  it('paginates the audit log and filters it by kind, person, and time', async () => {
    const { owner, ada, mia, bob } = await createPeople(await server().organization())
    const look = await watchLog(owner)
    for (const role of [300, 400, 300, 400]) await ada.call('PATCH', `/users/${mia.id}`, { role })
    await owner.call('PATCH', '/realm', { name: 'Dale' })
    await owner.call('PATCH', `/users/${bob.id}`, { role: 300 })
    const all = await look()
    expect(all).toHaveLength(6)
    const first = await owner.call('GET', '/audit_log', { limit: 4 })
    expect(first['has_older']).toBe(true)
    const last = first['entries'].at(-1)?.['id']
    const second = await owner.call('GET', '/audit_log', { limit: 2, before: last })
    const ids = [...first['entries'], ...second['entries']].map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    expect(new Set(ids).size).toBe(6)
    const people = async (parameters: Body): Promise<unknown[]> =>
      (await entriesOf(owner, parameters)).map(({ acting_user_id, target }) => [acting_user_id, target?.id])
    expect(await people({ user_id: bob.id })).toEqual([expect.arrayContaining([bob.id]), [owner.id, bob.id]])
    expect(await people({ user_id: ada.id, kind: 'people', limit: 4 })).toEqual(
      Array.from({ length: 4 }, () => [ada.id, mia.id]),
    )
    expect(await entriesOf(owner, { kind: 'settings' })).toMatchObject([{ changes: [{ property: 'name' }] }])
    const now = Math.floor(Date.now() / 1000)
    expect(await entriesOf(owner, { since: now + 1_000 })).toEqual([])
    expect(await entriesOf(owner, { until: now - 1_000 })).toEqual([])
    expect(await entriesOf(owner, { since: now - 1_000, until: now + 1_000, limit: 500 })).toEqual(
      await entriesOf(owner, { limit: 500 }),
    )
    for (const wrong of [
      { limit: 0 },
      { limit: 501 },
      { before: 0 },
      { kind: 'secrets' },
      { user_id: 'x' },
      { since: 'y' },
    ]) {
      expect((await owner.try('GET', '/audit_log', wrong)).status).toBe(400)
    }
    expect(await entriesOf(owner, { user_id: 999_999 })).toEqual([])
  })

  it('prunes old and surplus audit entries of every organization', async () => {
    const organizations = [await server().organization(), await server().organization(), await server().organization()]
    const [first, second, full] = organizations.map(({ id }) => id)
    const { pool, reads } = server().parley.database
    const now = Math.floor(Date.now() / 1000)
    for (const { owner } of organizations) await owner.call('PATCH', '/realm', { name: 'One' })
    await pool.query('update audit_log set recorded_at = $2 where organization_id = any($1)', [
      [first, second],
      now - AUDIT_RETENTION_SECONDS - 10,
    ])
    await pool.query(
      `insert into audit_log (organization_id, id, recorded_at, kind, action, changes)
       select $1, -n, $2, 'settings', 'changed', '[]' from generate_series(1, $3::int) n`,
      [full, now, AUDIT_LIMIT.most],
    )
    const due = (await dueAuditLogs(reads, now)).map(({ organizationId }) => organizationId)
    expect(due).toEqual(expect.arrayContaining([first, second, full]))
    await runJob(server().parley, pruneAuditLog)
    const { rows } = await pool.query(
      'select organization_id as id, count(*)::int from audit_log where organization_id = any($1) group by 1',
      [organizations.map(({ id }) => id)],
    )
    expect(rows).toEqual([{ id: full, count: AUDIT_LIMIT.most }])
  })

  it.each([
    ['tools', TOOL_USE_LIMIT],
    ['pins', PIN_CHANGE_LIMIT],
  ] as const)('prunes surplus entries of the frequent kind %s in batches', async (frequent, { most }) => {
    const { id, owner } = await server().organization()
    await owner.call('PATCH', '/realm', { name: 'One' })
    const changes = await entriesOf(owner)
    const { pool } = server().parley.database
    await pool.query(
      `insert into audit_log (organization_id, id, recorded_at, kind, action, changes)
       select $1, -n, $2, $4, 'used', '[]' from generate_series(1, $3::int) n`,
      [id, Math.floor(Date.now() / 1000), most + 2 * MAX_DELETED_PER_TRANSACTION + 1, frequent],
    )
    const uses = async (): Promise<unknown> =>
      (
        await pool.query('select count(*)::int, min(id)::int from audit_log where organization_id = $1 and kind = $2', [
          id,
          frequent,
        ])
      ).rows[0]
    const log = await server().parley.logs.of(id)
    expect(await log.write(async (tx) => deleteOldestEntries(tx, 0))).toBe(true)
    const left = most + MAX_DELETED_PER_TRANSACTION + 1
    expect(await uses()).toEqual({ count: left, min: -left })
    await runJob(server().parley, pruneAuditLog)
    expect(await uses()).toEqual({ count: most, min: -most })
    expect(await entriesOf(owner, { kind: 'settings' })).toEqual(changes.filter(({ kind }) => kind === 'settings'))
  })

  it('prunes audit entries that are too old, and the oldest entries beyond the limit', async () => {
    const { id, owner } = await server().organization()
    for (const name of ['One', 'Two', 'Three']) await owner.call('PATCH', '/realm', { name })
    const { pool, reads } = server().parley.database
    const log = await server().parley.logs.of(id)
    const now = Math.floor(Date.now() / 1000)
    const isDue = async (): Promise<boolean> =>
      (await dueAuditLogs(reads, now)).some(({ organizationId }) => organizationId === id)
    const names = async (): Promise<unknown[]> =>
      (await entriesOf(owner, { kind: 'settings' })).map(({ changes }) => changes[0]?.to)
    expect(await isDue()).toBe(false)
    await pool.query(
      `update audit_log set recorded_at = $2 where organization_id = $1 and changes::text like '%"One"%' and kind = 'settings'
        and changes::text like '%to": "One"%'`,
      [id, now - AUDIT_RETENTION_SECONDS - 10],
    )
    expect(await isDue()).toBe(true)
    await log.write(async (tx) => deleteOldestEntries(tx, now - AUDIT_RETENTION_SECONDS))
    expect(await names()).toEqual(['Two', 'Three'])
    expect(await isDue()).toBe(false)
    await log.write(async (tx) => deleteOldestEntries(tx, 0, { ...MAX_RETAINED_ENTRIES, others: 1 }))
    expect(await names()).toEqual(['Three'])
  })
})
