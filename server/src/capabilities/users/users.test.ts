import { expect, it } from 'vitest'
import { anyText, textLike } from '../../testing/expected.ts'
import { useTestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'

const server = useTestServer()

it('lists everyone, active or not, in order of joining', async () => {
  const { owner, user } = await server().organization()
  const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
  const gone = await user('Greta Gone')
  await owner.call('DELETE', `/users/${gone.id}`)
  const { members } = await guest.call('GET', '/users')
  expect(members.map((one) => [one['user_id'], one['is_active']])).toEqual([
    [owner.id, true],
    [member.id, true],
    [guest.id, true],
    [gone.id, false],
  ])
})

it("returns a person's identity, roles, and address", async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  const { user: shown } = await member.call('GET', `/users/${owner.id}`)
  expect(shown).toEqual({
    user_id: owner.id,
    email: owner.email,
    delivery_email: owner.email,
    full_name: 'Olivia Owner',
    date_joined: textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    is_active: true,
    is_owner: true,
    is_admin: true,
    is_guest: false,
    is_billing_admin: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: 100,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
  })
})

it("returns a bot's type and owner", async () => {
  const { owner, user } = await server().organization()
  const bot = await user('Bert Bot', { bot: { ownerId: owner.id } })
  const { user: shown } = await owner.call('GET', `/users/${bot.id}`, { include_custom_profile_fields: true })
  expect(shown).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: owner.id, role: 400 })
  expect(shown).not.toHaveProperty('profile_data')
})

it.each([
  [100, { is_owner: true, is_admin: true, is_guest: false }],
  [200, { is_owner: false, is_admin: true, is_guest: false }],
  [300, { is_owner: false, is_admin: false, is_guest: false }],
  [400, { is_owner: false, is_admin: false, is_guest: false }],
  [600, { is_owner: false, is_admin: false, is_guest: true }],
] as const)('returns role %i also in legacy fields', async (role, flags) => {
  const { owner, user } = await server().organization()
  const { id } = await user('Rose Role', { role })
  const { user: shown } = await owner.call('GET', `/users/${id}`)
  expect(shown).toMatchObject({ role, ...flags })
})

it('lists each requested user once and omits missing IDs', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  await user('Otto Other')
  const { members } = await owner.call('GET', '/users', { user_ids: [member.id, 999_999, owner.id, member.id] })
  expect(members.map((one) => one['user_id'])).toEqual([member.id, owner.id])
  expect(await owner.call('GET', '/users', { user_ids: [] })).toMatchObject({ members: [] })
})

it('returns avatar URLs to clients that do not draw avatars themselves', async () => {
  const { owner } = await server().organization()
  const own = `/users/${owner.id}`
  const picture = { avatar_url: textLike(/\/avatar\/\d+\?version=1$/) }
  expect((await owner.call('GET', own, { client_external_avatar: false }))['user']).toMatchObject(picture)
  expect((await owner.call('GET', own, { client_external_avatar: true }))['user']).toMatchObject({ avatar_url: null })
  const { members } = await owner.call('GET', '/users', { client_external_avatar: false })
  expect(members).toMatchObject([picture])
  expect((await owner.call('GET', '/users'))['members']).toMatchObject([{ avatar_url: null }])
})

it('returns profile fields on request', async () => {
  const { owner, user } = await server().organization()
  await user('Bert Bot', { bot: {} })
  const { members } = await owner.call('GET', '/users', { include_custom_profile_fields: true })
  expect(members.map((one) => one['profile_data'])).toEqual([{}, undefined])
  const { members: without } = await owner.call('GET', '/users')
  expect(without.map((one) => one['profile_data'])).toEqual([undefined, undefined])
})

it('finds a user by email address, ignoring case', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  for (const email of [member.email, member.email.toUpperCase(), encodeURIComponent(member.email)]) {
    expect((await owner.call('GET', `/users/${email}`))['user']).toMatchObject({ user_id: member.id })
  }
  const { user: shown } = await owner.call('GET', `/users/${member.email}`, {
    client_external_avatar: false,
    include_custom_profile_fields: true,
  })
  expect(shown).toMatchObject({ avatar_url: anyText, profile_data: {} })
})

it.each(['/users/999999', '/users/nobody@example.com', '/users/nobody'])(
  'rejects the missing user %s',
  async (path) => {
    const { owner } = await server().organization()
    const { status, body } = await owner.try('GET', path)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'No such user'])
  },
)

it("returns the requester's account", async () => {
  const { owner } = await server().organization()
  const { user: shown } = await owner.call('GET', `/users/${owner.id}`, { client_external_avatar: false })
  const { bot_type: _, bot_owner_id: __, ...common } = shown
  expect(await owner.call('GET', '/users/me')).toEqual({
    result: 'success',
    msg: '',
    ...common,
    profile_data: {},
    max_message_id: -1,
  })
})

it("returns a bot's own account without a profile", async () => {
  const { user } = await server().organization()
  const bot = await user('Bert Bot', { bot: {} })
  const own = await bot.call('GET', '/users/me')
  expect(own).toMatchObject({ user_id: bot.id, is_bot: true })
  expect(own).not.toHaveProperty('profile_data')
})

it('returns the ID of the newest message that the user received', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  await owner.subscribe(['secret'], { invite_only: true })
  const newest = await owner.sendTo([member.id], 'for both')
  await owner.send('secret', 'plans', 'for the owner alone')
  expect(await member.call('GET', '/users/me')).toMatchObject({ max_message_id: newest })
  const { state } = await member.register({ fetch_event_types: ['message'] })
  expect(state['max_message_id']).toBe(newest)
})

it('returns active and deactivated users separately when a queue is registered', async () => {
  const { owner, user } = await server().organization()
  const gone = await user('Greta Gone')
  await owner.call('DELETE', `/users/${gone.id}`)
  const { state } = await owner.register({ fetch_event_types: ['realm_user'], client_external_avatar: false })
  const { members } = await owner.call('GET', '/users', {
    client_external_avatar: false,
    include_custom_profile_fields: true,
  })
  const [first, second] = members
  expect(state).toMatchObject({ realm_users: [first], realm_non_active_users: [second], user_id: owner.id })
  expect(state['realm_users'].length + state['realm_non_active_users'].length).toBe(2)
})

it('requires credentials for every user request', async () => {
  const { owner } = await server().organization()
  const stranger = new TestUser(owner.url, owner.host, owner.email, 'x'.repeat(32), owner.id)
  for (const path of ['/users', '/users/me', `/users/${owner.id}`, `/users/${owner.email}`]) {
    const { status, body } = await stranger.try('GET', path)
    expect([status, body['code']]).toEqual([401, 'INVALID_API_KEY'])
  }
})
