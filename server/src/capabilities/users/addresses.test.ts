import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { startTestServerOn, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, TestUser, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const VIEWERS = ['owner', 'admin', 'moderator', 'member', 'guest'] as const
type AddressViewer = (typeof VIEWERS)[number]

async function createCompany(): Promise<{
  organization: TestOrganization
  people: Record<AddressViewer, TestUser>
  hidda: TestUser
}> {
  const organization = await server().organization()
  const { owner, user } = organization
  const people = {
    owner,
    admin: await user('Ada Admin', { role: 200 }),
    moderator: await user('Moe Moderator', { role: 300 }),
    member: await user('Mia Member'),
    guest: await user('Gus Guest', { role: 600 }),
  }
  return { organization, people, hidda: await user('Hidda Hidden') }
}

const userAsSeenBy = async (viewer: TestUser, user: TestUser): Promise<Body> =>
  (await viewer.call('GET', `/users/${user.id}`))['user']

const VIEWERS_BY_VISIBILITY: [visibility: number, AddressViewer[]][] = [
  [1, ['owner', 'admin', 'moderator', 'member', 'guest']],
  [2, ['owner', 'admin', 'moderator', 'member']],
  [5, ['owner', 'admin', 'moderator']],
  [3, ['owner', 'admin']],
  [4, []],
]

it.each(VIEWERS_BY_VISIBILITY)(
  'shows an email address with visibility %i only to %j in every response',
  async (visibility, seeing) => {
    const { people, hidda } = await createCompany()
    await hidda.call('PATCH', '/settings', { email_address_visibility: visibility })
    for (const who of VIEWERS) {
      const expected = seeing.includes(who) ? hidda.email : null
      const viewer = people[who]
      const { members } = await viewer.call('GET', '/users')
      const { state } = await viewer.register({ fetch_event_types: ['realm_user'] })
      const found = [await userAsSeenBy(viewer, hidda), findUser(members, hidda), findUser(state['realm_users'], hidda)]
      expect([who, found.map((one) => one['delivery_email'])]).toEqual([who, [expected, expected, expected]])
      // A person is found by real email only if it is visible, and always by API email.
      const { status } = await viewer.try('GET', `/users/${hidda.email}`)
      expect([who, status]).toEqual([who, expected === null ? 400 : 200])
      const byApiEmail = await viewer.call('GET', `/users/${String(found[0]?.['email'])}`)
      expect(byApiEmail['user']).toEqual(found[0])
    }
    expect(await hidda.call('GET', '/users/me')).toMatchObject({ delivery_email: hidda.email })
  },
)

function findUser(list: unknown, user: TestUser): Body {
  return objectsIn(list).find((one) => one['user_id'] === user.id) ?? {}
}

it('treats a hidden email address as missing in every request', async () => {
  const { people, hidda } = await createCompany()
  await hidda.call('PATCH', '/settings', { email_address_visibility: 4 })
  const { member } = people
  const findSender = async (email: string): Promise<unknown[]> => {
    const narrow = [{ operator: 'sender', operand: email }]
    const answers = [
      await member.try('GET', `/users/${email}`),
      await member.try('POST', '/messages', { type: 'direct', to: [email], content: 'x' }),
      await member.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'x' }], principals: [email] }),
      await member.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow }),
      await people.owner.try('PATCH', `/users/${email}`, { full_name: 'Found' }),
    ]
    return answers.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(email, 'it')])
  }
  expect(await findSender(hidda.email)).toEqual(await findSender('absent@example.com'))
})

it('shows a placeholder for a hidden email address, and accepts both with the API key', async () => {
  const { organization, people, hidda } = await createCompany()
  const look = await watch(people)
  await hidda.call('PATCH', '/settings', { email_address_visibility: 3 })
  const { email } = await userAsSeenBy(people.member, hidda)
  expect(email).toMatch(new RegExp(`^user${hidda.id}@.+\\.invalid$`))
  const userUpdate = (person: Body): Body => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: hidda.id, ...person },
  })
  const renamed = userUpdate({ new_email: email })
  const gone = userUpdate({ delivery_email: null })
  expect(await look()).toEqual({
    owner: [renamed],
    admin: [renamed],
    moderator: [renamed, gone],
    member: [renamed, gone],
    guest: [renamed, gone],
  })
  expect(await hidda.call('GET', '/users/me')).toMatchObject({ email, delivery_email: hidda.email })
  const headers = { authorization: `Basic ${Buffer.from(`${String(email)}:${hidda.apiKey}`).toString('base64')}` }
  const answer = await callApi(hidda.url, organization.host, 'GET', '/users/me', {}, { headers })
  expect([answer.status, answer.body['user_id']]).toEqual([200, hidda.id])
  // Messages contain the sender's API email.
  await people.owner.subscribe(['general'], { principals: [hidda.id, people.member.id] })
  const id = await hidda.send('general', 'x', 'x')
  const { message } = await people.member.call('GET', `/messages/${id}`)
  expect(message).toMatchObject({ sender_email: email })
  await people.member.sendTo([hidda.id], 'psst')
  expect((await people.member.try('POST', '/messages', { type: 'direct', to: [email], content: 'x' })).status).toBe(200)
})

it('sends a changed email address only to people who can see it', async () => {
  const { people, hidda } = await createCompany()
  await hidda.call('PATCH', '/settings', { email_address_visibility: 3 })
  const look = await watch(people)
  const to = 'hidda.new@example.com'
  await hidda.switchEmail(to, hidda.try('PATCH', '/settings', { email: to }))
  const told = { type: 'realm_user', op: 'update', person: { user_id: hidda.id, delivery_email: to } }
  expect(await look()).toEqual({ owner: [told], admin: [told], moderator: [], member: [], guest: [] })
})

it("shows or hides email addresses when the viewer's role changes", async () => {
  const { people, hidda } = await createCompany()
  await hidda.call('PATCH', '/settings', { email_address_visibility: 5 })
  const { owner, member } = people
  const look = await watch({ member }, { event_types: ['realm_user'] })
  const role = (number: number): Body => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: member.id, role: number },
  })
  const sight = (email: string | null): Body => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: hidda.id, delivery_email: email },
  })
  await owner.call('PATCH', `/users/${member.id}`, { role: 300 })
  expect((await look()).member).toEqual([role(300), sight(hidda.email)])
  await owner.call('PATCH', `/users/${member.id}`, { role: 400 })
  expect((await look()).member).toEqual([role(400), sight(null)])
})

it('replays no email address that the reader can no longer see', async () => {
  const { people, hidda } = await createCompany()
  await hidda.call('PATCH', '/settings', { email_address_visibility: 4 })
  const { member } = people
  const queue = await member.register({ event_types: ['realm_user'] })
  await hidda.call('PATCH', '/settings', { email_address_visibility: 2 })
  await hidda.call('PATCH', '/settings', { email_address_visibility: 4 })
  // A server that has not cached the queue reads its events from the log.
  const other = await startTestServerOn(server().database)
  try {
    const elsewhere = new TestUser(other.parley.url, member.host, member.email, member.apiKey, member.id)
    const { events } = await elsewhere.call('GET', '/events', {
      queue_id: queue.id,
      last_event_id: -1,
      dont_block: true,
    })
    expect(events).toMatchObject([{ person: { user_id: hidda.id, delivery_email: null } }])
  } finally {
    await other.close()
  }
})

it("hides new accounts' email addresses if the organization defaults to hiding them", async () => {
  const { organization, people } = await createCompany()
  await people.owner.call('PATCH', '/realm/user_settings_defaults', { email_address_visibility: 3 })
  const look = await watch(people, { event_types: ['realm_user'] })
  const nora = await organization.user('Nora Newcomer')
  const told = await look()
  for (const who of VIEWERS) {
    const expected = who === 'owner' || who === 'admin' ? nora.email : null
    expect(told[who]).toMatchObject([{ op: 'add', person: { user_id: nora.id, delivery_email: expected } }])
  }
  const bot = await organization.user('Bert Bot', { bot: {} })
  // The email addresses of bots are always visible.
  expect(await userAsSeenBy(people.guest, bot)).toMatchObject({ email: bot.email, delivery_email: bot.email })
})

it("lets administrators change other people's email addresses", async () => {
  const { people, hidda } = await createCompany()
  const to = 'hidda@new.example.com'
  expect((await people.member.try('PATCH', `/users/${hidda.id}`, { new_email: to })).body['msg']).toBe(
    'Insufficient permission',
  )
  await hidda.switchEmail(to, people.admin.try('PATCH', `/users/${hidda.id}`, { new_email: to }))
  expect(await hidda.call('GET', '/users/me')).toMatchObject({ email: to, delivery_email: to })
  const { body } = await people.admin.try('PATCH', `/users/${people.guest.id}`, { new_email: to })
  expect(body['code']).toBe('BAD_REQUEST')
})

it("always shows bots' email addresses to everyone", async () => {
  const { organization, people } = await createCompany()
  await people.owner.call('PATCH', '/realm/user_settings_defaults', { email_address_visibility: 4 })
  const bot = await organization.user('Bert Bot', { bot: { ownerId: people.member.id } })
  const { user_id } = await people.member.call('POST', '/bots', { full_name: 'Bea Bot', short_name: 'bea' })
  const email = `bea-bot@${organization.host}`
  for (const viewer of [people.owner, people.guest]) {
    expect(await userAsSeenBy(viewer, bot)).toMatchObject({ email: bot.email, delivery_email: bot.email })
    const { user } = await viewer.call('GET', `/users/${user_id}`)
    expect(user).toMatchObject({ email, delivery_email: email })
  }
  const { status } = await bot.try('PATCH', '/settings', { email_address_visibility: 4 })
  expect([status, await userAsSeenBy(people.guest, bot)]).toMatchObject([status, { delivery_email: bot.email }])
})
