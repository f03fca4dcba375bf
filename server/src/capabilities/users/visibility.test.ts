import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function groupId(user: TestUser, name: string): Promise<number> {
  const { user_groups } = await user.call('GET', '/user_groups')
  return Number(user_groups.find((group) => group.name === name)?.id)
}

async function limitGuests(owner: TestUser, group: 'role:members' | 'role:everyone'): Promise<void> {
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: await groupId(owner, group) } })
}

interface Fixture extends TestOrganization {
  readonly mia: TestUser
  readonly bob: TestUser
  readonly gus: TestUser
}

/** Creates an organization with limited guests, in which Gus shares a channel with Mia. */
async function createFixture(): Promise<Fixture> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [mia, bob, gus] = [await user('Mia'), await user('Bob'), await user('Gus', { role: 600 })]
  await owner.subscribe(['Ours'], { principals: [mia.id, gus.id] })
  await limitGuests(owner, 'role:members')
  return { ...organization, mia, bob, gus }
}

async function listUsers(user: TestUser): Promise<unknown[]> {
  const { members } = await user.call('GET', '/users')
  return members.map((person) => person['user_id'])
}

const unknownUser = (id: number): object => ({
  user_id: id,
  full_name: 'Unknown user',
  delivery_email: null,
  role: 400,
})

it('shows a guest with limited access only bots and people in shared channels', async () => {
  const { owner, mia, bob, gus, user } = await createFixture()
  const bot = await user('Bert Bot', { bot: { ownerId: bob.id } })
  expect(await listUsers(gus)).toEqual([mia.id, gus.id, bot.id])
  expect(await listUsers(mia)).toEqual([owner.id, mia.id, bob.id, gus.id, bot.id])
  const asked = await gus.call('GET', '/users', { user_ids: [bob.id, mia.id] })
  expect(asked['members']).toMatchObject([{ user_id: mia.id }])
})

it('treats people whom a guest cannot see as missing', async () => {
  const { owner, bob, gus, mia } = await createFixture()
  await mia.subscribe(['Elsewhere'])
  const peopleIn = (id: number | string): Body => ({ direct_members: [id], direct_subgroups: [] })
  const permitted = { can_administer_channel_group: { new: peopleIn(gus.id) } }
  const group = { name: 'A', description: '', members: [] }
  const made = await owner.call('POST', '/user_groups/create', { ...group, can_manage_group: peopleIn(gus.id) })
  await owner.call('PATCH', '/realm', { can_create_groups: { new: peopleIn(gus.id) } })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'Ours' })
  await owner.call('PATCH', `/streams/${stream_id}`, permitted)
  const field = await owner.call('POST', '/realm/profile_fields', { name: 'Friends', field_type: 6 })
  const ways: ((id: number | string) => ReturnType<TestUser['try']>)[] = [
    async (id) => gus.try('GET', `/users/${id}`),
    async (id) => gus.try('GET', `/users/${id}/status`),
    async (id) => gus.try('POST', '/messages', { type: 'direct', to: [id], content: 'x' }),
    async (id) => gus.try('POST', '/typing', { type: 'direct', op: 'start', to: [id] }),
    async (id) => gus.try('POST', `/users/me/muted_users/${id}`),
    async (id) => gus.try('DELETE', `/users/me/muted_users/${id}`),
    async (id) => gus.try('POST', '/drafts', { drafts: [{ type: 'private', to: [id], topic: '', content: 'x' }] }),
    async (id) => gus.try('GET', `/user_groups/1/members/${id}`),
    async (id) => gus.try('GET', `/users/${id}/presence`),
    async (id) => gus.try('GET', `/users/${id}/status`),
    async (id) => gus.try('POST', `/users/${id}/status`, { status_text: 'x' }),
    async (id) => gus.try('PATCH', `/users/${id}`, { full_name: 'x' }),
    async (id) => gus.try('DELETE', `/users/${id}`),
    async (id) => gus.try('POST', `/users/${id}/reactivate`),
    async (id) => gus.try('PATCH', `/user_groups/${made['group_id']}`, { can_join_group: { new: peopleIn(id) } }),
    async (id) => gus.try('POST', '/user_groups/create', { ...group, name: 'B', can_join_group: peopleIn(id) }),
    async (id) => gus.try('PATCH', `/streams/${String(stream_id)}`, { can_send_message_group: { new: peopleIn(id) } }),
    async (id) => gus.try('PATCH', '/users/me/profile_data', { data: [{ id: field['id'], value: [id] }] }),
    async (id) => gus.try('PATCH', '/realm', { can_create_groups: { new: peopleIn(id) } }),
    async (id) => gus.try('GET', `/users/${id}/status`),
    async (id) =>
      gus.try('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'sender', operand: id }],
      }),
  ]
  for (const way of ways) {
    const [hidden, absent] = [await way(bob.id), await way(987_654)]
    const text = JSON.stringify(hidden.body).replaceAll(String(bob.id), '987654')
    expect([hidden.status, text]).toEqual([absent.status, JSON.stringify(absent.body)])
    expect(hidden.body['result']).toBe('error')
  }
  const byEmail = await gus.try('GET', `/users/${bob.email}`)
  expect(byEmail.body).toEqual((await gus.try('GET', '/users/nobody@example.com')).body)
  await gus.call('GET', `/users/${mia.id}`)
})

it('omits people whom a guest cannot see, but for older clients hides only their names', async () => {
  const { owner, mia, bob, gus } = await createFixture()
  await owner.call('DELETE', `/users/${bob.id}`)
  const { state } = await gus.register({ fetch_event_types: ['realm_user'] })
  expect(state.realm_users.map((person) => person.user_id)).toEqual([mia.id, gus.id])
  expect(state['realm_non_active_users']).toEqual([])
  const old = await gus.register({ fetch_event_types: ['realm_user'], client_capabilities: {} })
  expect(old.state['realm_users']).toMatchObject([
    unknownUser(owner.id),
    { user_id: mia.id, full_name: 'Mia' },
    unknownUser(bob.id),
    { user_id: gus.id },
  ])
  expect(JSON.stringify(old.state)).not.toContain('Olivia')
})

it('notifies a guest of people becoming visible or hidden, but of no one else', async () => {
  const { owner, mia, bob, gus, user } = await createFixture()
  const types = { event_types: ['realm_user'] }
  const [modern, old] = [await watch({ gus, mia }, types), await watch({ gus }, { ...types, client_capabilities: {} })]
  const newcomer = await user('Nina')
  await owner.call('PATCH', `/users/${bob.id}`, { full_name: 'Robert' })
  expect((await modern()).gus).toEqual([])
  expect((await old()).gus).toMatchObject([{ op: 'add', person: unknownUser(newcomer.id) }])
  const streams = { subscriptions: [{ name: 'Ours' }] }
  await bob.call('POST', '/users/me/subscriptions', streams)
  const met = { type: 'realm_user', op: 'add', person: { user_id: bob.id, full_name: 'Robert', is_active: true } }
  expect((await modern()).gus).toMatchObject([met])
  expect((await old()).gus).toMatchObject([met])
  await owner.call('PATCH', `/users/${bob.id}`, { full_name: 'Rob' })
  expect((await modern()).gus).toMatchObject([{ op: 'update', person: { full_name: 'Rob' } }])
  await old()
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['Ours'] })
  expect((await modern()).gus).toEqual([{ type: 'realm_user', op: 'remove', person: { user_id: bob.id } }])
  expect((await old()).gus).toMatchObject([{ op: 'add', person: unknownUser(bob.id) }])
  expect(await listUsers(mia)).toContain(bob.id)
})

it('sends a guest only the statuses of people the guest can see', async () => {
  const { mia, bob, gus } = await createFixture()
  const look = await watch({ gus, mia })
  await bob.call('POST', '/users/me/status', { status_text: 'Out', emoji_name: 'tada' })
  const told = { type: 'user_status', user_id: bob.id, status_text: 'Out' }
  const { gus: nothing, mia: everything } = await look()
  expect([nothing, everything]).toMatchObject([[], [told]])
  expect((await gus.register()).state['user_status']).toEqual({})
  await bob.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Ours' }] })
  expect((await look()).gus.filter(({ type }) => type === 'user_status')).toMatchObject([told])
  expect((await gus.register()).state['user_status']).toMatchObject({ [bob.id]: { status_text: 'Out' } })
  await bob.call('POST', '/users/me/status', { status_text: 'Back' })
  expect((await look()).gus).toEqual([{ ...told, status_text: 'Back' }])
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['Ours'] })
  const over = { ...told, status_text: '', emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
  expect((await look()).gus.filter(({ type }) => type === 'user_status')).toEqual([over])
  expect((await gus.register()).state['user_status']).toEqual({})
})

it('sends typing events to guests only for people they can see, without hidden email addresses', async () => {
  const { mia, bob, gus } = await createFixture()
  const look = await watch({ gus, bob })
  await mia.call('POST', '/typing', { op: 'start', to: [bob.id, gus.id] })
  await bob.call('POST', '/typing', { op: 'start', to: [mia.id, gus.id] })
  const [mias, bobs] = [
    { user_id: mia.id, email: mia.email },
    { user_id: bob.id, email: bob.email },
  ]
  const guss = { user_id: gus.id, email: gus.email }
  const told = await look()
  expect(told['gus']).toMatchObject([{ sender: mias, recipients: [mias, { user_id: bob.id }, guss] }])
  expect(JSON.stringify(told['gus'])).not.toContain(bob.email)
  expect(told['bob']).toMatchObject([{ recipients: [mias, bobs, guss] }, { recipients: [mias, bobs, guss] }])
})

it('makes a person visible to a guest after a direct message between them', async () => {
  const { bob, gus } = await createFixture()
  const look = await watch({ gus }, { event_types: ['realm_user', 'message', 'typing'] })
  await bob.call('POST', '/typing', { type: 'direct', op: 'start', to: [gus.id] })
  expect(await look()).toEqual({ gus: [] })
  await bob.sendTo([gus.id], 'Hello')
  expect((await look()).gus).toMatchObject([
    { type: 'realm_user', op: 'add', person: { user_id: bob.id, full_name: 'Bob' } },
    { type: 'message', message: { sender_full_name: 'Bob' } },
  ])
  await gus.sendTo([bob.id], 'Hello to you')
})

it('shows a guest a new person in a shared default channel', async () => {
  const { owner, mia, gus, user } = await createFixture()
  await owner.subscribe(['Ours'])
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'Ours' })
  await owner.call('PATCH', `/streams/${String(stream_id)}`, { is_default_stream: true })
  const look = await watch({ gus }, { event_types: ['realm_user'] })
  const nina = await user('Nina')
  expect((await look()).gus).toMatchObject([{ op: 'add', person: { user_id: nina.id, full_name: 'Nina' } }])
  expect(await listUsers(gus)).toEqual([owner.id, mia.id, gus.id, nina.id])
})

it('keeps a person visible to a guest until they no longer share a channel', async () => {
  const { mia, gus } = await createFixture()
  await mia.subscribe(['Second', 'Third'], { principals: [mia.id, gus.id] })
  const look = await watch({ gus }, { event_types: ['realm_user'] })
  await gus.call('DELETE', '/users/me/subscriptions', { subscriptions: ['Ours', 'Second'] })
  expect(await look()).toEqual({ gus: [] })
  await mia.subscribe(['Second'], { principals: [gus.id] })
  expect(await look()).toEqual({ gus: [] })
  await gus.call('DELETE', '/users/me/subscriptions', { subscriptions: ['Second', 'Third'] })
  expect(await look()).toEqual({ gus: [{ type: 'realm_user', op: 'remove', person: { user_id: mia.id } }] })
})

it("updates which people a guest sees when guests' access to people or the guest's role changes", async () => {
  const { owner, mia, bob, gus } = await createFixture()
  const look = await watch({ gus, mia }, { event_types: ['realm_user'] })
  const added = [owner, bob].map(({ id }) => ({ op: 'add', person: { user_id: id } }))
  const removed = [owner, bob].map(({ id }) => ({ type: 'realm_user', op: 'remove', person: { user_id: id } }))
  await limitGuests(owner, 'role:everyone')
  expect(await look()).toMatchObject({ gus: added, mia: [] })
  await limitGuests(owner, 'role:members')
  expect(await look()).toEqual({ gus: removed, mia: [] })
  const role = (value: number): object => ({ op: 'update', person: { user_id: gus.id, role: value } })
  await owner.call('PATCH', `/users/${gus.id}`, { role: 400 })
  expect((await look()).gus).toMatchObject([role(400), ...added])
  expect(await listUsers(gus)).toEqual([owner.id, mia.id, bob.id, gus.id])
  await owner.call('PATCH', `/users/${gus.id}`, { role: 600 })
  expect((await look()).gus).toMatchObject([role(600), ...removed])
})

it('hides the names of message authors and reactors from guests who cannot see those people', async () => {
  const { owner, mia, bob, gus } = await createFixture()
  await bob.subscribe(['Ours'])
  const id = await bob.send('Ours', 'x', 'Hi')
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['Ours'] })
  const looks = [await watch({ gus, mia }), await watch({ gus, mia }, { client_capabilities: {} })]
  const other = await owner.send('Ours', 'x', 'I am not even there')
  await bob.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  for (const look of looks) {
    const seen = await look()
    expect(JSON.stringify(seen.gus)).not.toMatch(/Olivia|Bob|bob\./)
    expect(seen.gus).toMatchObject([
      { message: { id: other, sender_id: owner.id, sender_full_name: 'Unknown user' } },
      { type: 'reaction', user_id: bob.id, user: { full_name: 'Unknown user' } },
    ])
    expect(seen.mia).toMatchObject([
      { message: { sender_full_name: 'Olivia Owner', sender_email: owner.email } },
      { user: { full_name: 'Bob' } },
    ])
  }
  const narrow = { anchor: 'newest', num_before: 10, num_after: 0 }
  const read = await gus.call('GET', '/messages', narrow)
  expect(read['messages']).toMatchObject([
    { id, sender_id: bob.id, sender_full_name: 'Unknown user' },
    { id: other, sender_full_name: 'Unknown user' },
  ])
  expect(JSON.stringify(read)).not.toMatch(/Olivia|Bob|bob\./)
  const one = await gus.call('GET', `/messages/${id}`)
  expect(one['message']).toMatchObject({ sender_full_name: 'Unknown user' })
  // Mentions of unseen people stay plain text and reveal nothing.
  const mention = await gus.send('Ours', 'x', `@**Bob** @**|${bob.id}** @**Mia**`)
  const { message } = await mia.call('GET', `/messages/${mention}`)
  expect(message.content).toContain(`<p>@<strong>Bob</strong> @<strong>|${bob.id}</strong> <span`)
})
