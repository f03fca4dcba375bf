import { describe, expect, it } from 'vitest'
import { textLike } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { FOLDER_LIMIT, type ChannelFolder } from './contract.ts'

const server = useTestServer()

async function createFolder(user: TestUser, name: string, description = ''): Promise<number> {
  return (await user.call('POST', '/channel_folders/create', { name, description }))['channel_folder_id']
}

async function listFolders(user: TestUser, include_archived = false): Promise<ChannelFolder[]> {
  return (await user.call('GET', '/channel_folders', { include_archived }))['channel_folders']
}

it('creates, changes, archives, and restores channel folders and notifies everyone', async () => {
  const { owner, user } = await server().organization()
  const [admin, guest] = [await user('Ada', { role: 200 }), await user('Gus', { role: 600 })]
  const [own, others] = [await admin.register(), await guest.register()]
  expect(own.state['channel_folders']).toEqual([])
  const id = await createFolder(admin, ' Projects ', 'All of **them**')
  const folder = {
    id,
    name: 'Projects',
    description: 'All of **them**',
    rendered_description: '<p>All of <strong>them</strong></p>',
    order: 0,
    creator_id: admin.id,
    is_archived: false,
  }
  expect(await listFolders(guest)).toMatchObject([folder])
  await owner.call('PATCH', `/channel_folders/${id}`, { name: 'Works', description: '' })
  await owner.call('PATCH', `/channel_folders/${id}`, { is_archived: true })
  expect(await listFolders(guest)).toEqual([])
  expect(await listFolders(guest, true)).toMatchObject([{ id, name: 'Works', is_archived: true }])
  expect((await guest.register()).state['channel_folders']).toEqual(await listFolders(guest, true))
  await owner.call('PATCH', `/channel_folders/${id}`, { name: 'Works', description: '', is_archived: true })
  await owner.call('PATCH', `/channel_folders/${id}`, { is_archived: false })
  expect(await listFolders(guest)).toMatchObject([{ id, name: 'Works', description: '', rendered_description: '' }])
  const expected = [
    { type: 'channel_folder', op: 'add', channel_folder: folder },
    {
      type: 'channel_folder',
      op: 'update',
      channel_folder_id: id,
      data: { name: 'Works', description: '', rendered_description: '' },
    },
    { type: 'channel_folder', op: 'update', channel_folder_id: id, data: { is_archived: true } },
    { type: 'channel_folder', op: 'update', channel_folder_id: id, data: { is_archived: false } },
  ]
  expect(await own.events()).toMatchObject(expected)
  expect(await others.events()).toMatchObject(expected)
})

it('keeps channel folders in the order that an administrator sets', async () => {
  const { owner, user } = await server().organization()
  const guest = await user('Gus', { role: 600 })
  const [a, b, c] = [await createFolder(owner, 'A'), await createFolder(owner, 'B'), await createFolder(owner, 'C')]
  await owner.call('PATCH', `/channel_folders/${b}`, { is_archived: true })
  const queue = await guest.register()
  await owner.call('PATCH', '/channel_folders', { order: [c, b, a] })
  await owner.call('PATCH', '/channel_folders', { order: [c, b, a] })
  expect(await queue.events()).toMatchObject([{ type: 'channel_folder', op: 'reorder', order: [c, b, a] }])
  expect(await listFolders(guest, true)).toMatchObject([
    { id: c, order: 0 },
    { id: b, order: 1 },
    { id: a, order: 2 },
  ])
  for (const order of [[], [a, c], [a, b, c, c], [a, a, b], [a, b, 999_999], [a, b, c, 999_999]]) {
    const { status, body } = await owner.try('PATCH', '/channel_folders', { order })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  expect(await queue.events()).toEqual([])
  expect(await createFolder(owner, 'D')).toBeGreaterThan(c)
  expect(await listFolders(guest)).toMatchObject([{ id: c }, { id: a }, { name: 'D', order: 3 }])
})

it('lets only administrators create, change, and reorder folders', async () => {
  const { owner, user } = await server().organization()
  const [id, other] = [await createFolder(owner, 'One'), await createFolder(owner, 'Two')]
  const before = await listFolders(owner, true)
  for (const role of [300, 400, 600] as const) {
    const somebody = await user(`Role ${role}`, { role })
    const queue = await owner.register()
    for (const [method, path, parameters] of [
      ['POST', '/channel_folders/create', { name: 'Mine', description: '' }],
      ['PATCH', `/channel_folders/${id}`, { name: 'Mine' }],
      ['PATCH', '/channel_folders/999999', { name: 'Mine' }],
      ['PATCH', '/channel_folders', { order: [other, id] }],
    ] as const) {
      const { status, body } = await somebody.try(method, path, parameters)
      expect([status, body['code']]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
      expect(body['msg']).toBe('Must be an organization administrator')
    }
    expect(await queue.events()).toEqual([])
  }
  expect(await listFolders(owner, true)).toEqual(before)
})

it('rejects duplicate names among active folders, ignoring case', async () => {
  const { owner } = await server().organization()
  const first = await createFolder(owner, 'Straße')
  const attempt = async (method: string, path: string, parameters: Record<string, unknown>): Promise<unknown> =>
    (await owner.try(method, `/channel_folders/${path}`, parameters)).body['code'] ?? 'done'
  expect(await attempt('POST', 'create', { name: 'STRAßE ', description: '' })).toBe('BAD_REQUEST')
  await owner.call('PATCH', `/channel_folders/${first}`, { is_archived: true })
  const second = await createFolder(owner, 'straße')
  expect(await attempt('PATCH', String(first), { is_archived: false })).toBe('BAD_REQUEST')
  expect(await attempt('PATCH', String(first), { is_archived: false, name: 'Weg' })).toBe('done')
  expect(await attempt('PATCH', String(second), { name: 'WEG' })).toBe('BAD_REQUEST')
  // The new name differs only in case.
  expect(await attempt('PATCH', String(second), { name: 'Straße' })).toBe('done')
  expect(await attempt('PATCH', '999999', { name: 'x' })).toBe('BAD_REQUEST')
})

describe('channels in folders', () => {
  it('accepts only an active folder for a new channel', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    const [id, archived] = [await createFolder(owner, 'One'), await createFolder(owner, 'Old')]
    await owner.call('PATCH', `/channel_folders/${archived}`, { is_archived: true })
    for (const folder_id of [archived, 999_999]) {
      const { status, body } = await ann.try('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: 'Nowhere' }],
        folder_id,
      })
      expect([status, body['msg']]).toEqual([400, 'Invalid channel folder ID'])
    }
    await ann.subscribe(['Inside'], { folder_id: id })
    const { streams } = await owner.call('GET', '/streams')
    expect(streams).toMatchObject([{ name: 'Inside', folder_id: id }])
  })

  it('refuses to archive a folder that contains channels', async () => {
    const { owner } = await server().organization()
    const id = await createFolder(owner, 'One')
    await owner.subscribe(['Inside'], { folder_id: id, invite_only: true })
    const queue = await owner.register()
    const { status, body } = await owner.try('PATCH', `/channel_folders/${id}`, { is_archived: true, name: 'New' })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect(await listFolders(owner)).toMatchObject([{ id, name: 'One' }])
    expect(await queue.events()).toEqual([])
  })
})

it('links the channels named in a folder description', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['Open'])
  await createFolder(owner, 'One', 'See #**Open** and #**Nowhere**')
  expect(await listFolders(owner)).toMatchObject([
    { rendered_description: textLike(/<a [^>]*>#Open<\/a> and #<strong>Nowhere<\/strong>/) },
  ])
})

it('rejects empty, overlong, and missing folder names and descriptions', async () => {
  const { owner } = await server().organization()
  const attempt = async (name: string, description: string): Promise<number> =>
    (await owner.try('POST', '/channel_folders/create', { name, description })).status
  expect(await attempt('😀'.repeat(60), '😀'.repeat(1_024))).toBe(200)
  expect(await attempt('😀'.repeat(61), '')).toBe(400)
  expect(await attempt('x', '😀'.repeat(1_025))).toBe(400)
  expect(await attempt('', '')).toBe(400)
  expect(await attempt(' ', '')).toBe(400)
  expect(await attempt('a\u0007b', '')).toBe(400)
  const missing = await owner.try('POST', '/channel_folders/create', { name: 'x' })
  expect(missing.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'description' })
  const [folder] = await listFolders(owner)
  expect((await owner.try('PATCH', `/channel_folders/${folder?.id}`, { name: ' ' })).status).toBe(400)
  expect(await listFolders(owner, true)).toHaveLength(1)
})

it('limits the number of channel folders, including archived folders', async () => {
  const { id: organizationId, owner } = await server().organization()
  const log = await server().parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const rows = Array.from({ length: FOLDER_LIMIT.most - 1 }, (_, position) => ({
      organization_id: organizationId,
      id: tx.nextId(),
      name: `Folder ${position}`,
      name_key: `folder ${position}`,
      description: '',
      rendered_description: '',
      position,
      date_created: tx.now,
      creator_id: owner.id,
      is_archived: position % 2 === 0,
    }))
    await tx.db.insertInto('channel_folders').values(rows).execute()
  })
  await createFolder(owner, 'The last')
  const { status, body } = await owner.try('POST', '/channel_folders/create', { name: 'More', description: '' })
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect(await listFolders(owner, true)).toHaveLength(FOLDER_LIMIT.most)
})
