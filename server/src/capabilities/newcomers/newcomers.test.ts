import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { browserOf } from '../../testing/browser.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { join, createLinkToken, newAddress } from '../invitations/testing/joining.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const MESSAGE_EVENTS = { event_types: ['message'] }

async function createFixture(settings: Body = {}): Promise<TestOrganization & { board: number }> {
  const organization = await server().organization()
  const { owner } = organization
  await owner.subscribe(['board'])
  const board = (await owner.call('GET', '/get_stream_id', { stream: 'board' }))['stream_id']
  await owner.call('PATCH', '/realm', { signup_announcements_stream_id: board, ...settings })
  return { ...organization, board }
}

async function textsOf(reader: TestUser, type: 'stream' | 'private'): Promise<string[]> {
  const { messages } = await reader.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  return messages.filter((message) => message['type'] === type).map(({ content }) => content)
}

function joinAnnouncement({ id }: TestUser, name: string): string {
  return `<p><span class="user-mention silent" data-user-id="${id}">${name}</span> joined this organization.</p>`
}

it('announces each new person once, but no bots', async () => {
  const { owner, user, board } = await createFixture()
  const nora = await user('Nora')
  await expect.poll(async () => textsOf(owner, 'stream')).toEqual([joinAnnouncement(nora, 'Nora')])
  const look = await watch({ owner, nora }, MESSAGE_EVENTS)
  await user('Bert Bot', { bot: { ownerId: nora.id } })
  const nils = await user('Nils')
  const both = [joinAnnouncement(nora, 'Nora'), joinAnnouncement(nils, 'Nils')]
  await expect.poll(async () => textsOf(owner, 'stream')).toEqual(both)
  expect(await look()).toMatchObject({
    owner: [
      { message: { stream_id: board, subject: 'signups', content: both[1], sender_full_name: 'Notification Bot' } },
    ],
    nora: [],
  })
  expect(await textsOf(nils, 'private')).toEqual([])
})

it('does not announce new people unless the organization enables it', async () => {
  const { owner, user } = await createFixture({ signup_announcements_stream_id: -1 })
  const quiet = await user('Quiet')
  await owner.call('PATCH', '/realm', { welcome_message_custom_text: 'Welcome' })
  const nora = await user('Nora')
  await expect.poll(async () => textsOf(nora, 'private')).toEqual(['<p>Welcome</p>'])
  expect(await textsOf(quiet, 'private')).toEqual([])
  expect(await textsOf(owner, 'stream')).toEqual([])
})

it('sends new people the welcome message, without links to hidden channels', async () => {
  const text = '**Welcome** to #**board**, not to #**secret**'
  const { owner, user, board } = await createFixture({ welcome_message_custom_text: text })
  await owner.subscribe(['secret'], { invite_only: true })
  const nora = await user('Nora')
  await expect.poll(async () => (await textsOf(nora, 'private')).length).toBe(1)
  const [welcome] = await textsOf(nora, 'private')
  expect(welcome).toContain('<strong>Welcome</strong>')
  expect(welcome).toContain(`data-stream-id="${board}"`)
  expect(welcome).toContain('not to #<strong>secret</strong>')
  expect(await textsOf(owner, 'private')).toEqual([])
})

it('does not announce people in a web-public channel', async () => {
  const { owner, user } = await server().organization()
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const { id } = await owner.call('POST', '/channels/create', {
    name: 'Open',
    subscribers: [owner.id],
    is_web_public: true,
  })
  await owner.call('PATCH', '/realm', {
    signup_announcements_stream_id: id,
    welcome_message_custom_text: 'Welcome',
  })
  const nora = await user('Nora')
  // The same transaction posts both.
  await expect.poll(async () => textsOf(nora, 'private')).toEqual(['<p>Welcome</p>'])
  expect(await textsOf(owner, 'stream')).toEqual([])
})

it('does not announce people hidden from a subscriber, or post in an archived channel', async () => {
  const { owner, user, board } = await createFixture({ welcome_message_custom_text: 'Welcome' })
  const guest = await user('Gus Guest', { role: 600 })
  await expect.poll(async () => textsOf(owner, 'stream')).toEqual([joinAnnouncement(guest, 'Gus Guest')])
  await owner.subscribe(['board'], { principals: [guest.id] })
  const { user_groups } = await owner.call('GET', '/user_groups')
  const members = user_groups.find(({ name }) => name === 'role:members')
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: members?.['id'] } })
  // New people are welcomed even if no announcement is made.
  const greeted = async (name: string): Promise<TestUser> => {
    const newcomer = await user(name)
    await expect.poll(async () => (await textsOf(newcomer, 'private')).length).toBe(1)
    return newcomer
  }
  await greeted('Nora')
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['board'], principals: [guest.id] })
  const nils = await greeted('Nils')
  await owner.call('DELETE', `/streams/${board}`)
  await greeted('Nele')
  expect(await textsOf(owner, 'stream')).toEqual([joinAnnouncement(guest, 'Gus Guest'), joinAnnouncement(nils, 'Nils')])
})

it('lets only administrators send themselves a test welcome message', async () => {
  const { owner, user } = await createFixture({ signup_announcements_stream_id: -1 })
  const nora = await user('Nora')
  const look = await watch({ owner, nora }, MESSAGE_EVENTS)
  const test = async (who: TestUser, text: string): Promise<[number, unknown]> => {
    const path = '/realm/test_welcome_bot_custom_message'
    const { status, body } = await who.try('POST', path, { welcome_message_custom_text: text })
    return [status, body['message_id'] ?? body['code']]
  }
  const [status, id] = await test(owner, '**Welcome**')
  expect(status).toBe(200)
  expect(await look()).toMatchObject({
    owner: [{ message: { id, type: 'private', content: '<p><strong>Welcome</strong></p>' } }],
    nora: [],
  })
  expect(await test(nora, 'Welcome')).toEqual([400, 'BAD_REQUEST'])
  expect(await test(owner, ' ')).toEqual([400, 'BAD_REQUEST'])
  expect((await test(owner, '😀'.repeat(8_000)))[0]).toBe(200)
  expect(await test(owner, '😀'.repeat(8_001))).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  expect((await look()).nora).toEqual([])
})

/** Joins by an invite link. */
async function joinByLink(link: string, owner: TestUser, name: string, more: Body = {}): Promise<TestUser> {
  const answer = await join(owner, link, { full_name: name, email: newAddress(), ...more })
  expect([answer.status, answer.body['msg']]).toEqual([200, ''])
  return browserOf(new TestUser(owner.url, owner.host, '', '', Number(answer.body['user_id'])), answer)
}

it('welcomes new people in their language, unless an administrator created the account', async () => {
  const { owner, user } = await server().organization('Hill & **Valley**')
  const link = await createLinkToken(owner)
  const ada = await joinByLink(link, owner, 'Ada _B_')
  await expect.poll(async () => (await textsOf(ada, 'private')).length).toBe(1)
  const [english] = await textsOf(ada, 'private')
  expect(english).toContain('<p>Welcome to <strong>Hill &amp; **Valley**</strong>, Ada _B_.</p>')
  const dora = await joinByLink(link, owner, 'Dora', { default_language: 'de' })
  await expect.poll(async () => (await textsOf(dora, 'private')).join()).toContain('Willkommen bei')
  await owner.call('PATCH', '/realm', { default_language: 'de' })
  const emil = await joinByLink(link, owner, 'Emil')
  await expect.poll(async () => (await textsOf(emil, 'private')).join()).toContain('Willkommen bei')
  const created = await user('Carl Created')
  await owner.call('PATCH', '/realm', { welcome_message_custom_text: 'Our own words' })
  const fay = await joinByLink(link, owner, 'Fay')
  await expect.poll(async () => textsOf(fay, 'private')).toEqual(['<p>Our own words</p>'])
  expect(await textsOf(created, 'private')).toEqual([])
  const { messages } = await ada.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  expect(messages).toMatchObject([{ sender_full_name: 'Notification Bot', flags: [] }])
})

function inviterNotice({ id }: TestUser, name: string): string {
  const mention = `<span class="user-mention silent" data-user-id="${id}">${name}</span>`
  return `<p>${mention} accepted your invitation and joined this organization.</p>`
}

it('notifies only the creator of an invite link when a person joins with the link', async () => {
  const { owner, user } = await server().organization()
  const [mia, nils] = [await user('Mia', { role: ROLE.administrator }), await user('Nils')]
  const link = await createLinkToken(mia)
  const look = await watch({ owner, mia, nils }, MESSAGE_EVENTS)
  const ada = await joinByLink(link, owner, 'Ada')
  await expect.poll(async () => textsOf(mia, 'private')).toEqual([inviterNotice(ada, 'Ada')])
  const ben = await joinByLink(link, owner, 'Ben')
  await expect.poll(async () => (await textsOf(ben, 'private')).length).toBe(1)
  const both = [inviterNotice(ada, 'Ada'), inviterNotice(ben, 'Ben')]
  expect(await textsOf(mia, 'private')).toEqual(both)
  const told = both.map((content) => ({ message: { type: 'private', content, sender_full_name: 'Notification Bot' } }))
  expect(await look()).toMatchObject({ owner: [], mia: told, nils: [] })
})

it("does not notify a guest if a person they cannot see joins with the guest's link", async () => {
  const { owner, user } = await server().organization()
  const gus = await user('Gus Guest', { role: ROLE.guest })
  const { group_id } = await owner.call('POST', '/user_groups/create', {
    name: 'inviters',
    description: '',
    members: [owner.id, gus.id],
  })
  await owner.call('PATCH', '/realm', { create_multiuse_invite_group: { new: group_id } })
  const link = await createLinkToken(gus, { invite_as: ROLE.guest })
  const seen = await joinByLink(link, owner, 'Ada')
  await expect.poll(async () => textsOf(gus, 'private')).toEqual([inviterNotice(seen, 'Ada')])
  const { user_groups } = await owner.call('GET', '/user_groups')
  const members = user_groups.find(({ name }) => name === 'role:members')
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: members?.['id'] } })
  const look = await watch({ gus }, MESSAGE_EVENTS)
  const unseen = await joinByLink(link, owner, 'Ben')
  await expect.poll(async () => (await textsOf(unseen, 'private')).length).toBe(1)
  expect(await look()).toEqual({ gus: [] })
})

it('does not notify the creator of an invite link who turned off join notices', async () => {
  const { owner } = await server().organization()
  const look = await watch({ owner }, MESSAGE_EVENTS)
  const ada = await joinByLink(await createLinkToken(owner, { notify_referrer_on_join: false }), owner, 'Ada')
  await expect.poll(async () => (await textsOf(ada, 'private')).length).toBe(1)
  expect(await look()).toEqual({ owner: [] })
})
