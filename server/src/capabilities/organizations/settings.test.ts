import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()
const serverWithCalls = useTestServer({ PARLEY_JITSI_URL: 'https://meet.example.org' })

const updateEvent = (property: string, value: unknown): Body => ({ type: 'realm', op: 'update', property, value })
const updateDictEvent = (data: Body): Body => ({ type: 'realm', op: 'update_dict', property: 'default', data })

async function realmOf(user: TestUser): Promise<Body> {
  return (await user.register({ fetch_event_types: ['realm'] })).state
}

async function groupsOf(user: TestUser): Promise<Record<string, number>> {
  const { user_groups } = await user.call('GET', '/user_groups')
  return Object.fromEntries(user_groups.map((group) => [group.name, group.id]))
}

it('shows a changed name and description to everyone and in the server settings', async () => {
  const { owner, user } = await server().organization()
  const guest = await user('Gus Guest', { role: 600 })
  const look = await watch({ owner, guest })
  await owner.call('PATCH', '/realm', { name: ' The Gulls ', description: 'Birds & **more**' })
  const told = [updateEvent('name', 'The Gulls'), updateEvent('description', 'Birds & **more**')]
  expect(await look()).toEqual({ owner: told, guest: told })
  expect(await realmOf(guest)).toMatchObject({ realm_name: 'The Gulls', realm_description: 'Birds & **more**' })
  expect(await owner.call('GET', '/server_settings')).toMatchObject({
    realm_name: 'The Gulls',
    realm_description: '<p>Birds &amp; <strong>more</strong></p>',
  })
  await owner.call('PATCH', '/realm', { description: '' })
  expect((await owner.call('GET', '/server_settings'))['realm_description']).toBe('')
})

it("limits an organization's name and description in code points", async () => {
  const { owner } = await server().organization()
  const attempt = async (parameters: Body): Promise<number> => (await owner.try('PATCH', '/realm', parameters)).status
  expect(await attempt({ name: '😀'.repeat(40), description: '😀'.repeat(1_000) })).toBe(200)
  expect(await attempt({ name: '😀'.repeat(41) })).toBe(400)
  expect(await attempt({ description: '😀'.repeat(1_001) })).toBe(400)
  expect(await attempt({ name: ' ' })).toBe(400)
  expect(await attempt({ welcome_message_custom_text: 'x'.repeat(8_000) })).toBe(200)
  expect(await attempt({ welcome_message_custom_text: 'x'.repeat(8_001) })).toBe(400)
})

it.each([
  ['a line break', 'Acme\r\nBcc: ann@example.org'],
  ['a tab', 'Ac\tme'],
  ['a direction-changing character', 'Acme\u202E'],
  ['only invisible characters', '\u200B'],
])('rejects an organization name with %s', async (_, name) => {
  const { owner } = await server().organization('Acme')
  const look = await watch({ owner })
  const { status, body } = await owner.try('PATCH', '/realm', { name })
  expect([status, body['msg']]).toEqual([400, 'Invalid characters in organization name!'])
  expect(await look()).toEqual({ owner: [] })
})

it('accepts "unlimited" for limits and for message retention', async () => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  await owner.call('PATCH', '/realm', {
    message_content_edit_limit_seconds: '"unlimited"',
    move_messages_within_stream_limit_seconds: 'unlimited',
    move_messages_between_streams_limit_seconds: 3_600,
    message_retention_days: 30,
  })
  expect((await look()).owner).toEqual([
    updateEvent('message_retention_days', 30),
    updateEvent('move_messages_within_stream_limit_seconds', null),
    updateEvent('move_messages_between_streams_limit_seconds', 3_600),
    updateDictEvent({ message_content_edit_limit_seconds: null }),
  ])
  await owner.call('PATCH', '/realm', { message_retention_days: '"unlimited"' })
  expect(await realmOf(owner)).toMatchObject({
    realm_message_content_edit_limit_seconds: null,
    realm_move_messages_within_stream_limit_seconds: null,
    realm_move_messages_between_streams_limit_seconds: 3_600,
    realm_message_retention_days: -1,
  })
})

it('includes legacy properties in the event sent when a setting changes', async () => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  await owner.call('PATCH', '/realm', {
    topics_policy: 'disable_empty_topic',
    message_edit_history_visibility_policy: 'none',
  })
  expect((await look()).owner).toEqual([
    updateEvent('message_edit_history_visibility_policy', 'none'),
    updateDictEvent({ topics_policy: 'disable_empty_topic', mandatory_topics: true }),
  ])
  expect(await realmOf(owner)).toMatchObject({ realm_mandatory_topics: true, realm_allow_edit_history: false })
})

it('derives legacy policy numbers from permissions', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  const groups = await groupsOf(owner)
  expect(await realmOf(owner)).toMatchObject({
    realm_wildcard_mention_policy: 5,
    realm_create_public_stream_policy: 1,
    realm_create_private_stream_policy: 1,
    realm_create_web_public_stream_policy: 7,
  })
  await owner.call('PATCH', '/realm', {
    can_mention_many_users_group: { new: groups['role:everyone'] },
    can_create_public_channel_group: { new: groups['role:moderators'] },
    can_create_private_channel_group: { new: { direct_members: [mia.id], direct_subgroups: [] } },
    can_create_web_public_channel_group: { new: groups['role:nobody'] },
  })
  expect(await realmOf(owner)).toMatchObject({
    realm_wildcard_mention_policy: 1,
    realm_create_public_stream_policy: 4,
    realm_create_private_stream_policy: 2,
    realm_create_web_public_stream_policy: 6,
  })
})

it('converts a legacy wildcard mention policy to the matching role group', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia Member')
  const groups = await groupsOf(owner)
  const look = await watch({ mia })
  const names = { 1: 'everyone', 2: 'members', 3: 'fullmembers', 5: 'administrators', 6: 'nobody', 7: 'moderators' }
  for (const [policy, name] of Object.entries(names)) {
    await owner.call('PATCH', '/realm', { wildcard_mention_policy: policy })
    expect(await realmOf(owner)).toMatchObject({
      realm_wildcard_mention_policy: Number(policy),
      realm_can_mention_many_users_group: groups[`role:${name}`],
    })
  }
  const told = Object.values(names).map((name) =>
    updateDictEvent({ can_mention_many_users_group: groups[`role:${name}`] }),
  )
  expect((await look()).mia).toEqual(told)
  const settingsError = async (by: TestUser, parameters: Parameters): Promise<unknown> =>
    (await by.try('PATCH', '/realm', parameters)).body['code']
  expect(await settingsError(mia, { wildcard_mention_policy: 1 })).toBe('BAD_REQUEST')
  expect(await settingsError(owner, { wildcard_mention_policy: 4 })).toBe('REQUEST_VARIABLE_INVALID')
  const both = { wildcard_mention_policy: 1, can_mention_many_users_group: { new: groups['role:members'] } }
  expect(await settingsError(owner, both)).toBe('REQUEST_CONFUSING_VAR')
  expect((await look()).mia).toEqual([])
})

it('sends no events for unchanged organization settings', async () => {
  const { owner } = await server().organization()
  const groups = await groupsOf(owner)
  const look = await watch({ owner })
  await owner.call('PATCH', '/realm', {
    name: 'Test',
    invite_required: true,
    can_add_subscribers_group: { new: groups['role:members'], old: groups['role:members'] },
  })
  await owner.call('PATCH', '/realm')
  expect(await look()).toEqual({ owner: [] })
})

describe('organization permissions', () => {
  it('changes an organization permission and enforces the new value', async () => {
    const { owner, user } = await server().organization()
    const [mia, mo] = [await user('Mia Member'), await user('Mo Member')]
    const groups = await groupsOf(owner)
    const look = await watch({ mia })
    const value = { direct_members: [mia.id], direct_subgroups: [groups['role:administrators']] }
    const old = groups['role:members']
    await owner.call('PATCH', '/realm', { can_create_public_channel_group: { new: value, old } })
    expect(await look()).toEqual({ mia: [updateDictEvent({ can_create_public_channel_group: value })] })
    expect((await mo.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'mo' }] })).status).toBe(400)
    await mia.subscribe(['mia'])
    const { state } = await mo.register()
    expect(state).toMatchObject({ can_create_public_streams: false, realm_can_create_public_channel_group: value })
  })

  it('rejects a change of an organization permission with a stale old value', async () => {
    const { owner } = await server().organization()
    const groups = await groupsOf(owner)
    const wanted = { new: groups['role:moderators'], old: groups['role:everyone'] }
    const { status, body } = await owner.try('PATCH', '/realm', { name: 'Other', can_create_groups: wanted })
    expect([status, body['code']]).toEqual([400, 'EXPECTATION_MISMATCH'])
    expect(await realmOf(owner)).toMatchObject({ realm_name: 'Test', realm_can_create_groups: groups['role:members'] })
  })

  it('removes deactivated accounts from permissions until reactivation', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    const both = { direct_members: [owner.id, mia.id], direct_subgroups: [] }
    await owner.call('PATCH', '/realm', { can_create_groups: { new: both } })
    const look = await watch({ owner }, { event_types: ['realm'] })
    await owner.call('DELETE', `/users/${mia.id}`)
    const alone = { direct_members: [owner.id], direct_subgroups: [] }
    expect(await look()).toEqual({ owner: [updateDictEvent({ can_create_groups: alone })] })
    expect((await realmOf(owner))['realm_can_create_groups']).toEqual(alone)
    await owner.call('POST', `/users/${mia.id}/reactivate`)
    expect(await look()).toEqual({ owner: [updateDictEvent({ can_create_groups: both })] })
  })

  it('rejects groups and values that a permission does not allow', async () => {
    const { owner } = await server().organization()
    const groups = await groupsOf(owner)
    const attempt = async (name: string, value: unknown): Promise<unknown> =>
      (await owner.try('PATCH', '/realm', { [name]: { new: value } })).body['code']
    const alone = { direct_members: [owner.id], direct_subgroups: [] }
    const named = { can_create_web_public_channel_group: { new: alone } }
    expect((await owner.try('PATCH', '/realm', named)).body).toMatchObject({
      code: 'SYSTEM_GROUP_REQUIRED',
      setting_name: 'can_create_web_public_channel_group',
    })
    expect(await attempt('can_create_web_public_channel_group', groups['role:members'])).toBe('BAD_REQUEST')
    expect(await attempt('can_create_groups', groups['role:everyone'])).toBe('BAD_REQUEST')
    expect(await attempt('can_manage_all_groups', groups['role:nobody'])).toBe('BAD_REQUEST')
    expect(await attempt('can_create_groups', 999_999)).toBe('BAD_REQUEST')
    expect(await attempt('can_create_groups', { direct_members: [999_999], direct_subgroups: [] })).toBe('BAD_REQUEST')
    expect((await owner.try('PATCH', '/realm', { can_create_groups: groups['role:members'] })).body['code']).toBe(
      'REQUEST_VARIABLE_INVALID',
    )
  })
})

describe('permission to change the organization', () => {
  it('lets administrators change settings except those reserved for owners', async () => {
    const { owner, user } = await server().organization()
    const [admin, moderator] = [await user('Ada Admin', { role: 200 }), await user('Moe Moderator', { role: 300 })]
    const groups = await groupsOf(owner)
    const look = await watch({ owner })
    const values: Body = {
      can_create_web_public_channel_group: { new: groups['role:moderators'] },
      can_invite_users_group: { new: groups['role:moderators'] },
      can_manage_all_groups: { new: groups['role:moderators'] },
      can_manage_billing_group: { new: groups['role:moderators'] },
      create_multiuse_invite_group: { new: groups['role:moderators'] },
      disallow_disposable_email_addresses: false,
      emails_restricted_to_domains: true,
      invite_required: false,
      message_retention_days: 7,
      waiting_period_threshold: 3,
    }
    for (const [name, value] of Object.entries(values)) {
      const { body } = await admin.try('PATCH', '/realm', { digest_weekday: 5, [name]: value })
      expect([name, body['msg']]).toEqual([name, 'Must be an organization owner'])
    }
    expect((await moderator.try('PATCH', '/realm', { name: 'Mine' })).body['msg']).toBe(
      'Must be an organization administrator',
    )
    expect(await look()).toEqual({ owner: [] })
    await owner.call('PATCH', '/realm', values)
    await admin.call('PATCH', '/realm', { digest_weekday: 5 })
    expect((await look()).owner).toContainEqual(updateEvent('digest_weekday', 5))
  })
})

describe('waiting period', () => {
  const fullMembers = async (user: TestUser): Promise<unknown> => {
    const { user_groups } = await user.call('GET', '/user_groups')
    return user_groups.find((group) => group.name === 'role:fullmembers')?.members
  }

  it('counts new members as full members only after the waiting period', async () => {
    const { owner, user } = await server().organization()
    const [mia, groups] = [await user('Mia Member'), await groupsOf(owner)]
    await owner.call('PATCH', '/realm', { can_create_public_channel_group: { new: groups['role:fullmembers'] } })
    const look = await watch({ mia })
    await owner.call('PATCH', '/realm', { waiting_period_threshold: 3 })
    const changed = { type: 'user_group', group_id: groups['role:fullmembers'], user_ids: [mia.id] }
    expect(await look()).toEqual({
      mia: [updateEvent('waiting_period_threshold', 3), { ...changed, op: 'remove_members' }],
    })
    expect(await fullMembers(owner)).toEqual([])
    const create = async (): Promise<number> =>
      (await mia.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'mine' }] })).status
    expect(await create()).toBe(400)
    await owner.call('PATCH', '/realm', { waiting_period_threshold: 0 })
    expect(await look()).toEqual({
      mia: [updateEvent('waiting_period_threshold', 0), { ...changed, op: 'add_members' }],
    })
    expect(await create()).toBe(200)
  })
})

describe('announcement channels', () => {
  it('accepts an announcement channel only if the administrator can see the channel', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    await owner.subscribe(['news'])
    await owner.subscribe(['reports'], { invite_only: true })
    const idOf = async (stream: string): Promise<number> =>
      (await owner.call('GET', '/get_stream_id', { stream }))['stream_id']
    const [news, reports] = [await idOf('news'), await idOf('reports')]
    const look = await watch({ owner, mia })
    await owner.call('PATCH', '/realm', {
      new_stream_announcements_stream_id: news,
      moderation_request_channel_id: reports,
    })
    const chosen = updateEvent('new_stream_announcements_stream_id', news)
    const hidden = updateEvent('moderation_request_channel_id', reports)
    expect(await look()).toEqual({ owner: [hidden, chosen], mia: [chosen] })
    for (const value of [999_999, 0, -2]) {
      expect((await owner.try('PATCH', '/realm', { signup_announcements_stream_id: value })).status).toBe(400)
    }
    const { body } = await owner.try('PATCH', '/realm', { moderation_request_channel_id: news })
    expect(body['msg']).toBe('Moderation request channel must be private.')
    await owner.call('PATCH', '/realm', { new_stream_announcements_stream_id: -1 })
    expect((await realmOf(mia))['realm_new_stream_announcements_stream_id']).toBe(-1)
  })

  it('shows the announcement channel only to people who can see that channel', async () => {
    const { owner, user } = await server().organization()
    const mia = await user('Mia Member')
    await owner.subscribe(['reports'], { invite_only: true })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'reports' })
    const reports = stream_id
    await owner.call('PATCH', '/realm', { moderation_request_channel_id: reports })
    const look = await watch({ mia }, { event_types: ['realm'] })
    const isTold = async (value: number): Promise<void> => {
      expect(await look()).toEqual({ mia: [updateEvent('moderation_request_channel_id', value)] })
      expect((await realmOf(mia))['realm_moderation_request_channel_id']).toBe(value)
    }
    expect((await realmOf(mia))['realm_moderation_request_channel_id']).toBe(-1)
    await owner.subscribe(['reports'], { principals: [mia.id] })
    await isTold(reports)
    await mia.call('DELETE', '/users/me/subscriptions', { subscriptions: ['reports'] })
    await isTold(-1)
    await owner.call('PATCH', `/users/${mia.id}`, { role: 200 })
    await isTold(reports)
    await owner.call('PATCH', `/users/${mia.id}`, { role: 400 })
    await isTold(-1)
    await owner.call('PATCH', `/streams/${reports}`, { is_private: false })
    await isTold(reports)
    await owner.call('PATCH', `/streams/${reports}`, { is_private: true })
    await isTold(-1)
    await owner.call('PATCH', '/realm', { moderation_request_channel_id: -1 })
    expect(await look()).toEqual({ mia: [] })
  })
})

it.each([
  ['message_content_edit_limit_seconds', 0],
  ['message_content_edit_limit_seconds', -5],
  ['message_content_edit_limit_seconds', 'forever'],
  ['message_retention_days', 0],
  ['waiting_period_threshold', -1],
  ['digest_weekday', 7],
  ['org_type', 5],
  ['video_chat_provider', 3],
  ['topics_policy', 'empty_topic_only'],
  ['jitsi_server_url', 'javascript:alert(1)'],
  ['jitsi_server_url', `https://example.com/${'x'.repeat(200)}`],
  ['default_language', 'nonsense'],
  ['invite_required', 'perhaps'],
])('rejects %s set to %s', async (name, value) => {
  const { owner } = await server().organization()
  const look = await watch({ owner })
  const { status, body } = await owner.try('PATCH', '/realm', { name: 'Other', [name]: value })
  expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  expect(await look()).toEqual({ owner: [] })
})

it("reports the operator's call server in addition to the organization's call server", async () => {
  for (const [of, address] of [
    [server(), null],
    [serverWithCalls(), 'https://meet.example.org'],
  ] as const) {
    const { owner } = await of.organization()
    await owner.call('PATCH', '/realm', { jitsi_server_url: '"https://calls.example.com"' })
    const { state } = await owner.register({ fetch_event_types: ['realm'] })
    expect(state).toMatchObject({
      realm_jitsi_server_url: 'https://calls.example.com',
      server_jitsi_server_url: address,
    })
  }
})

it('sets and clears the code language and call server, and rejects unknown languages', async () => {
  const { owner } = await server().organization()
  const { body } = await owner.try('PATCH', '/realm', { default_code_block_language: 'klingon' })
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: "Invalid language 'klingon'" })
  const changes = { default_code_block_language: 'python', jitsi_server_url: '"https://calls.example.com"' }
  await owner.call('PATCH', '/realm', changes)
  expect(await realmOf(owner)).toMatchObject({
    realm_default_code_block_language: 'python',
    realm_jitsi_server_url: 'https://calls.example.com',
  })
  await owner.call('PATCH', '/realm', { default_code_block_language: '', jitsi_server_url: 'default' })
  expect(await realmOf(owner)).toMatchObject({
    realm_default_code_block_language: '',
    realm_jitsi_server_url: null,
  })
})
