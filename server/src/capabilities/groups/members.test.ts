import { describe, expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const settingFor = (...ids: number[]): Body => ({ direct_members: ids, direct_subgroups: [] })

function refusal(msg: string): object {
  return { status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } }
}

async function createGroup(user: TestUser, name: string, more: Parameters = {}): Promise<number> {
  const { group_id } = await user.call('POST', '/user_groups/create', { name, description: '', members: [], ...more })
  return group_id
}

interface Scene extends TestOrganization {
  readonly mia: TestUser
  readonly bob: TestUser
  readonly id: number
}

async function createScene(more: Parameters = {}): Promise<Scene> {
  const organization = await server().organization()
  const [mia, bob] = [await organization.user('Mia'), await organization.user('Bob')]
  return { ...organization, mia, bob, id: await createGroup(mia, 'Team', more) }
}

async function membersOf(user: TestUser, id: number, direct_member_only = false): Promise<unknown> {
  return (await user.call('GET', `/user_groups/${id}/members`, { direct_member_only }))['members']
}

describe('group members', () => {
  it('adds and removes group members and notifies everyone', async () => {
    const { owner, mia, bob, id, user } = await createScene()
    const gus = await user('Gus', { role: 600 })
    await mia.call('POST', `/user_groups/${id}/members`, { add: [owner.id, mia.id] })
    const look = await watch({ owner, gus })
    await mia.call('POST', `/user_groups/${id}/members`, { add: [gus.id, bob.id, gus.id], delete: [owner.id] })
    const told = [
      { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [owner.id] },
      { type: 'user_group', op: 'add_members', group_id: id, user_ids: [bob.id, gus.id] },
    ]
    expect(await look()).toEqual({ owner: told, gus: told })
    expect(await membersOf(gus, id)).toEqual([mia.id, bob.id, gus.id])
  })

  it('rejects additions of existing members, removals of nonmembers, unknown users, and empty changes', async () => {
    const { owner, mia, bob, id, user } = await createScene()
    const gone = await user('Gone')
    await mia.call('POST', `/user_groups/${id}/members`, { add: [mia.id, gone.id] })
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner })
    const refused: [Body, string][] = [
      [{ add: [bob.id, mia.id] }, `User ${mia.id} is already a member of this group`],
      [{ add: [bob.id], delete: [owner.id] }, `There is no user with ID '${owner.id}' in this user group`],
      [{ delete: [987_654] }, "There is no user with ID '987654' in this user group"],
      [{ delete: [gone.id] }, `There is no user with ID '${gone.id}' in this user group`],
      [{ add: [bob.id, 987_654] }, 'Invalid user ID: 987654'],
      [{ add: [gone.id] }, `Invalid user ID: ${gone.id}`],
      [{}, 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'],
    ]
    for (const [parameters, msg] of refused) {
      expect(await mia.try('POST', `/user_groups/${id}/members`, parameters)).toMatchObject(refusal(msg))
    }
    expect(await look()).toEqual({ owner: [] })
  })

  it('requires separate permissions to join a group, leave the group, add members, and remove members', async () => {
    const { owner, mia, bob, id } = await createScene()
    const members = (parameters: Parameters): ReturnType<TestUser['try']> =>
      bob.try('POST', `/user_groups/${id}/members`, parameters)
    const denied = refusal('Insufficient permission')
    const allow = async (name: string, ...ids: number[]): Promise<unknown> =>
      mia.call('PATCH', `/user_groups/${id}`, { [name]: { new: settingFor(...ids) } })

    expect(await members({ add: [bob.id] })).toMatchObject(denied)
    await allow('can_join_group', bob.id)
    expect(await members({ add: [bob.id, owner.id] })).toMatchObject(denied)
    expect(await members({ add: [bob.id] })).toMatchObject({ status: 200 })
    expect(await members({ delete: [bob.id] })).toMatchObject({ status: 200 })
    await allow('can_leave_group')
    expect(await members({ add: [bob.id] })).toMatchObject({ status: 200 })
    expect(await members({ delete: [bob.id] })).toMatchObject(denied)
    await allow('can_join_group')
    await allow('can_add_members_group', bob.id)
    expect(await members({ add: [owner.id] })).toMatchObject({ status: 200 })
    expect(await members({ delete: [owner.id] })).toMatchObject(denied)
    // People who can add or remove others can also add or remove themselves.
    await mia.call('POST', `/user_groups/${id}/members`, { delete: [bob.id] })
    expect(await members({ add: [bob.id] })).toMatchObject({ status: 200 })
    await allow('can_remove_members_group', bob.id)
    expect(await members({ delete: [bob.id] })).toMatchObject({ status: 200 })
    await mia.call('POST', `/user_groups/${id}/members`, { add: [bob.id] })
    expect(await members({ delete: [owner.id, bob.id] })).toMatchObject({ status: 200 })
    await allow('can_add_members_group')
    expect(await members({ add: [bob.id] })).toMatchObject(denied)
  })

  it('removes a deactivated account from groups and permission settings until reactivation', async () => {
    const { owner, mia, bob, id } = await createScene({ can_join_group: 1 })
    await mia.call('POST', `/user_groups/${id}/members`, { add: [mia.id, bob.id] })
    const joining = { direct_members: [mia.id, bob.id], direct_subgroups: [] }
    await mia.call('PATCH', `/user_groups/${id}`, { can_join_group: { new: joining } })
    await mia.subscribe(['Private'], { invite_only: true, principals: [owner.id] })
    await owner.call('PATCH', '/realm', { can_create_groups: { new: settingFor(owner.id, mia.id) } })
    const look = await watch({ owner }, { event_types: ['user_group', 'stream', 'realm'] })
    await owner.call('DELETE', `/users/${mia.id}`)
    const custom = (events: Body[]): Body[] =>
      events.filter((event) => event['group_id'] === id || event['type'] !== 'user_group')
    expect(custom((await look()).owner)).toMatchObject([
      { op: 'remove_members', user_ids: [mia.id] },
      {
        op: 'update',
        data: {
          can_add_members_group: settingFor(),
          can_manage_group: settingFor(),
          can_join_group: settingFor(bob.id),
        },
      },
      { type: 'realm', op: 'update_dict', data: { can_create_groups: settingFor(owner.id) } },
      { type: 'stream', op: 'update', name: 'Private', property: 'can_administer_channel_group', value: settingFor() },
    ])
    expect(await membersOf(owner, id)).toEqual([bob.id])
    const { streams } = await owner.call('GET', '/streams')
    expect(streams).toMatchObject([{ can_administer_channel_group: settingFor() }])
    const { state } = await owner.register({ fetch_event_types: ['realm'] })
    expect(state['realm_can_create_groups']).toEqual(settingFor(owner.id))
    // `old` is compared with the value shown to clients.
    await owner.call('PATCH', `/user_groups/${id}`, {
      can_join_group: { new: settingFor(bob.id), old: settingFor(bob.id) },
    })
    await owner.call('POST', `/users/${mia.id}/reactivate`)
    expect(custom((await look()).owner)).toMatchObject([
      { op: 'add_members', user_ids: [mia.id] },
      { op: 'update', data: { can_add_members_group: settingFor(mia.id), can_manage_group: settingFor(mia.id) } },
      { type: 'realm', op: 'update_dict', data: { can_create_groups: settingFor(owner.id, mia.id) } },
      { type: 'stream', op: 'update', property: 'can_administer_channel_group', value: settingFor(mia.id) },
    ])
    expect(await membersOf(owner, id)).toEqual([mia.id, bob.id])
  })
})

describe('subgroups', () => {
  it('includes subgroup members in a group, and notifies everyone of added and removed subgroups', async () => {
    const { owner, mia, bob, id } = await createScene()
    const inner = await createGroup(owner, 'Inner', { members: [bob.id] })
    const middle = await createGroup(owner, 'Middle', { subgroups: [inner] })
    const look = await watch({ owner, bob }, { event_types: ['user_group'] })
    await mia.call('POST', `/user_groups/${id}/subgroups`, { add: [middle, middle] })
    expect(await membersOf(owner, id)).toEqual([bob.id])
    expect(await membersOf(owner, id, true)).toEqual([])
    const within = async (parameters: Body): Promise<unknown> =>
      (await owner.call('GET', `/user_groups/${id}/subgroups`, parameters))['subgroups']
    expect(await within({})).toEqual([inner, middle])
    expect(await within({ direct_subgroup_only: true })).toEqual([middle])
    await mia.call('PATCH', `/user_groups/${id}`, { can_manage_group: { new: id } })
    await bob.call('PATCH', `/user_groups/${id}`, { name: 'Bobs' })
    await bob.call('POST', `/user_groups/${id}/members`, { delete_subgroups: [middle], add_subgroups: [inner] })
    expect(await within({})).toEqual([inner])
    const told = [
      { type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: [middle] },
      { type: 'user_group', op: 'update', group_id: id, data: { can_manage_group: id } },
      { type: 'user_group', op: 'update', group_id: id, data: { name: 'Bobs' } },
      { type: 'user_group', op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [middle] },
      { type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: [inner] },
    ]
    expect(await look()).toEqual({ owner: told, bob: told })
  })

  it('accepts role groups as subgroups', async () => {
    const { owner, mia, bob, id } = await createScene()
    const { user_groups } = await owner.call('GET', '/user_groups')
    const members = user_groups.find((group) => group.name === 'role:members')?.id
    await mia.call('POST', `/user_groups/${id}/subgroups`, { add: [members] })
    expect(await membersOf(owner, id)).toEqual([owner.id, mia.id, bob.id])
  })

  it('rejects cycles of subgroups, including through deactivated groups', async () => {
    const { owner, mia, id } = await createScene()
    const middle = await createGroup(owner, 'Middle', { subgroups: [id] })
    const outer = await createGroup(owner, 'Outer', { subgroups: [middle] })
    const look = await watch({ owner })
    for (const inner of [id, middle, outer]) {
      const answer = await owner.try('POST', `/user_groups/${id}/subgroups`, { add: [inner] })
      expect(answer).toMatchObject(refusal(`User group ${id} is already a subgroup of user group ${inner}.`))
    }
    await owner.call('POST', `/user_groups/${outer}/deactivate`)
    await owner.call('POST', `/user_groups/${middle}/deactivate`)
    const above = await createGroup(owner, 'Above')
    await owner.call('PATCH', `/user_groups/${middle}`, { deactivated: false })
    await owner.call('POST', `/user_groups/${above}/subgroups`, { add: [middle] })
    await owner.call('PATCH', `/user_groups/${outer}`, { deactivated: false })
    expect(await mia.try('POST', `/user_groups/${id}/subgroups`, { add: [above] })).toMatchObject({ status: 400 })
    expect((await look()).owner.filter((event) => event['op'] === 'add_subgroups')).toHaveLength(1)
  })

  it('refuses invalid subgroup changes, and all subgroup changes without permission', async () => {
    const { owner, mia, bob, id } = await createScene()
    const [inner, other] = [await createGroup(owner, 'Inner'), await createGroup(owner, 'Other')]
    await mia.call('POST', `/user_groups/${id}/subgroups`, { add: [inner] })
    const refused: [Body, string][] = [
      [{ add: [other, inner] }, `User group ${inner} is already a subgroup of this group.`],
      [{ delete: [other] }, `User group ${other} is not a subgroup of this group.`],
      [{ add: [987_654] }, 'Invalid user group'],
      [{}, 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'],
    ]
    for (const [parameters, msg] of refused) {
      expect(await mia.try('POST', `/user_groups/${id}/subgroups`, parameters)).toMatchObject(refusal(msg))
    }
    await mia.call('PATCH', `/user_groups/${id}`, { can_join_group: { new: settingFor(bob.id) } })
    const denied = refusal('Insufficient permission')
    expect(await bob.try('POST', `/user_groups/${id}/subgroups`, { add: [other] })).toMatchObject(denied)
    await mia.call('PATCH', `/user_groups/${id}`, { can_add_members_group: { new: settingFor(bob.id) } })
    await bob.call('POST', `/user_groups/${id}/subgroups`, { add: [other] })
    expect(await bob.try('POST', `/user_groups/${id}/subgroups`, { delete: [other] })).toMatchObject(denied)
    await mia.call('PATCH', `/user_groups/${id}`, { can_remove_members_group: { new: settingFor(bob.id) } })
    await bob.call('POST', `/user_groups/${id}/subgroups`, { delete: [other] })
  })
})

it('reports whether a person is in a group and rejects missing users and groups', async () => {
  const { owner, mia, bob, id } = await createScene()
  const inner = await createGroup(owner, 'Inner', { members: [bob.id] })
  await mia.call('POST', `/user_groups/${id}/members`, { add: [mia.id], add_subgroups: [inner] })
  const isMember = async (userId: number, parameters: Body = {}): Promise<unknown> =>
    (await owner.call('GET', `/user_groups/${id}/members/${userId}`, parameters))['is_user_group_member']
  expect([await isMember(mia.id), await isMember(bob.id), await isMember(owner.id)]).toEqual([true, true, false])
  expect(await isMember(bob.id, { direct_member_only: true })).toBe(false)
  expect(await owner.try('GET', `/user_groups/${id}/members/987654`)).toMatchObject(refusal('No such user'))
  for (const path of ['members', 'subgroups', `members/${bob.id}`]) {
    expect(await owner.try('GET', `/user_groups/987654/${path}`)).toMatchObject(refusal('Invalid user group'))
  }
})

describe('groups with access to channels', () => {
  it('shows a private channel to members of a group that can subscribe, until they leave the group', async () => {
    const { owner, mia, bob, id } = await createScene({ can_join_group: 1 })
    const inner = await createGroup(mia, 'Inner')
    await owner.subscribe(['Private'], { invite_only: true, can_subscribe_group: id })
    await owner.subscribe(['Other'], { invite_only: true })
    const look = await watch({ owner, mia, bob }, { event_types: ['stream', 'subscription'] })
    const stream_id = (await owner.call('GET', '/get_stream_id', { stream: 'Private' }))['stream_id']
    const created = [
      { type: 'stream', op: 'create', streams: [{ stream_id, name: 'Private', subscriber_count: 0 }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [stream_id], user_ids: [owner.id] },
    ]
    const deleted = [{ type: 'stream', op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] }]
    await mia.call('POST', `/user_groups/${id}/members`, { add: [mia.id] })
    expect(await look()).toMatchObject({ owner: [], mia: created, bob: [] })
    await mia.call('POST', `/user_groups/${inner}/members`, { add: [bob.id] })
    expect(await look()).toEqual({ owner: [], mia: [], bob: [] })
    await mia.call('POST', `/user_groups/${id}/subgroups`, { add: [inner] })
    expect(await look()).toMatchObject({ owner: [], mia: [], bob: created })
    await mia.call('POST', `/user_groups/${id}/members`, { delete: [mia.id] })
    expect(await look()).toMatchObject({ owner: [], mia: deleted, bob: [] })
    await mia.call('POST', `/user_groups/${id}/members`, { add: [mia.id], delete_subgroups: [inner] })
    expect(await look()).toMatchObject({ owner: [], mia: created, bob: deleted })
    expect(await bob.try('GET', '/get_stream_id', { stream: 'Private' })).toMatchObject({ status: 400 })
  })
  it('shows a public channel and its events to a guest in a group that can subscribe to the channel', async () => {
    const { owner, mia, id, user } = await createScene()
    const gus = await user('Gus', { role: 600 })
    await owner.subscribe(['Public'], { can_subscribe_group: id })
    const look = await watch({ gus }, { event_types: ['stream', 'subscription'] })
    await mia.call('POST', `/user_groups/${id}/members`, { add: [gus.id] })
    expect(await look()).toMatchObject({ gus: [{ op: 'create', streams: [{ name: 'Public' }] }, { op: 'peer_add' }] })
    await mia.subscribe(['Public'])
    expect(await look()).toMatchObject({ gus: [{ op: 'peer_add', user_ids: [mia.id] }] })
  })
})
