import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { browserOf } from '../../testing/browser.ts'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { CONFIRMATIONS_PER_ADDRESS, REGISTRATION_LIMIT } from './contract.ts'
import { deleteExpiredInvitations } from './jobs.ts'
import { organizationsWithExpiredInvitations } from './queries.ts'
import {
  callFromBrowser,
  INVALID_LINK,
  confirmAddress as confirmedBy,
  executeSql,
  expectInvalidLink,
  invitePerson,
  join,
  createLinkToken,
  newAddress,
} from './testing/joining.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const serverWithoutMail = useTestServer()
const confirmFor = async (at: TestUser, token: string | undefined, email?: string): Promise<string> =>
  confirmedBy(mails, at, token, email)
let owner: TestUser
let member: TestUser

beforeAll(async () => {
  const organization = await server().organization('Acme')
  owner = organization.owner
  member = await organization.user('Mia Member')
})

describe('joining by a reusable link', () => {
  it('confirms each email address before creating an account with the terms of the invite link', async () => {
    const link = await createLinkToken(owner, { invite_as: ROLE.guest })
    expect((await callFromBrowser(owner, '/join/invitation', { token: link })).body).toMatchObject({
      inviter_full_name: 'Olivia Owner',
      asks_for_email: true,
      confirms_email: true,
    })
    expect((await join(owner, link, { email: newAddress() })).body['msg']).toBe(
      'The email address must be confirmed first.',
    )
    for (const email of [newAddress(), newAddress()]) {
      const token = await confirmFor(owner, link, email)
      expect((await callFromBrowser(owner, '/join/invitation', { token })).body).toMatchObject({
        asks_for_email: false,
      })
      const nora = browserOf(owner, await join(owner, token))
      expect(await nora.call('GET', '/users/me')).toMatchObject({ delivery_email: email, role: ROLE.guest })
      await expectInvalidLink(owner, token)
    }
  })

  it("invalidates an invite link's pending email confirmations when the link is revoked", async () => {
    const link = await createLinkToken(owner)
    const token = await confirmFor(owner, link)
    const { invites } = await owner.call('GET', '/invites')
    const id = invites.find(({ link_url }) => String(link_url).endsWith(link))?.['id']
    await owner.call('DELETE', `/invites/multiuse/${String(id)}`)
    await expectInvalidLink(owner, token)
    expect((await callFromBrowser(owner, '/registrations', { email: newAddress(), token: link })).body).toEqual(
      INVALID_LINK,
    )
  })

  it('reveals that an address has an account only in an email to that address', async () => {
    const link = await createLinkToken(owner)
    const look = await watch({ owner, member })
    const { status, body } = await callFromBrowser(owner, '/registrations', { email: member.email, token: link })
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
    const mail = await mails.next(member.email)
    expect(mail.headers['subject']).toBe('You already have an account at Acme')
    expect(mail.text).toMatch(/\/login$/m)
    expect(mail.text).not.toContain('/join')
    expect(await look()).toEqual({ owner: [], member: [] })
  })

  it('rejects the token of an email invitation where a reusable link is required', async () => {
    const { status, body } = await callFromBrowser(owner, '/registrations', {
      email: newAddress(),
      token: await invitePerson(mails, owner),
    })
    expect([status, body]).toEqual([401, INVALID_LINK])
  })

  it('asks for an email address without confirming it if the server sends no email', async () => {
    const { owner: boss, user } = await serverWithoutMail().organization('Quiet')
    const mia = await user('Mia')
    const token = await createLinkToken(boss)
    expect((await callFromBrowser(boss, '/join/invitation', { token })).body).toMatchObject({
      asks_for_email: true,
      confirms_email: false,
    })
    for (const email of [mia.email, mia.email.toUpperCase()]) {
      const { status, body } = await join(boss, token, { email })
      expect([status, body['msg']]).toEqual([
        400,
        'An account cannot be created with this email address. If you already have one, sign in.',
      ])
    }
    for (const more of [{}, { email: '' }, { email: 'nobody' }]) {
      expect((await join(boss, token, more)).body['msg']).toBe('Enter a valid email address.')
    }
    const email = newAddress()
    expect((await join(boss, token, { email })).body).toMatchObject({ email })
    expect((await join(boss, token, { email: newAddress(), full_name: 'Another' })).status).toBe(200)
  })

  it('shows the invitation link to the inviter if the server sends no email', async () => {
    const { owner: boss, user } = await serverWithoutMail().organization('Quiet')
    const [mia, other] = [await user('Mia'), await user('Otto')]
    const email = newAddress()
    await mia.call('POST', '/invites', { invitee_emails: email, stream_ids: [] })
    const { invites } = await mia.call('GET', '/invites')
    const id = String(invites[0]?.['id'])
    const { invite_link } = await mia.call('GET', `/invites/${id}/link`)
    expect(await boss.call('GET', `/invites/${id}/link`)).toMatchObject({ invite_link })
    expect((await other.try('GET', `/invites/${id}/link`)).body['msg']).toBe('No such invitation')
    expect((await mia.try('GET', `/invites/${Number(id) + 1}/link`)).body['msg']).toBe('No such invitation')
    const answer = await join(boss, invite_link.split('#')[1] ?? '')
    expect(answer.body).toMatchObject({ email })
  })
})

describe('joining without an invitation', () => {
  it('tells anyone whether people can join the organization without an invitation', async () => {
    const look = async (at: TestUser) =>
      callApi(at.url, at.host, 'GET', '/join/organization', {}, { headers: {} }).then(({ body }) => body)
    expect(await look(owner)).toEqual({
      result: 'success',
      msg: '',
      realm_name: 'Acme',
      can_register: false,
      sends_email: true,
    })
    expect(await look(await openOrganization())).toMatchObject({ realm_name: 'Open', can_register: true })
  })

  async function openOrganization(): Promise<TestUser> {
    const { owner: boss } = await server().organization('Open')
    await boss.call('PATCH', '/realm', { invite_required: false })
    return boss
  }

  it('refuses joining without an invitation if the organization requires invitations', async () => {
    const email = newAddress()
    const { status, body } = await callFromBrowser(owner, '/registrations', { email })
    expect([status, body['code'], body['msg']]).toEqual([
      400,
      'BAD_REQUEST',
      'Only people who are invited can join this organization.',
    ])
    expect(mails.received(email)).toEqual([])
  })

  it('lets anyone who confirms an address join as a member of the default channels', async () => {
    const boss = await openOrganization()
    await boss.subscribe(['all'], { is_default_stream: true })
    const email = newAddress()
    const token = await confirmFor(boss, undefined, email)
    expect((await callFromBrowser(boss, '/join/invitation', { token })).body).toMatchObject({
      realm_name: 'Open',
      inviter_full_name: null,
      asks_for_email: false,
    })
    const nora = browserOf(boss, await join(boss, token))
    expect(await nora.call('GET', '/users/me')).toMatchObject({ delivery_email: email, role: ROLE.member })
    const { subscriptions } = await nora.call('GET', '/users/me/subscriptions')
    expect(subscriptions.map(({ name }) => name)).toEqual(['all'])
    await expectInvalidLink(boss, token)
  })

  it("writes the confirmation email in the join page's language, or else the organization's", async () => {
    const boss = await openOrganization()
    const subjectFor = async (more: Parameters): Promise<unknown> => {
      const email = newAddress()
      expect((await callFromBrowser(boss, '/registrations', { email, ...more })).status).toBe(200)
      return (await mails.next(email)).headers['subject']
    }
    expect(await subjectFor({ default_language: 'de' })).toBe('Open beitreten')
    expect(await subjectFor({ default_language: 'fr' })).toBe('Join Open')
    expect(await subjectFor({})).toBe('Join Open')
    await boss.call('PATCH', '/realm', { default_language: 'de' })
    expect(await subjectFor({})).toBe('Open beitreten')
    expect(await subjectFor({ default_language: 'en' })).toBe('Join Open')
    expect(
      (await callFromBrowser(boss, '/registrations', { email: newAddress(), default_language: 'no such' })).status,
    ).toBe(400)
  })

  it('rejects a confirmation link after a day, and while the organization requires invitations', async () => {
    const boss = await openOrganization()
    const [one, two] = [await confirmFor(boss, undefined), await confirmFor(boss, undefined)]
    await boss.call('PATCH', '/realm', { invite_required: true })
    await expectInvalidLink(boss, one)
    await boss.call('PATCH', '/realm', { invite_required: false })
    expect((await join(boss, one)).status).toBe(200)
    await executeSql(server().database, 'update registrations set expires_at = expires_at - 86400', [])
    await expectInvalidLink(boss, two)
  })

  it('limits how many confirmation emails an address gets, whether or not it has an account', async () => {
    const boss = await openOrganization()
    for (const email of [newAddress(), boss.email]) {
      for (let time = 0; time < CONFIRMATIONS_PER_ADDRESS; time += 1) {
        await callFromBrowser(boss, '/registrations', { email })
        await mails.next(email)
        const { status, body } = await callFromBrowser(boss, '/registrations', { email: email.toUpperCase() })
        expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
        await executeSql(server().database, 'update registrations set requested_at = requested_at - 300', [])
      }
      expect((await callFromBrowser(boss, '/registrations', { email })).status).toBe(200)
      // Waits for a later email, to prove that no other email was sent before.
      await confirmFor(boss, undefined)
      expect(mails.received(email)).toEqual([])
    }
  })

  it('invalidates the oldest confirmation link beyond the limit', async () => {
    const { id, owner: boss } = await server().organization()
    await boss.call('PATCH', '/realm', { invite_required: false })
    const oldest = await confirmFor(boss, undefined)
    await executeSql(server().database, 'update registrations set requested_at = 1 where organization_id = $1', [id])
    const known = await confirmFor(boss, undefined)
    await executeSql(
      server().database,
      `insert into registrations (organization_id, digest, seed, email, email_key, requested_at, expires_at)
       select $1, int8send(n), '', 'x', 'x' || n, 2, 4000000000 from generate_series(1, $2::int) n`,
      [id, REGISTRATION_LIMIT.most - 2],
    )
    const last = await confirmFor(boss, undefined)
    await expectInvalidLink(boss, oldest)
    expect([(await join(boss, known)).status, (await join(boss, last, { full_name: 'Last' })).status]).toEqual([
      200, 200,
    ])
    const { rows } = await server().parley.database.pool.query(
      'select 1 from registrations where organization_id = $1',
      [id],
    )
    expect(rows).toHaveLength(REGISTRATION_LIMIT.most - 2)
  })

  it.each(['', 'nobody', 'a@b@c', 'a b@example.org', 'ann@example.org\r\nBcc: evil@example.org', 'x@parley.invalid'])(
    'rejects joining with the invalid address %j',
    async (email) => {
      const boss = await openOrganization()
      const { status, body } = await callFromBrowser(boss, '/registrations', { email })
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Enter a valid email address.'])
    },
  )
})

it('lets no one join by link while the organization is deactivated', async () => {
  const other = await server().organization()
  const link = await createLinkToken(other.owner)
  await other.owner.call('POST', '/realm/deactivate')
  expect(
    (await callFromBrowser(other.owner, '/registrations', { email: newAddress(), token: link })).body,
  ).toMatchObject({
    code: 'REALM_DEACTIVATED',
  })
})

it('deletes expired invitations and confirmations, and old counts of invitation emails', async () => {
  const { id, owner: boss } = await server().organization()
  await boss.call('PATCH', '/realm', { invite_required: false })
  await invitePerson(mails, boss)
  await confirmFor(boss, undefined)
  for (const table of ['invitations', 'registrations']) {
    await executeSql(server().database, `update ${table} set expires_at = 1 where organization_id = $1`, [id])
  }
  await executeSql(
    server().database,
    'insert into inviter_mails select organization_id, id, 1, 1 from users where organization_id = $1 limit 1',
    [id],
  )
  await executeSql(server().database, 'update invitation_mails set day = 1 where organization_id = $1', [id])
  const { parley } = server()
  const due = await organizationsWithExpiredInvitations(parley.database.reads, Math.floor(Date.now() / 1000))
  expect(due.filter(({ organizationId }) => organizationId === id).length).toBeGreaterThan(0)
  const { signal: closing } = new AbortController()
  const context = { log: await parley.logs.of(id), reads: parley.database.reads, server: parley.facts, closing }
  await deleteExpiredInvitations.run(context, 0)
  const left = await parley.database.pool.query(
    `select 1 from invitations where organization_id = $1 union all select 1 from registrations where organization_id = $1
     union all select 1 from invitation_mails where organization_id = $1
     union all select 1 from inviter_mails where organization_id = $1`,
    [id],
  )
  expect(left.rows).toEqual([])
})
