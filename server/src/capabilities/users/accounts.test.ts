import { describe, expect, it } from 'vitest'
import { textWith } from '../../testing/expected.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, TestUser, type Answer, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const NEWCOMER = { email: 'nora@example.com', password: 'correct horse', full_name: 'Nora Newcomer' }

async function logIn(organization: TestOrganization, username: string, password: string): Promise<TestUser> {
  const { url } = organization.owner
  const path = '/fetch_api_key'
  const { body } = await callApi(url, organization.host, 'POST', path, { username, password })
  return new TestUser(url, organization.host, String(body['email']), String(body['api_key']), Number(body['user_id']))
}

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

describe('account creation', () => {
  it('notifies everyone of a new person and of the groups they are in', async () => {
    const { owner, user } = await server().organization()
    const people = { owner, member: await user('Mia Member'), guest: await user('Gus Guest', { role: 600 }) }
    const look = await watch(people)
    const { user_id } = await owner.call('POST', '/users', NEWCOMER)
    const told = [
      {
        type: 'realm_user',
        op: 'add',
        person: {
          user_id,
          email: NEWCOMER.email,
          delivery_email: NEWCOMER.email,
          full_name: NEWCOMER.full_name,
          role: 400,
          is_active: true,
          is_bot: false,
          avatar_url: null,
          profile_data: {},
        },
      },
      { type: 'user_group', op: 'add_members', user_ids: [user_id] },
      { type: 'user_group', op: 'add_members', user_ids: [user_id] },
    ]
    expect(await look()).toMatchObject({ owner: told, member: told, guest: told })
  })

  it('sends the avatar URL to clients that do not draw avatars themselves', async () => {
    const { owner } = await server().organization()
    const look = await watch({ owner }, { client_external_avatar: false })
    await owner.call('POST', '/users', NEWCOMER)
    const [added] = (await look()).owner
    expect(added).toMatchObject({ person: { avatar_url: textWith('/avatar/') } })
  })

  it("ignores case in a new person's email address when they sign in", async () => {
    const organization = await server().organization()
    const { user_id } = await organization.owner.call('POST', '/users', NEWCOMER)
    for (const email of [NEWCOMER.email, NEWCOMER.email.toUpperCase()]) {
      const newcomer = await logIn(organization, email, NEWCOMER.password)
      expect(await newcomer.call('GET', '/users/me')).toMatchObject({ user_id, email: NEWCOMER.email, role: 400 })
    }
  })

  it('subscribes a new person to default channels and notifies everyone who can see the channels', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    const inside = await user('Gisa Guest', { role: 600 })
    await owner.subscribe(['general'], { is_default_stream: true, principals: [owner.id, inside.id] })
    await owner.subscribe(['other'])
    const look = await watch({ owner, member, guest, inside }, { event_types: ['subscription', 'stream'] })
    const { user_id } = await owner.call('POST', '/users', NEWCOMER)
    const newcomer = await logIn(organization, NEWCOMER.email, NEWCOMER.password)
    const { subscriptions } = await newcomer.call('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
    expect(subscriptions).toMatchObject([{ name: 'general', subscribers: [owner.id, inside.id, user_id] }])
    const joined = [{ type: 'subscription', op: 'peer_add', user_ids: [user_id] }]
    expect(await look()).toMatchObject({ owner: joined, member: joined, guest: [], inside: joined })
  })

  it.each([
    ['moderators', 300],
    ['members', 400],
    ['guests', 600],
  ] as const)('refuses account creation by %s', async (_, role) => {
    const { owner, user } = await server().organization()
    const actor = await user('Amy Actor', { role })
    const look = await watch({ owner })
    expect(refusal(await actor.try('POST', '/users', NEWCOMER))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
    expect(refusal(await owner.try('GET', `/users/${NEWCOMER.email}`))).toEqual([400, 'BAD_REQUEST'])
  })

  it('lets administrators create accounts', async () => {
    const { user } = await server().organization()
    const admin = await user('Ada Admin', { role: 200 })
    expect(await admin.call('POST', '/users', NEWCOMER)).toHaveProperty('user_id')
  })

  it("rejects any spelling of an existing or deactivated account's address", async () => {
    const { owner, user } = await server().organization()
    const gone = await user('Greta Gone')
    await owner.call('DELETE', `/users/${gone.id}`)
    await owner.call('POST', '/users', { ...NEWCOMER, email: 'Ünal@Example.com' })
    const look = await watch({ owner })
    for (const email of ['OWNER@example.com', ' owner@example.com ', 'üNAL@eXAMPLE.COM', gone.email.toUpperCase()]) {
      expect(refusal(await owner.try('POST', '/users', { ...NEWCOMER, email }))).toEqual([400, 'BAD_REQUEST'])
    }
    expect(await look()).toEqual({ owner: [] })
  })

  it.each([
    ['an empty address', { email: '' }],
    ['an address without @', { email: 'nora' }],
    ['an address with two @', { email: 'nora@home@example.com' }],
    ['an address without a name', { email: '@example.com' }],
    ['an address without a host', { email: 'nora@' }],
    ['an address with a space', { email: 'nora n@example.com' }],
    ['an address with a line break', { email: 'nora@example.com\nBcc: all@example.com' }],
    ['an address with a control character', { email: 'nora\u0007@example.com' }],
    ['an address that is too long', { email: `${'n'.repeat(250)}@example.com` }],
    ['a short password', { password: '1234567' }],
    ['a short password of long characters', { password: '🔑'.repeat(7) }],
    ['a long password', { password: 'x'.repeat(101) }],
    ['an empty password', { password: '' }],
    ['an empty name', { full_name: '' }],
    ['a blank name', { full_name: ' \t ' }],
    ['an invisible name', { full_name: '\u200b\u200d' }],
    ['a name with an asterisk', { full_name: 'Nora *' }],
    ['a name with a backtick', { full_name: 'Nora `' }],
    ['a name with a backslash', { full_name: 'Nora \\' }],
    ['a name with a quotation mark', { full_name: 'Nora "' }],
    ['a name with an @', { full_name: 'Nora @' }],
    ['a name with an angle bracket', { full_name: '<b>Nora' }],
    ['a name with a line break', { full_name: 'Nora\nNewcomer' }],
    ['a name that ends like a mention with an ID', { full_name: 'Nora|12' }],
  ])('rejects an account with %s', async (_, wrong) => {
    const { owner } = await server().organization()
    const look = await watch({ owner })
    expect(refusal(await owner.try('POST', '/users', { ...NEWCOMER, ...wrong }))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
    expect((await owner.call('GET', '/users'))['members']).toHaveLength(1)
  })

  it('limits the length of personal names in code points rather than bytes', async () => {
    const { owner } = await server().organization()
    const longest = '🙂'.repeat(100)
    const { user_id } = await owner.call('POST', '/users', { ...NEWCOMER, full_name: ` ${longest} `.trim() })
    expect((await owner.call('GET', `/users/${String(user_id)}`))['user']).toMatchObject({ full_name: longest })
    const tooLong = await owner.try('POST', '/users', { ...NEWCOMER, full_name: `${longest}x`, email: 'b@example.com' })
    expect(refusal(tooLong)).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  })

  it.each(["Zoë O'Neil-Şahin", 'नमस्ते', '李小龍', '👩‍💻 Nora', 'Nora | Ops', 'x'])('accepts the name %s', async (name) => {
    const { owner } = await server().organization()
    const { user_id } = await owner.call('POST', '/users', { ...NEWCOMER, full_name: `  ${name} ` })
    expect((await owner.call('GET', `/users/${String(user_id)}`))['user']).toMatchObject({ full_name: name })
  })

  it('accepts a name that another person has', async () => {
    const { owner } = await server().organization()
    await owner.call('POST', '/users', { ...NEWCOMER, full_name: 'Olivia Owner' })
    expect((await owner.call('GET', '/users'))['members']).toMatchObject([
      { full_name: 'Olivia Owner' },
      { full_name: 'Olivia Owner' },
    ])
  })

  it('requires an email address, a password, and a name for a new account', async () => {
    const { owner } = await server().organization()
    for (const missing of ['email', 'password', 'full_name'] as const) {
      const { [missing]: _, ...rest } = NEWCOMER
      const answer = await owner.try('POST', '/users', rest)
      expect([...refusal(answer), answer.body['var_name']]).toEqual([400, 'REQUEST_VARIABLE_MISSING', missing])
    }
  })

  it('creates one account for simultaneous requests', async () => {
    const { owner } = await server().organization()
    const answers = await Promise.all([1, 2].map(async () => owner.try('POST', '/users', NEWCOMER)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 400]))
    expect((await owner.call('GET', '/users'))['members']).toHaveLength(2)
  })
})

describe('account changes', () => {
  it("notifies everyone of a person's new name", async () => {
    const { owner, user } = await server().organization()
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    const look = await watch({ owner, member, guest })
    await owner.call('PATCH', `/users/${member.id}`, { full_name: ' Mia Maier ' })
    const told = [{ type: 'realm_user', op: 'update', person: { user_id: member.id, full_name: 'Mia Maier' } }]
    expect(await look()).toEqual({ owner: told, member: told, guest: told })
    expect((await guest.call('GET', `/users/${member.id}`))['user']).toMatchObject({ full_name: 'Mia Maier' })
  })

  it('changes the account with the given email address, ignoring case', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.call('PATCH', `/users/${member.email.toUpperCase()}`, { full_name: 'Mia Maier', role: 300 })
    const changed = { full_name: 'Mia Maier', role: 300 }
    expect((await owner.call('GET', `/users/${member.email}`))['user']).toMatchObject(changed)
  })

  it("notifies everyone of a person's new role and moves the person between role groups", async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const { user_groups } = await owner.call('GET', '/user_groups')
    const idOf = (name: string): unknown => user_groups.find((group) => group['name'] === name)?.['id']
    const look = await watch({ owner, member })
    await owner.call('PATCH', `/users/${member.id}`, { role: 300 })
    const membershipEvent = (op: string, name: string): Body => ({
      type: 'user_group',
      op,
      group_id: idOf(name),
      user_ids: [member.id],
    })
    const told = [
      { type: 'realm_user', op: 'update', person: { user_id: member.id, role: 300 } },
      membershipEvent('remove_members', 'role:fullmembers'),
      membershipEvent('remove_members', 'role:members'),
      membershipEvent('add_members', 'role:moderators'),
    ]
    expect(await look()).toEqual({ owner: told, member: told })
  })

  it('sends no events for unchanged values of an account', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const look = await watch({ owner, member })
    await owner.call('PATCH', `/users/${member.id}`, { full_name: 'Mia Member', role: 400 })
    await owner.call('PATCH', `/users/${member.id}`)
    expect(await look()).toEqual({ owner: [], member: [] })
  })

  it('changes the role of a deactivated account, effective after reactivation', async () => {
    const { owner, user } = await server().organization()
    const gone = await user('Greta Gone')
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner })
    await owner.call('PATCH', `/users/${gone.id}`, { role: 200 })
    expect(await look()).toEqual({
      owner: [{ type: 'realm_user', op: 'update', person: { user_id: gone.id, role: 200 } }],
    })
    await owner.call('POST', `/users/${gone.id}/reactivate`)
    await gone.fetchApiKey()
    expect(await gone.call('GET', '/users/me')).toMatchObject({ role: 200 })
  })

  it.each([
    ['a moderator', 300],
    ['a member', 400],
    ['a guest', 600],
  ] as const)('refuses changes by %s to any account, including their own', async (_, role) => {
    const { owner, user } = await server().organization()
    const [actor, other] = [await user('Amy Actor', { role }), await user('Otto Other')]
    const bot = await user('Bert Bot', { bot: { ownerId: actor.id } })
    const look = await watch({ owner })
    for (const target of [other, actor, owner, bot]) {
      for (const change of [{ full_name: 'New Name' }, { role: 200 }, {}]) {
        const answer = await actor.try('PATCH', `/users/${target.id}`, change)
        expect([...refusal(answer), answer.body['msg']]).toEqual([400, 'BAD_REQUEST', 'Insufficient permission'])
      }
    }
    expect(await look()).toEqual({ owner: [] })
  })

  it("lets administrators change all accounts except owners', but not promote anyone to owner", async () => {
    const { owner, user } = await server().organization()
    const admin = await user('Ada Admin', { role: 200 })
    const other = await user('Abe Admin', { role: 200 })
    const look = await watch({ owner })
    for (const [target, change] of [
      [owner, { role: 400 }],
      [owner, { full_name: 'Owned' }],
      [other, { role: 100 }],
      [admin, { role: 100 }],
    ] as const) {
      expect(refusal(await admin.try('PATCH', `/users/${target.id}`, change))).toEqual([400, 'BAD_REQUEST'])
    }
    expect(await look()).toEqual({ owner: [] })
    await admin.call('PATCH', `/users/${other.id}`, { role: 400 })
    await admin.call('PATCH', `/users/${admin.id}`, { role: 300 })
    expect(refusal(await admin.try('PATCH', `/users/${admin.id}`, { role: 200 }))).toEqual([400, 'BAD_REQUEST'])
  })

  it('keeps at least one active human owner', async () => {
    const { owner, user } = await server().organization()
    const second = await user('Otto Owner')
    const bot = await user('Bert Bot', { role: 100, bot: { ownerId: owner.id } })
    expect((await owner.call('GET', `/users/${bot.id}`))['user']).toMatchObject({ role: 100 })
    expect(refusal(await owner.try('PATCH', `/users/${owner.id}`, { role: 200 }))).toEqual([400, 'BAD_REQUEST'])
    await owner.call('PATCH', `/users/${second.id}`, { role: 100 })
    await owner.call('DELETE', `/users/${second.id}`)
    expect(refusal(await owner.try('PATCH', `/users/${owner.id}`, { role: 200 }))).toEqual([400, 'BAD_REQUEST'])
    await owner.call('POST', `/users/${second.id}/reactivate`)
    await owner.call('PATCH', `/users/${owner.id}`, { role: 600 })
    expect(await owner.call('GET', '/users/me')).toMatchObject({ role: 600, is_owner: false, is_guest: true })
  })

  it('rejects invalid roles and names and missing accounts', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const look = await watch({ owner })
    const member_ = `/users/${member.id}`
    for (const role of [0, 250, 500, 101]) {
      expect(refusal(await owner.try('PATCH', member_, { role }))).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    }
    for (const full_name of ['', '  ', 'Mia @', 'Mia|7']) {
      expect(refusal(await owner.try('PATCH', member_, { full_name, role: 200 }))).toEqual([400, 'BAD_REQUEST'])
    }
    const long = await owner.try('PATCH', member_, { full_name: 'x'.repeat(101) })
    expect(refusal(long)).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    for (const path of ['/users/999999', '/users/nobody@example.com']) {
      const answer = await owner.try('PATCH', path, { role: 200 })
      expect([...refusal(answer), answer.body['msg']]).toEqual([400, 'BAD_REQUEST', 'No such user'])
    }
    expect(await look()).toEqual({ owner: [] })
  })
})
