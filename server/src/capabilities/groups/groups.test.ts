import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import type { UserGroup } from './contract/index.ts'

const server = useTestServer()

async function groupsSeenBy(user: TestUser, parameters = {}): Promise<UserGroup[]> {
  const { user_groups } = await user.call('GET', '/user_groups', parameters)
  return user_groups
}

async function membersSeenBy(user: TestUser): Promise<Record<string, unknown>> {
  return Object.fromEntries((await groupsSeenBy(user)).map((group) => [group.name, group.members]))
}

it('nests each role group in the next wider role group', async () => {
  const { owner } = await server().organization()
  const groups = await groupsSeenBy(owner)
  const nameOf = new Map(groups.map((group) => [group.id, group.name]))
  const inside = groups.map((group) => [group.name, group.direct_subgroup_ids.map((id) => nameOf.get(id))])
  expect(inside).toEqual([
    ['role:nobody', []],
    ['role:owners', []],
    ['role:administrators', ['role:owners']],
    ['role:moderators', ['role:administrators']],
    ['role:fullmembers', ['role:moderators']],
    ['role:members', ['role:fullmembers']],
    ['role:everyone', ['role:members']],
    ['role:internet', ['role:everyone']],
  ])
})

it('lets no one change role groups', async () => {
  const { owner } = await server().organization()
  const groups = await groupsSeenBy(owner)
  const nobody = groups.find((group) => group['name'] === 'role:nobody')?.['id']
  for (const group of groups) {
    expect(group).toMatchObject({
      creator_id: null,
      date_created: null,
      is_system_group: true,
      deactivated: false,
      can_add_members_group: nobody,
      can_join_group: nobody,
      can_leave_group: nobody,
      can_manage_group: nobody,
      can_mention_group: nobody,
      can_remove_members_group: nobody,
    })
  }
})

it('puts every person and bot only into the group of their role', async () => {
  const { owner, user } = await server().organization()
  const admin = await user('Ada Admin', { role: 200 })
  const moderator = await user('Moe Moderator', { role: 300 })
  const member = await user('Mia Member')
  const bot = await user('Bert Bot', { bot: { ownerId: member.id } })
  const guest = await user('Gus Guest', { role: 600 })
  const expected = {
    'role:nobody': [],
    'role:owners': [owner.id],
    'role:administrators': [admin.id],
    'role:moderators': [moderator.id],
    'role:fullmembers': [member.id, bot.id],
    'role:members': [member.id, bot.id],
    'role:everyone': [guest.id],
    'role:internet': [],
  }
  expect(await membersSeenBy(owner)).toEqual(expected)
  expect(await membersSeenBy(guest)).toEqual(expected)
})

it('removes deactivated accounts from role groups and restores reactivated accounts', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  await owner.call('DELETE', `/users/${member.id}`)
  expect(await membersSeenBy(owner)).toMatchObject({ 'role:members': [], 'role:fullmembers': [] })
  await owner.call('POST', `/users/${member.id}/reactivate`)
  expect(await membersSeenBy(owner)).toMatchObject({ 'role:members': [member.id], 'role:fullmembers': [member.id] })
})

it('adds a reactivated account to the group of its new role', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  await owner.call('DELETE', `/users/${member.id}`)
  await owner.call('PATCH', `/users/${member.id}`, { role: 300 })
  expect(await membersSeenBy(owner)).toMatchObject({ 'role:members': [], 'role:moderators': [] })
  await owner.call('POST', `/users/${member.id}/reactivate`)
  expect(await membersSeenBy(owner)).toMatchObject({ 'role:members': [], 'role:moderators': [member.id] })
})

it('returns the same groups in the group list as when a queue is registered', async () => {
  const { owner, user } = await server().organization()
  await user('Mia Member')
  const { state } = await owner.register({ fetch_event_types: ['realm_user_groups'] })
  expect(state['realm_user_groups']).toEqual(await groupsSeenBy(owner, { include_deactivated_groups: true }))
})

it('describes the allowed and default groups of each permission setting when a queue is registered', async () => {
  const { owner } = await server().organization()
  const { state } = await owner.register({ fetch_event_types: ['realm'] })
  expect(state['server_supported_permission_settings']).toMatchObject({
    realm: { can_create_public_channel_group: { default_group_name: 'role:members', allow_everyone_group: false } },
    stream: { can_administer_channel_group: { default_group_name: 'stream_creator_or_nobody' } },
    group: { can_mention_group: { default_for_system_groups: 'role:nobody' } },
  })
})

it('limits a permission setting to 1,000 users and 1,000 groups', async () => {
  const { owner } = await server().organization()
  const attempt = async (direct_members: number, direct_subgroups: number): Promise<unknown> => {
    const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => 1_000_000 + index)
    const setting = { direct_members: ids(direct_members), direct_subgroups: ids(direct_subgroups) }
    const given = { name: 'Named', description: '', members: [], can_manage_group: setting }
    return (await owner.try('POST', '/user_groups/create', given)).body
  }
  const tooMany = "'can_manage_group' setting cannot name more than 1000 users or groups."
  expect(await attempt(1_001, 0)).toMatchObject({ code: 'BAD_REQUEST', msg: tooMany })
  expect(await attempt(0, 1_001)).toMatchObject({ code: 'BAD_REQUEST', msg: tooMany })
  expect(await attempt(1_000, 1_000)).toMatchObject({ code: 'BAD_REQUEST', msg: 'Invalid user ID: 1000000' })
})
