import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { browserOf, cookiesOf } from '../../testing/browser.ts'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import {
  callFromBrowser,
  confirmAddress,
  executeSql,
  expectInvalidLink,
  invitePerson as invitedBy,
  join,
  createLinkToken,
  PASSWORD,
  newAddress,
} from './testing/joining.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url, PARLEY_TRUST_PROXY: '1' })
const inviteAs = async (by: TestUser, more?: Parameters, to?: string): Promise<string> => invitedBy(mails, by, more, to)
const ANY_NUMBER: unknown = expect.any(Number)
let organization: TestOrganization
let owner: TestUser
let member: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme')
  owner = organization.owner
  member = await organization.user('Mia Member')
})

describe('joining by invitation', () => {
  it("reveals only an invitation's organization and inviter before the person joins", async () => {
    const token = await inviteAs(member)
    const { status, body } = await callFromBrowser(owner, '/join/invitation', { token })
    expect([status, body]).toEqual([
      200,
      {
        result: 'success',
        msg: '',
        realm_name: 'Acme',
        inviter_full_name: 'Mia Member',
        asks_for_email: false,
        confirms_email: false,
        default_channel_groups: [],
      },
    ])
  })

  it("creates an account with the invitation's role, channels, and groups", async () => {
    await owner.subscribe(['news', 'other'])
    await owner.subscribe(['council'], { invite_only: true })
    const idOf = async (stream: string) => (await owner.call('GET', '/get_stream_id', { stream }))['stream_id']
    const [news, council] = [await idOf('news'), await idOf('council')]
    await owner.call('POST', '/default_streams', { stream_id: news })
    const group = await owner.call('POST', '/user_groups/create', { name: 'board', description: '', members: [] })
    const email = newAddress()
    const terms = {
      invite_as: ROLE.moderator,
      stream_ids: [council],
      group_ids: [group['group_id']],
      include_realm_default_subscriptions: true,
      notify_referrer_on_join: true,
    }
    const token = await inviteAs(owner, terms, email)
    const look = await watch({ owner, member })
    const answer = await join(owner, token, { full_name: ' Nora New ' })
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '', user_id: ANY_NUMBER, email }])
    const id = Number(answer.body['user_id'])
    expect(cookiesOf(answer)['parley']).toMatch(/HttpOnly; SameSite=Lax$/)
    const nora = browserOf(owner, answer)
    expect(await nora.call('GET', '/users/me')).toMatchObject({
      user_id: id,
      full_name: 'Nora New',
      delivery_email: email,
      role: ROLE.moderator,
    })
    const { subscriptions } = await nora.call('GET', '/users/me/subscriptions')
    expect(subscriptions.map(({ name }) => name).toSorted()).toEqual(['council', 'news'])
    const { members } = await owner.call('GET', `/user_groups/${String(group['group_id'])}/members`)
    expect(members).toEqual([id])
    expect((await callFromBrowser(owner, '/login', { username: email, password: PASSWORD })).status).toBe(200)
    expect((await callFromBrowser(owner, '/login', { username: email, password: `${PASSWORD}s` })).status).toBe(401)
    await expect
      .poll(async () => messageTextsTo(owner))
      .toContainEqual(expect.stringContaining('accepted your invitation'))
    const told = await look()
    expect(told.owner.map(({ type }) => type)).toContain('invites_changed')
    expect(told.member.map(({ type }) => type)).not.toContain('invites_changed')
    expect(told.member).toContainEqual(expect.objectContaining({ type: 'realm_user', op: 'add' }))
    await expectInvalidLink(owner, token)
  })

  it("gives a new account the join page's language, or else the organization's", async () => {
    const { owner: boss } = await server().organization('Gärtnerei')
    const languageOf = async (answer: Answer): Promise<unknown> => {
      expect([answer.status, answer.body['msg']]).toEqual([200, ''])
      const { state } = await browserOf(boss, answer).register()
      return state['user_settings']['default_language']
    }
    const joined = async (more?: Parameters): Promise<unknown> =>
      languageOf(await join(boss, await inviteAs(boss), more))
    expect(await joined({ default_language: 'de' })).toBe('de')
    expect(await joined()).toBe('en')
    await boss.call('PATCH', '/realm', { default_language: 'de' })
    expect(await joined({ default_language: 'en' })).toBe('en')
    expect(await joined()).toBe('de')
    const token = await inviteAs(boss)
    const refused = await join(boss, token, { default_language: 'no such language' })
    expect([refused.status, refused.body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    expect(await languageOf(await join(boss, token))).toBe('de')
    const { state } = await boss.register()
    expect(state['realm_user_settings_defaults']).toMatchObject({ default_language: 'de' })
  })

  it('takes the time zone and the Enter key setting from the join page, or else the defaults', async () => {
    const joined = async (chosen: Parameters): Promise<unknown> => {
      const nora = browserOf(owner, await join(owner, await inviteAs(owner), chosen))
      const settings: Readonly<Record<string, unknown>> = (await nora.register()).state['user_settings']
      const { timezone } = await nora.call('GET', '/users/me')
      return [settings['timezone'], timezone, settings['enter_sends']]
    }
    expect(await joined({})).toEqual(['', '', false])
    expect(await joined({ timezone: 'Asia/Kolkata', enter_sends: true })).toEqual([
      'Asia/Kolkata',
      'Asia/Kolkata',
      true,
    ])
    // A browser can report a time zone that the server does not know; the person can join nevertheless.
    expect(await joined({ timezone: 'Mars/Olympus' })).toEqual(['', '', false])
    const token = await inviteAs(owner)
    expect((await join(owner, token, { enter_sends: 'perhaps' })).status).toBe(400)
    await owner.call('PATCH', '/realm/user_settings_defaults', { enter_sends: true })
    expect(await joined({})).toEqual(['', '', true])
    expect(await joined({ enter_sends: false })).toEqual(['', '', false])
    await owner.call('PATCH', '/realm/user_settings_defaults', { enter_sends: false })
  })

  it("creates an account from an invitation without channels, and sends the invitation's welcome message", async () => {
    const boss = (await server().organization()).owner
    await boss.subscribe(['all'], { is_default_stream: true })
    await boss.call('PATCH', '/realm', { welcome_message_custom_text: 'Welcome, all' })
    const special = browserOf(
      boss,
      await join(boss, await inviteAs(boss, { welcome_message_custom_text: 'Welcome, Nora' })),
    )
    await expect.poll(async () => messageTextsTo(special)).toEqual(['<p>Welcome, Nora</p>'])
    const plain = browserOf(boss, await join(boss, await inviteAs(boss)))
    await expect.poll(async () => messageTextsTo(plain)).toEqual(['<p>Welcome, all</p>'])
    expect((await plain.call('GET', '/users/me/subscriptions'))['subscriptions']).toEqual([])
    const quiet = browserOf(boss, await join(boss, await inviteAs(boss, { welcome_message_custom_text: '' })))
    const last = browserOf(boss, await join(boss, await inviteAs(boss)))
    await expect.poll(async () => messageTextsTo(last)).toEqual(['<p>Welcome, all</p>'])
    expect(await messageTextsTo(quiet)).toEqual([])
    expect(await messageTextsTo(boss)).toEqual([])
  })

  it('grants only the role, channels, and groups that the inviter can still grant', async () => {
    const { owner: boss, user } = await server().organization()
    const mia = await user('Mia', { role: ROLE.administrator })
    await boss.subscribe(['closed'])
    const id = (await boss.call('GET', '/get_stream_id', { stream: 'closed' }))['stream_id']
    const group = await boss.call('POST', '/user_groups/create', { name: 'club', description: '', members: [] })
    const group_ids = [group['group_id']]
    await boss.call('PATCH', `/user_groups/${String(group['group_id'])}`, {
      can_add_members_group: { new: { direct_members: [mia.id], direct_subgroups: [] } },
    })
    const token = await inviteAs(mia, { stream_ids: [id], group_ids })
    const owners = { new: { direct_members: [boss.id], direct_subgroups: [] } }
    await boss.call('PATCH', '/realm', { can_add_subscribers_group: owners })
    await boss.call('PATCH', `/user_groups/${String(group['group_id'])}`, { can_add_members_group: owners })
    await boss.call('PATCH', `/users/${mia.id}`, { role: ROLE.member })
    const nora = browserOf(boss, await join(boss, token))
    expect((await nora.call('GET', '/users/me/subscriptions'))['subscriptions']).toEqual([])
    expect((await boss.call('GET', `/user_groups/${String(group['group_id'])}/members`))['members']).toEqual([])
  })

  it("ends the browser's previous session on joining", async () => {
    const first = browserOf(owner, await join(owner, await inviteAs(owner)))
    const answer = await first.sends(first.headers, 'POST', '/join', {
      token: await inviteAs(owner),
      full_name: 'Second',
      password: PASSWORD,
    })
    expect(answer.status).toBe(200)
    expect((await first.try('GET', '/users/me')).status).toBe(401)
  })
})

async function messageTextsTo(user: TestUser): Promise<string[]> {
  const { messages } = await user.call('GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 })
  return messages.filter(({ type }) => type === 'private').map(({ content }) => content)
}

describe('invalid invitation links', () => {
  it('gives the same error for every invalid invitation link, including those of another organization', async () => {
    const used = await inviteAs(owner)
    await join(owner, used)
    const revoked = await inviteAs(owner)
    const { invites } = await owner.call('GET', '/invites')
    await owner.call('DELETE', `/invites/${String(invites.at(-1)?.['id'])}`)
    const over = await inviteAs(owner, { invite_expires_in_minutes: 1 })
    await executeSql(
      server().database,
      'update invitations set expires_at = extract(epoch from now())::bigint - 1 where organization_id = $1 and expires_at < extract(epoch from now()) + 61',
      [organization.id],
    )
    const elsewhere = (await server().organization()).owner
    const foreign = await inviteAs(elsewhere)
    const good = await inviteAs(owner)
    const other = good.startsWith('a') ? `b${good.slice(1)}` : `a${good.slice(1)}`
    for (const token of [used, revoked, over, foreign, other, `${good}=`, '', 'x', "' or true --"]) {
      await expectInvalidLink(owner, token)
    }
    expect((await join(owner, good)).status).toBe(200)
    expect((await join(elsewhere, foreign)).status).toBe(200)
  })

  it('accepts an invitation only once, even from simultaneous requests', async () => {
    const token = await inviteAs(owner)
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map(async (full_name) => join(owner, token, { full_name })),
    )
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401'])
  })

  it('rejects an invitation after its inviter is deactivated or loses the permission to send it', async () => {
    const { owner: boss, user } = await server().organization()
    const [mo, lea, mia] = [await user('Mo', { role: ROLE.moderator }), await user('Lea'), await user('Mia')]
    const tokens = [await inviteAs(mo, { invite_as: ROLE.moderator }), await inviteAs(lea), await inviteAs(mia)]
    await boss.call('PATCH', `/users/${mo.id}`, { role: ROLE.member })
    await boss.call('DELETE', `/users/${lea.id}`)
    await boss.call('PATCH', '/realm', {
      can_invite_users_group: { new: { direct_members: [boss.id], direct_subgroups: [] } },
    })
    for (const token of tokens) await expectInvalidLink(boss, token)
  })

  it('rejects all other invitations to an address once the address has an account', async () => {
    const email = newAddress()
    const [first, second] = [await inviteAs(owner, {}, email), await inviteAs(member, {}, email)]
    await join(owner, first)
    await expectInvalidLink(owner, second)
    const other = newAddress()
    const late = await inviteAs(owner, {}, other)
    await owner.call('POST', '/users', { email: other, password: PASSWORD, full_name: 'Early' })
    const { status, body } = await join(owner, late)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', `Email '${other}' already in use`])
  })
})

describe('chosen account details', () => {
  it.each([
    [{ password: 'short' }, 'The password must have 8 to 100 characters.'],
    [{ password: 'x'.repeat(101) }, 'The password must have 8 to 100 characters.'],
    [{ password: 'password1' }, 'This password is too easy to guess. Choose a longer one made of several words.'],
    [{ password: 'qwertzuiop' }, 'This password is too easy to guess. Choose a longer one made of several words.'],
    [{ password: 'aaaaaaaaaaaa' }, 'This password is too easy to guess. Choose a longer one made of several words.'],
    [
      { password: 'Wilhelmina-Zapp', full_name: 'Wilhelmina Zapp' },
      'This password is too easy to guess. Choose a longer one made of several words.',
    ],
    [{ full_name: ' ' }, 'Name too short!'],
    [{ full_name: 'x'.repeat(101) }, 'Name too long!'],
    [{ full_name: '<b>Nora</b>' }, 'Invalid characters in name!'],
    [{ full_name: 'Notification Bot' }, 'Name is already in use.'],
    [{ email: 'other@example.org' }, 'This link is for another email address.'],
  ])('rejects invalid details and keeps the invitation valid: %j', async (more, msg) => {
    const token = await inviteAs(owner)
    const look = await watch({ owner })
    const { status, body } = await join(owner, token, more)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', msg])
    expect(await look()).toEqual({ owner: [] })
    expect((await join(owner, token)).status).toBe(200)
  })

  it('blocks an IP address after 20 weak passwords but keeps the invitation valid', async () => {
    const link = await createLinkToken(owner)
    const from = async (address: string, password: string): Promise<Answer> =>
      callApi(
        owner.url,
        owner.host,
        'POST',
        '/join',
        { token: link, full_name: 'Nora New', password, email: newAddress() },
        {
          headers: { 'x-forwarded-for': address },
        },
      )
    const codes: unknown[] = []
    for (let count = 0; count < 21; count += 1) codes.push((await from('192.0.2.7', 'password1')).body['code'])
    expect(codes).toEqual([...Array<string>(20).fill('BAD_REQUEST'), 'RATE_LIMIT_HIT'])
    const refused = await from('192.0.2.7', PASSWORD)
    expect(refused).toMatchObject({ status: 429, body: { msg: 'You have tried too many weak passwords.' } })
    expect((await from('192.0.2.8', 'password1')).body['code']).toBe('BAD_REQUEST')
  })

  it('rejects an email outside the domains that the organization now allows', async () => {
    const boss = (await server().organization()).owner
    const token = await inviteAs(boss)
    await boss.call('POST', '/realm/domains', { domain: 'only.example', allow_subdomains: false })
    await boss.call('PATCH', '/realm', { emails_restricted_to_domains: true })
    expect((await join(boss, token)).body['msg']).toMatch(/does not belong to a domain/)
    const link = await createLinkToken(boss)
    const { status, body } = await callFromBrowser(boss, '/registrations', { email: newAddress(), token: link })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect((await join(boss, await confirmAddress(mails, boss, link, 'nora@only.example'))).status).toBe(200)
  })
})
