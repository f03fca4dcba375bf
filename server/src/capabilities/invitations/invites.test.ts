import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { linkIn, tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { MAX_INVITEES, RESEND_DELAY_SECONDS } from './contract.ts'
import { SUCCESS, invitationIdFor, invite, listInvites, badRequest } from './testing/inviting.ts'
import { newAddress } from './testing/joining.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const ANY_NUMBER: unknown = expect.any(Number)
let organization: TestOrganization
let owner: TestUser
let member: TestUser
let guest: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme')
  owner = organization.owner
  member = await organization.user('Mia Member')
  guest = await organization.user('Gus Guest', { role: ROLE.guest })
})

const INVITES_CHANGED = { type: 'invites_changed' }

describe('email invitations', () => {
  it('emails each invited address its own link and notifies administrators and the inviter', async () => {
    const other = await organization.user('Otto Other')
    const administrator = await organization.user('Ada Admin', { role: ROLE.administrator })
    const look = await watch({ owner, administrator, member, other, guest })
    const [ann, ben] = [newAddress(), newAddress()]
    expect(await invite(member, ` ${ann},\n${ben} ,, ${ann.toUpperCase()}`)).toMatchObject(SUCCESS)
    expect(await look()).toEqual({
      owner: [INVITES_CHANGED],
      administrator: [INVITES_CHANGED],
      member: [INVITES_CHANGED],
      other: [],
      guest: [],
    })
    const first = await mails.next(ann)
    const second = await mails.next(ben)
    expect(tokenIn(first)).not.toBe(tokenIn(second))
    expect(linkIn(first)).toMatch(new RegExp(`^http://${organization.host}:\\d+/join#[\\w-]{43}$`))
    expect(first.headers['subject']).toBe('Mia Member invited you to Acme')
    expect(first.text).toContain('Mia Member invited you to join the team chat of Acme')
    const invites = (await listInvites(member)).filter(({ email }) => email === ann || email === ben)
    expect(invites).toEqual(
      [ann, ben].map((email) => ({
        id: ANY_NUMBER,
        invited_by_user_id: member.id,
        invited: ANY_NUMBER,
        expiry_date: Number(invites[0]?.['invited']) + 10 * 86_400,
        invited_as: ROLE.member,
        email,
        notify_referrer_on_join: true,
        is_multiuse: false,
      })),
    )
    // The stored row does not contain the token.
    const { rows } = await server().parley.database.pool.query<{ row: string }>(
      'select i::text as row from invitations i',
    )
    expect(rows.length).toBeGreaterThan(1)
    for (const { row } of rows) expect(row).not.toContain(tokenIn(first))
  })

  it("writes invitations in the organization's language", async () => {
    const german = await server().organization('Gärtnerei')
    await german.owner.call('PATCH', '/realm', { default_language: 'de' })
    const to = newAddress()
    await invite(german.owner, to, { invite_expires_in_minutes: 1 })
    const mail = await mails.next(to)
    expect(mail.headers['subject']).toBe('Olivia Owner hat dich zu Gärtnerei eingeladen')
    expect(mail.text).toContain('Gärtnerei beitreten:')
    expect(mail.text).toMatch(/bis zum \d+\. \S+ \d{4}/)
    expect(mail.html).toContain('<html lang="de">')
  })

  it('lists invitations for their inviter and administrators', async () => {
    const other = await organization.user('Olga Other')
    const [mine, theirs] = [newAddress(), newAddress()]
    await invite(member, mine)
    await invite(other, theirs)
    const emails = async (user: TestUser) => (await listInvites(user)).map(({ email }) => email)
    expect(await emails(member)).toContain(mine)
    expect(await emails(member)).not.toContain(theirs)
    expect(await emails(other)).toEqual([theirs])
    expect(await emails(owner)).toEqual(expect.arrayContaining([mine, theirs]))
    expect(await emails(guest)).toEqual([])
  })

  it("replaces the inviter's earlier invitation and invalidates its link", async () => {
    const to = newAddress()
    await invite(member, to)
    const first = tokenIn(await mails.next(to))
    await invite(member, to, { invite_expires_in_minutes: null })
    const second = tokenIn(await mails.next(to))
    const same = (await listInvites(member)).filter(({ email }) => email === to)
    expect(same).toMatchObject([{ expiry_date: null }])
    expect(await statusOfLink(member, first)).toBe(401)
    expect(await statusOfLink(member, second)).toBe(200)
  })

  it('reports addresses that cannot be invited and invites the other addresses', async () => {
    const gone = await organization.user('Dora Done')
    await owner.call('DELETE', `/users/${gone.id}`)
    const good = newAddress()
    const { body } = await invite(member, `${owner.email},${good},${gone.email}`)
    expect(body).toEqual({
      result: 'error',
      code: 'INVITATION_FAILED',
      msg: 'Some of these addresses cannot be invited. The others were invited.',
      errors: [
        [owner.email, 'Already has an account.', false],
        [gone.email, 'Account has been deactivated.', true],
      ],
      sent_invitations: true,
      license_limit_reached: false,
      daily_limit_reached: false,
    })
    await mails.next(good)
    expect((await invite(member, owner.email)).body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [[owner.email, 'Already has an account.', false]],
      sent_invitations: false,
    })
  })

  it("invites an account's hidden address without revealing the account to the inviter", async () => {
    const hidden = await organization.user('Hilde Hidden')
    await hidden.call('PATCH', '/settings', { email_address_visibility: 4 })
    const real = hidden.email
    expect(await invite(member, real)).toMatchObject(SUCCESS)
    expect(await invitationIdFor(member, real)).toBeGreaterThan(0)
    const mail = await mails.next(real)
    expect(mail.text).toContain('You already have an account at Acme.')
    expect(linkIn(mail)).toMatch(/\/login$/)
    expect(await member.try('POST', `/invites/${await invitationIdFor(member, real)}/resend`)).toMatchObject(SUCCESS)
    expect(linkIn(await mails.next(real))).toMatch(/\/login$/)
    // Domain rules do not reveal the account either.
    await owner.call('POST', '/realm/domains', { domain: 'only.example', allow_subdomains: false })
    await owner.call('PATCH', '/realm', { emails_restricted_to_domains: true })
    const [one, other] = [await invite(member, real), await invite(member, newAddress())]
    await owner.call('PATCH', '/realm', { emails_restricted_to_domains: false })
    expect([one.body['code'], one.body['sent_invitations']]).toEqual(['INVITATION_FAILED', false])
    expect(other.body['msg']).toBe(one.body['msg'])
  })

  it.each([
    ['', 'You must specify at least one email address.'],
    [' ,\n', 'You must specify at least one email address.'],
    [
      Array.from({ length: MAX_INVITEES + 1 }, (_, n) => `n${n}@example.org`).join(),
      'You can invite at most 100 people at once.',
    ],
  ])('rejects the invitation list %j', async (emails, msg) => {
    expect(await invite(member, emails)).toMatchObject(badRequest(msg))
  })

  it('accepts a list copied from an email program, and invites each address in the list only once', async () => {
    const people = Array.from({ length: 8 }, newAddress)
    const [one, two, three, four, five, six, seven, eight] = people
    const list =
      `"Doe, \\"Jo\\" <x@y.z>" <${one}>, Ann Ant <${two}>; ${three};\t${four} ${five}\r\n` +
      `mailto:${six}\n"${seven}",\u00a0<${eight}>; ${one?.toUpperCase()},;`
    expect(await invite(member, list)).toMatchObject(SUCCESS)
    for (const to of people) expect((await mails.next(to)).to).toEqual([to])
    expect(mails.received('x@y.z')).toEqual([])
  })

  it.each([
    ['Doe, Ann <ONE>; Doe, Dr. Ben <TWO>;'],
    ['Doe, Ann <ONE>, "Doe, Ben" <TWO>,'],
    ["'Doe, Ann' <ONE>; 'TWO'"],
    ['ONE (Ann), TWO (Doe, Ben)'],
    ['(Ann) ONE\n(Ben (Doe)) <TWO>'],
    ['Ann (Sales) <ONE>\r\nBen <TWO>\r\n\r\n'],
    ['<ONE> <TWO>;;'],
    ['ONE；TWO；'],
    ['安安 <ONE>、安，安 <TWO>，'],
    ['ONE<mailto:ONE>; Ben Doe <mailto:TWO>'],
  ])('invites the people in the list %j', async (form) => {
    const [one, two] = [newAddress(), newAddress()]
    expect(await invite(member, form.replaceAll('ONE', one).replaceAll('TWO', two))).toMatchObject(SUCCESS)
    for (const to of [one, two]) expect((await mails.next(to)).to).toEqual([to])
  })

  it('sends no invitations if any address is invalid', async () => {
    const [good, look] = [newAddress(), await watch({ member })]
    for (const bad of [
      'nobody',
      'a b@example.org',
      'Ann ann@example.org',
      '"Ann"',
      'Doe, Ann, ann@example.org',
      'Doe, Ann; <ann@example.org>',
      'ann@example.org (Ann',
      '(ann@example.org) Ann',
      'Ann <ann@example.org> <',
      'Ann <>',
      '@',
      'x'.repeat(300) + '@e.org',
    ]) {
      const { status, body } = await invite(member, `${good},${bad}`)
      expect([status, body['code']]).toEqual([400, 'INVITATION_FAILED'])
    }
    expect(await invitationIdFor(member, good)).toBeNaN()
    expect(await look()).toEqual({ member: [] })
  })
})

async function statusOfLink(user: TestUser, token: string): Promise<number> {
  return (await user.try('POST', '/join/invitation', { token })).status
}

describe('reusable invite links', () => {
  it('lists an invite link for its creator and administrators until the link is revoked', async () => {
    const { owner: boss, user, host } = await server().organization()
    const mia = await user('Mia')
    const look = await watch({ boss, mia })
    const { invite_link } = await boss.call('POST', '/invites/multiuse', { invite_as: ROLE.guest })
    expect(invite_link).toMatch(new RegExp(`^http://${host}:\\d+/join#[\\w-]{43}$`))
    const [made] = await listInvites(boss)
    expect(made).toEqual({
      id: ANY_NUMBER,
      invited_by_user_id: boss.id,
      invited: ANY_NUMBER,
      expiry_date: ANY_NUMBER,
      invited_as: ROLE.guest,
      notify_referrer_on_join: true,
      link_url: invite_link,
      is_multiuse: true,
    })
    expect(await listInvites(mia)).toEqual([])
    const token = invite_link.split('#')[1] ?? ''
    expect(await statusOfLink(boss, token)).toBe(200)
    const id = String(made?.['id'])
    expect(await boss.try('DELETE', `/invites/${id}`)).toMatchObject(badRequest('No such invitation'))
    expect(await boss.try('POST', `/invites/${id}/resend`)).toMatchObject(badRequest('No such invitation'))
    expect(await mia.try('DELETE', `/invites/multiuse/${id}`)).toMatchObject(badRequest('No such invitation'))
    await boss.call('DELETE', `/invites/multiuse/${id}`)
    expect(await boss.try('DELETE', `/invites/multiuse/${id}`)).toMatchObject(badRequest('No such invitation'))
    expect(await statusOfLink(boss, token)).toBe(401)
    expect(await listInvites(boss)).toEqual([])
    expect(await look()).toEqual({ boss: [INVITES_CHANGED, INVITES_CHANGED], mia: [] })
  })

  it('shows invite links for the owner role only to owners', async () => {
    const { owner: boss, user } = await server().organization()
    const [second, administrator] = [
      await user('Olga', { role: ROLE.owner }),
      await user('Ada', { role: ROLE.administrator }),
    ]
    const of = async (one: TestUser): Promise<unknown[]> => (await listInvites(one)).map(({ link_url }) => link_url)
    const { invite_link: forOwners } = await boss.call('POST', '/invites/multiuse', { invite_as: ROLE.owner })
    const { invite_link } = await boss.call('POST', '/invites/multiuse', { invite_as: ROLE.administrator })
    expect(await of(second)).toEqual([forOwners, invite_link])
    expect(await of(administrator)).toEqual([invite_link])
    await boss.call('PATCH', `/users/${second.id}`, { role: ROLE.administrator })
    expect(await of(second)).toEqual([invite_link])
  })
})

describe('pending invitations', () => {
  it('lets the inviter and administrators resend an invitation with the same link', async () => {
    const other = await organization.user('Oskar Other')
    const to = newAddress()
    await invite(member, to)
    const first = await mails.next(to)
    const id = await invitationIdFor(member, to)
    const look = await watch({ owner, member })
    for (const user of [member, owner]) {
      await user.call('POST', `/invites/${id}/resend`)
      expect(linkIn(await mails.next(to))).toBe(linkIn(first))
      // After either person resends the invitation, both must wait.
      for (const again of [member, owner]) {
        expect(await again.try('POST', `/invites/${id}/resend`)).toMatchObject(
          badRequest('This invitation was resent recently. Try again later.'),
        )
      }
      await server().parley.database.pool.query('update invitations set resent_at = resent_at - $1::int', [
        RESEND_DELAY_SECONDS,
      ])
    }
    for (const [user, of] of [
      [other, id],
      [guest, id],
      [member, 999_999],
    ] as const) {
      expect(await user.try('POST', `/invites/${of}/resend`)).toMatchObject(badRequest('No such invitation'))
    }
    expect(await look()).toEqual({ owner: [], member: [] })
    expect(mails.received(to)).toEqual([])
  })

  it('lets the inviter and administrators revoke an invitation', async () => {
    const other = await organization.user('Ottilie Other')
    const [one, two] = [newAddress(), newAddress()]
    await invite(member, `${one},${two}`)
    const token = tokenIn(await mails.next(one))
    await mails.next(two)
    const [id, second] = [await invitationIdFor(member, one), await invitationIdFor(member, two)]
    const look = await watch({ owner, member, other })
    for (const user of [other, guest]) {
      expect(await user.try('DELETE', `/invites/${id}`)).toMatchObject(badRequest('No such invitation'))
    }
    expect(await member.try('DELETE', `/invites/multiuse/${id}`)).toMatchObject(badRequest('No such invitation'))
    await member.call('DELETE', `/invites/${id}`)
    await owner.call('DELETE', `/invites/${second}`)
    expect(await statusOfLink(member, token)).toBe(401)
    expect(await invitationIdFor(member, one)).toBeNaN()
    expect(await look()).toEqual({
      owner: [INVITES_CHANGED, INVITES_CHANGED],
      member: [INVITES_CHANGED, INVITES_CHANGED],
      other: [],
    })
  })

  it('lets only owners resend or revoke an invitation for the owner role', async () => {
    const administrator = await organization.user('Anton Admin', { role: ROLE.administrator })
    const to = newAddress()
    await invite(owner, to, { invite_as: ROLE.owner })
    const id = await invitationIdFor(owner, to)
    for (const [method, path] of [
      ['DELETE', `/invites/${id}`],
      ['POST', `/invites/${id}/resend`],
    ] as const) {
      expect(await administrator.try(method, path)).toMatchObject(badRequest('Must be an organization owner'))
    }
    expect(await owner.try('DELETE', `/invites/${id}`)).toMatchObject(SUCCESS)
  })

  it('refuses to return the link of an emailed invitation', async () => {
    const to = newAddress()
    await invite(member, to)
    const { status, body } = await member.try('GET', `/invites/${await invitationIdFor(member, to)}/link`)
    expect([status, body['msg']]).toEqual([400, 'The link was sent to the recipient by email.'])
    expect((await member.call('GET', '/invites/terms'))['sends_email']).toBe(true)
  })

  it('hides an invitation while the inviter cannot grant the role of the invitation', async () => {
    const leaving = await organization.user('Lea Leaving', { role: ROLE.moderator })
    const to = newAddress()
    await invite(leaving, to, { invite_as: ROLE.moderator })
    const id = await invitationIdFor(owner, to)
    expect(id).toBeGreaterThan(0)
    await owner.call('PATCH', `/users/${leaving.id}`, { role: ROLE.member })
    expect(await invitationIdFor(owner, to)).toBeNaN()
    expect(await owner.try('POST', `/invites/${id}/resend`)).toMatchObject(badRequest('No such invitation'))
    await owner.call('PATCH', `/users/${leaving.id}`, { role: ROLE.moderator })
    expect(await invitationIdFor(owner, to)).toBe(id)
    await owner.call('DELETE', `/users/${leaving.id}`)
    expect(await invitationIdFor(owner, to)).toBeNaN()
  })
})
