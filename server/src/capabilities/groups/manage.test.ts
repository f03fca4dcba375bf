import { describe, expect, it } from 'vitest'
import { anyNumber } from '../../testing/expected.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Answer, Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { expectFull } from '../../testing/full.ts'
import { GROUP_LIMIT } from './contract/index.ts'

const server = useTestServer()

async function createGroup(user: TestUser, name: string, more: Parameters = {}): Promise<number> {
  const { group_id } = await user.call('POST', '/user_groups/create', { name, description: '', members: [], ...more })
  return group_id
}

async function tryToCreateGroup(user: TestUser, name: string, more: Parameters = {}): Promise<Answer> {
  return user.try('POST', '/user_groups/create', { name, description: '', members: [], ...more })
}

async function groupShownTo(user: TestUser, id: number): Promise<Body | undefined> {
  const { user_groups } = await user.call('GET', '/user_groups', { include_deactivated_groups: true })
  return user_groups.find((group) => group['id'] === id)
}

async function systemGroup(user: TestUser, name: string): Promise<number> {
  const { user_groups } = await user.call('GET', '/user_groups')
  return Number(user_groups.find((group) => group['name'] === name)?.['id'])
}

function refusal(msg: string, code = 'BAD_REQUEST'): object {
  return { status: 400, body: { result: 'error', code, msg } }
}

const settingFor = (...ids: number[]): Body => ({ direct_members: ids, direct_subgroups: [] })

describe('group creation', () => {
  it('creates a group with members and subgroups and notifies everyone', async () => {
    const { owner, user } = await server().organization()
    const [mia, gus] = [await user('Mia'), await user('Gus', { role: 600 })]
    const inner = await createGroup(owner, 'Inner')
    const look = await watch({ owner, mia, gus })
    const id = await createGroup(mia, ' Écran ', {
      description: 'All of **it**',
      members: [gus.id, mia.id, gus.id],
      subgroups: [inner],
    })
    const group = {
      id,
      name: 'Écran',
      description: 'All of **it**',
      creator_id: mia.id,
      date_created: anyNumber,
      members: [mia.id, gus.id],
      direct_subgroup_ids: [inner],
      is_system_group: false,
      deactivated: false,
      can_add_members_group: settingFor(mia.id),
      can_manage_group: settingFor(mia.id),
      can_join_group: await systemGroup(owner, 'role:nobody'),
      can_remove_members_group: await systemGroup(owner, 'role:nobody'),
      can_leave_group: await systemGroup(owner, 'role:everyone'),
      can_mention_group: await systemGroup(owner, 'role:everyone'),
    }
    const told = [{ type: 'user_group', op: 'add', group }]
    expect(await look()).toEqual({ owner: told, mia: told, gus: told })
    expect(await groupShownTo(gus, id)).toEqual(group)
  })

  it('accepts a group, or people and groups, as the value of every group setting', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    const [inner, moderators] = [await createGroup(owner, 'Inner'), await systemGroup(owner, 'role:moderators')]
    const settings = {
      can_add_members_group: moderators,
      can_join_group: { direct_members: [mia.id], direct_subgroups: [inner] },
      can_leave_group: settingFor(),
      can_manage_group: { direct_members: [], direct_subgroups: [moderators] },
      can_mention_group: inner,
      can_remove_members_group: { direct_members: [mia.id, owner.id, mia.id], direct_subgroups: [] },
    }
    const id = await createGroup(owner, 'Settings', settings)
    expect(await groupShownTo(owner, id)).toMatchObject({
      ...settings,
      // A setting without members becomes `role:nobody`; a setting with only one subgroup becomes that subgroup.
      can_leave_group: await systemGroup(owner, 'role:nobody'),
      can_manage_group: moderators,
      can_remove_members_group: settingFor(owner.id, mia.id),
    })
  })

  it.each([
    ['can_manage_group', 'role:internet'],
    ['can_manage_group', 'role:everyone'],
    ['can_mention_group', 'role:internet'],
    ['can_mention_group', 'role:owners'],
    ['can_add_members_group', 'role:everyone'],
    ['can_leave_group', 'role:internet'],
  ])('rejects the setting %s with the group %s, alone or as a subgroup', async (name, group) => {
    const { owner } = await server().organization()
    const [id, made] = [await systemGroup(owner, group), await createGroup(owner, 'Team')]
    for (const value of [id, { direct_members: [owner.id], direct_subgroups: [id] }]) {
      expect(await tryToCreateGroup(owner, 'Refused', { [name]: value })).toMatchObject(
        refusal(`'${name}' setting cannot be set to '${group}' group.`),
      )
      const changed = await owner.try('PATCH', `/user_groups/${made}`, { [name]: { new: value } })
      expect(changed).toMatchObject(refusal(`'${name}' setting cannot be set to '${group}' group.`))
    }
  })

  it('rejects missing or deactivated users and groups as members or in settings', async () => {
    const { owner, user } = await server().organization()
    const gone = await user('Gone')
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner })
    for (const id of [gone.id, 987_654]) {
      expect(await tryToCreateGroup(owner, 'A', { members: [owner.id, id] })).toMatchObject(
        refusal(`Invalid user ID: ${id}`),
      )
      expect(await tryToCreateGroup(owner, 'A', { can_join_group: settingFor(id) })).toMatchObject(
        refusal(`Invalid user ID: ${id}`),
      )
    }
    expect(await tryToCreateGroup(owner, 'A', { members: [0] })).toMatchObject(refusal('Invalid user ID: 0'))
    for (const subgroups of [[987_654], [-1]]) {
      expect(await tryToCreateGroup(owner, 'A', { subgroups })).toMatchObject(refusal('Invalid user group'))
    }
    expect(await tryToCreateGroup(owner, 'A', { can_join_group: 987_654 })).toMatchObject(
      refusal('Invalid user group ID: 987654'),
    )
    expect(await look()).toEqual({ owner: [] })
  })

  it('accepts group names and descriptions up to the limit in code points', async () => {
    const { owner } = await server().organization()
    const id = await createGroup(owner, '😀'.repeat(100), { description: '😀'.repeat(1024) })
    expect(await groupShownTo(owner, id)).toMatchObject({ name: '😀'.repeat(100), description: '😀'.repeat(1024) })
    for (const [name, description] of [
      ['😁'.repeat(101), ''],
      ['Long', 'x'.repeat(1025)],
    ]) {
      const { status, body } = await owner.try('POST', '/user_groups/create', { name, description, members: [] })
      expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    }
  })

  it.each(['', '  ', '@team', 'role:team', 'ROLE:team', 'user:1', 'stream:1', 'channel:1', 'a\u0007b', '\u200b'])(
    'rejects the group name %j',
    async (name) => {
      const { owner } = await server().organization()
      const id = await createGroup(owner, 'Other')
      expect(await tryToCreateGroup(owner, name)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
      const renamed = await owner.try('PATCH', `/user_groups/${id}`, { name })
      expect(renamed).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    },
  )

  it('rejects the name of another group, even a deactivated group, ignoring case', async () => {
    const { owner } = await server().organization()
    const id = await createGroup(owner, 'Élan')
    const other = await createGroup(owner, 'Other')
    expect(await tryToCreateGroup(owner, 'éLAN ')).toMatchObject(refusal("User group 'éLAN' already exists."))
    await owner.call('POST', `/user_groups/${id}/deactivate`)
    expect(await tryToCreateGroup(owner, 'élan')).toMatchObject(refusal("User group 'élan' already exists."))
    const renamed = await owner.try('PATCH', `/user_groups/${other}`, { name: 'ÉLAN' })
    expect(renamed).toMatchObject(refusal("User group 'ÉLAN' already exists."))
    await owner.call('PATCH', `/user_groups/${other}`, { name: 'OTHER' })
    expect(await createGroup(owner, 'Free again')).toBeGreaterThan(other)
  })

  it('lets only permitted people create groups', async () => {
    const organization = await server().organization()
    const { user } = organization
    const [mia, gus] = [await user('Mia'), await user('Gus', { role: 600 })]
    expect(await tryToCreateGroup(gus, 'A')).toMatchObject(refusal('Insufficient permission'))
    await changeSettings(server().parley, organization.id, { can_create_groups: settingFor(gus.id) })
    expect(await tryToCreateGroup(mia, 'A')).toMatchObject(refusal('Insufficient permission'))
    await createGroup(gus, 'A')
  })
})

describe('group changes', () => {
  it('sends one event for each group change and none for unchanged properties', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    const id = await createGroup(owner, 'Team', { description: 'Old' })
    const look = await watch({ owner, mia })
    const data = { name: 'TEAM', description: 'New', can_join_group: settingFor(mia.id) }
    const change = {
      ...data,
      can_join_group: { new: data.can_join_group, old: await systemGroup(owner, 'role:nobody') },
    }
    await owner.call('PATCH', `/user_groups/${id}`, change)
    await owner.call('PATCH', `/user_groups/${id}`, { ...data, can_join_group: { new: data.can_join_group } })
    await owner.call('PATCH', `/user_groups/${id}`)
    const told = [{ type: 'user_group', op: 'update', group_id: id, data }]
    expect(await look()).toEqual({ owner: told, mia: told })
    expect(await groupShownTo(mia, id)).toMatchObject(data)
  })

  it('rejects a change of a group setting with a stale old value', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    const id = await createGroup(owner, 'Team', { can_join_group: settingFor(mia.id, owner.id) })
    const look = await watch({ owner })
    for (const old of [settingFor(mia.id), await systemGroup(owner, 'role:nobody'), 987_654]) {
      const stale = await owner.try('PATCH', `/user_groups/${id}`, {
        description: 'Lost',
        can_join_group: { new: settingFor(owner.id), old },
      })
      expect(stale).toMatchObject(refusal("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH'))
    }
    expect(await look()).toEqual({ owner: [] })
    await owner.call('PATCH', `/user_groups/${id}`, {
      can_join_group: { new: settingFor(), old: settingFor(mia.id, owner.id) },
    })
  })

  it("lets a group's managers and managers of all groups change the group", async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [mia, bob, ada] = [await user('Mia'), await user('Bob'), await user('Ada', { role: 200 })]
    const id = await createGroup(mia, 'Team')
    for (const path of ['PATCH /', 'POST /deactivate', 'POST /members', 'POST /subgroups']) {
      const [method = '', end = ''] = path.split(' ')
      for (const other of [bob, ada]) {
        const parameters = { description: 'Theirs', add: [end === '/members' ? bob.id : id] }
        const answer = await other.try(method, `/user_groups/${id}${end === '/' ? '' : end}`, parameters)
        expect([path, answer]).toMatchObject([path, refusal('Insufficient permission')])
      }
    }
    await owner.call('PATCH', `/user_groups/${id}`, { can_manage_group: { new: settingFor(bob.id) } })
    await bob.call('PATCH', `/user_groups/${id}`, { description: "Bob's" })
    expect(await mia.try('PATCH', `/user_groups/${id}`, { description: 'Mine' })).toMatchObject({ status: 400 })
    await changeSettings(server().parley, organization.id, { can_manage_all_groups: settingFor(ada.id) })
    await ada.call('PATCH', `/user_groups/${id}`, { description: "Ada's" })
    expect(await owner.try('PATCH', `/user_groups/${id}`, { description: 'Mine' })).toMatchObject({ status: 400 })
  })

  it('refuses to change role groups and missing groups', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    const members = await systemGroup(owner, 'role:members')
    const look = await watch({ owner })
    const ways: [string, string, Body][] = [
      ['PATCH', '', { description: 'Mine' }],
      ['PATCH', '', {}],
      ['PATCH', '', { deactivated: true }],
      ['POST', '/deactivate', {}],
      ['POST', '/members', { add: [owner.id] }],
      ['POST', '/members', { delete: [mia.id] }],
      ['POST', '/members', {}],
      ['POST', '/subgroups', { add: [members] }],
    ]
    for (const [method, path, parameters] of ways) {
      const fixed = await owner.try(method, `/user_groups/${members}${path}`, parameters)
      expect(fixed).toMatchObject(refusal('Insufficient permission'))
      const absent = await owner.try(method, `/user_groups/987654${path}`, parameters)
      expect(absent).toMatchObject(refusal('Invalid user group'))
    }
    expect(await look()).toEqual({ owner: [] })
  })
})

describe('group deactivation', () => {
  it('sends the deactivation of a group as an update, but to older clients as a removal', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    const id = await createGroup(owner, 'Team', { members: [mia.id] })
    const [modern, old] = [await watch({ mia }), await watch({ mia }, { client_capabilities: {} })]
    await owner.call('POST', `/user_groups/${id}/deactivate`)
    const group = await groupShownTo(mia, id)
    expect(group).toMatchObject({ deactivated: true, members: [mia.id] })
    expect((await mia.call('GET', '/user_groups'))['user_groups']).not.toContainEqual(group)
    await owner.call('PATCH', `/user_groups/${id}`, { deactivated: false, name: 'Club' })
    const update = { type: 'user_group', op: 'update', group_id: id }
    expect((await modern()).mia).toEqual([
      { ...update, data: { deactivated: true } },
      { ...update, data: { deactivated: false } },
      { ...update, data: { name: 'Club' } },
    ])
    expect((await old()).mia).toEqual([
      { type: 'user_group', op: 'remove', group_id: id },
      { type: 'user_group', op: 'add', group: { ...group, deactivated: false } },
      { ...update, data: { name: 'Club' } },
    ])
  })

  it('sends no events about deactivated groups to older clients', async () => {
    const { owner, user } = await server().organization()
    const [mia, bob] = [await user('Mia'), await user('Bob')]
    const id = await createGroup(mia, 'Team', { members: [bob.id] })
    await owner.call('PATCH', `/user_groups/${id}`, { deactivated: true })
    const old = await watch({ owner }, { client_capabilities: {}, event_types: ['user_group'] })
    await owner.call('DELETE', `/users/${mia.id}`)
    await owner.call('DELETE', `/users/${bob.id}`)
    const roles = [await systemGroup(owner, 'role:members'), await systemGroup(owner, 'role:fullmembers')]
    expect((await old()).owner.map((event) => event['group_id'])).toEqual([
      ...roles.toReversed(),
      ...roles.toReversed(),
    ])
  })

  it('refuses to edit, extend, or nest a deactivated group, or use it in settings', async () => {
    const { owner } = await server().organization()
    const [id, other] = [await createGroup(owner, 'Team'), await createGroup(owner, 'Other')]
    await owner.call('POST', `/user_groups/${id}/deactivate`)
    const dead = refusal('User group is deactivated.')
    expect(await owner.try('POST', `/user_groups/${id}/deactivate`)).toMatchObject(dead)
    expect(await owner.try('PATCH', `/user_groups/${id}`, { name: 'New' })).toMatchObject(dead)
    expect(await owner.try('PATCH', `/user_groups/${id}`, { deactivated: true })).toMatchObject(dead)
    expect(await owner.try('POST', `/user_groups/${id}/members`, { add: [owner.id] })).toMatchObject(dead)
    expect(await owner.try('POST', `/user_groups/${id}/subgroups`, { add: [other] })).toMatchObject(dead)
    expect(await owner.try('POST', `/user_groups/${other}/subgroups`, { add: [id] })).toMatchObject(dead)
    expect(await tryToCreateGroup(owner, 'A', { subgroups: [id] })).toMatchObject(dead)
    const invalid = refusal(`Invalid user group ID: ${id}`)
    expect(await tryToCreateGroup(owner, 'A', { can_join_group: id })).toMatchObject(invalid)
    const setting = { can_join_group: { new: { direct_members: [], direct_subgroups: [id, other] } } }
    expect(await owner.try('PATCH', `/user_groups/${other}`, setting)).toMatchObject(invalid)
  })

  it('refuses to deactivate a group in use and lists its uses', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const mia = await user('Mia')
    const id = await createGroup(mia, 'Team', { can_manage_group: settingFor(mia.id) })
    await mia.call('PATCH', `/user_groups/${id}`, { can_join_group: { new: id } })
    const among = { direct_members: [owner.id], direct_subgroups: [id] }
    const outer = await createGroup(owner, 'Outer', { subgroups: [id], can_join_group: among, can_leave_group: id })
    await owner.subscribe(['Public'], { can_send_message_group: id })
    await owner.subscribe(['Private'], { invite_only: true, can_send_message_group: among })
    const streams = (await owner.call('GET', '/streams'))['streams']
    const idOf = (name: string): unknown => streams.find((stream) => stream['name'] === name)?.['stream_id']
    await changeSettings(server().parley, organization.id, { can_create_groups: among })
    const look = await watch({ owner, mia })
    const objections = [
      { type: 'subgroup', supergroup_ids: [outer] },
      { type: 'channel', channel_id: idOf('Public'), settings: ['can_send_message_group'] },
      { type: 'channel', channel_id: idOf('Private'), settings: ['can_send_message_group'] },
      { type: 'user_group', group_id: outer, settings: ['can_join_group', 'can_leave_group'] },
      { type: 'realm', settings: ['can_create_groups'] },
    ]
    const code = 'CANNOT_DEACTIVATE_GROUP_IN_USE'
    const ways: [string, string, Body][] = [
      ['POST', '/deactivate', {}],
      ['PATCH', '', { deactivated: true, name: 'Lost' }],
    ]
    for (const [method, path, parameters] of ways) {
      const seen = await owner.try(method, `/user_groups/${id}${path}`, parameters)
      expect(seen.status).toBe(400)
      expect(seen.body).toMatchObject({ code, msg: 'Cannot deactivate user group in use.' })
      const sortItems = (list: unknown): unknown =>
        objectsIn(list)
          .map((item) => JSON.stringify(item))
          .toSorted()
      expect(sortItems(seen.body['objections'])).toEqual(sortItems(objections))
      const { body } = await mia.try(method, `/user_groups/${id}${path}`, parameters)
      expect(sortItems(body['objections'])).toEqual(
        sortItems(objections.filter((one) => one.channel_id !== idOf('Private'))),
      )
    }
    expect(await look()).toEqual({ owner: [], mia: [] })
  })

  it('deactivates a group that only deactivated groups use, and then grants its members no rights', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia')
    const inner = await createGroup(owner, 'Inner', { members: [mia.id] })
    const outer = await createGroup(owner, 'Outer', { subgroups: [inner], can_manage_group: inner })
    await owner.call('POST', `/user_groups/${outer}/deactivate`)
    await owner.call('POST', `/user_groups/${inner}/deactivate`)
    await owner.call('PATCH', `/user_groups/${outer}`, { deactivated: false })
    const { members } = await owner.call('GET', `/user_groups/${outer}/members`)
    expect(members).toEqual([])
    expect(await mia.try('PATCH', `/user_groups/${outer}`, { name: 'Mine' })).toMatchObject({ status: 400 })
    await owner.call('PATCH', `/user_groups/${inner}`, { deactivated: false })
    await mia.call('PATCH', `/user_groups/${outer}`, { name: 'Mine' })
  })
})

it('limits the number of groups per creator, including deactivated groups', async () => {
  await expectFull(GROUP_LIMIT, {
    fill: [
      `insert into user_groups
       select (jsonb_populate_record(g, jsonb_build_object(
         'id', 1000000 + n, 'name', 'g' || n, 'name_key', 'g' || n, 'deactivated', n % 2 = 0))).*
       from user_groups g, generate_series(2, $3::int) n where g.organization_id = $1 and g.creator_id = $2`,
    ],
    make: async (owner) => owner.try('POST', '/user_groups/create', { name: 'more', description: '', members: [] }),
    refusal: 'A user can create at most 1000 user groups.',
  })
})
