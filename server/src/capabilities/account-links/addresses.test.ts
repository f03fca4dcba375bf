import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_LINK_LIMIT, ADDRESS_MAIL_LIMIT, ADDRESS_MAIL_PERIOD_SECONDS } from './contract.ts'
import { organizationsWithExpiredLinks } from './queries.ts'
import { linkIn, tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { reactivateOrganization } from '../organizations/actions/index.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
let organization: TestOrganization
let owner: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme')
  owner = organization.owner
})

let address = 0
function unusedAddress(): string {
  address += 1
  return `another${address}@example.org`
}

async function confirmEmailChange(at: TestUser, token: string): Promise<Answer> {
  return callApi(at.url, at.host, 'POST', '/email/confirm', { token }, { headers: { 'sec-fetch-site': 'same-origin' } })
}

async function requestPasswordResets(user: TestUser): Promise<void> {
  const times = Array.from({ length: ACCOUNT_LINK_LIMIT.most })
  for (const _ of times) await callApi(user.url, user.host, 'POST', '/password_reset', { email: user.email })
  for (const _ of times) await mails.next(user.email)
}

async function deliveryEmailOf(user: TestUser): Promise<unknown> {
  return (await user.call('GET', '/users/me'))['delivery_email']
}

const BAD_LINK = { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'This link is no longer valid.' }

const TOO_MANY_CHANGES = 'You requested too many email address changes. Try again later.'

describe('email changes by the account owner', () => {
  it('changes the email once the new address is confirmed and notifies the old address', async () => {
    const ann = await organization.user('Ann')
    const [to, before, look] = [unusedAddress(), ann.email, await watch({ ann, owner })]
    await ann.call('PATCH', '/settings', { email: to, full_name: 'Ann Other' })
    expect((await look()).owner).toMatchObject([{ type: 'realm_user', person: { full_name: 'Ann Other' } }])
    expect(await deliveryEmailOf(ann)).toBe(before)
    const mail = await mails.next(to)
    expect(linkIn(mail)).toMatch(/\/email#[\w-]{43}$/)
    expect(mail.text).toContain('Ann Other wants to use this email address at Acme')
    const answer = await ann.switchEmail(to, confirmEmailChange(ann, tokenIn(mail)))
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '', email: to }])
    expect(await deliveryEmailOf(ann)).toBe(to)
    expect((await look()).owner).toContainEqual({
      type: 'realm_user',
      op: 'update',
      person: { user_id: ann.id, new_email: to },
    })
    expect((await mails.next(before)).text).toContain(`was changed to ${to}`)
    expect((await confirmEmailChange(ann, tokenIn(mail))).body).toEqual(BAD_LINK)
    // Changes that people make to their own account are not audited.
    const { entries } = await owner.call('GET', '/audit_log', { user_id: ann.id })
    expect(entries).toMatchObject([{ action: 'created' }])
  })

  it('refuses to confirm a new email while the organization is deactivated', async () => {
    const other = await server().organization()
    const [to, before] = [unusedAddress(), other.owner.email]
    await other.owner.call('PATCH', '/settings', { email: to })
    const token = tokenIn(await mails.next(to))
    await other.owner.call('POST', '/realm/deactivate')
    expect((await confirmEmailChange(other.owner, token)).body).toMatchObject({ code: 'REALM_DEACTIVATED' })
    await (await server().parley.logs.of(other.id)).write(reactivateOrganization)
    expect(await deliveryEmailOf(other.owner)).toBe(before)
    await other.owner.switchEmail(to, confirmEmailChange(other.owner, token))
    expect(await deliveryEmailOf(other.owner)).toBe(to)
  })

  it('does not reveal that a requested email address is taken, and notifies the account that has it', async () => {
    const [ben, cora] = [await organization.user('Ben'), await organization.user('Cora')]
    const answers = [
      await ben.try('PATCH', '/settings', { email: unusedAddress() }),
      await ben.try('PATCH', '/settings', { email: cora.email }),
    ]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const mail = await mails.next(cora.email)
    expect(mail.text).toContain('You already have an account with this address')
    expect(mail.text).not.toContain('#')
  })

  it('refuses to confirm an email that another account took after the link was sent', async () => {
    const [dan, to] = [await organization.user('Dan'), unusedAddress()]
    await dan.call('PATCH', '/settings', { email: to })
    const token = tokenIn(await mails.next(to))
    await owner.call('POST', '/users', { email: to, password: 'seven purple elephants', full_name: 'Early' })
    expect((await confirmEmailChange(dan, token)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: `Email '${to}' already in use`,
    })
    expect(await deliveryEmailOf(dan)).toBe(dan.email)
  })

  it('refuses email changes that the organization disallows, on request and on confirmation', async () => {
    const { owner: boss, user } = await server().organization()
    const [eva, to] = [await user('Eva'), unusedAddress()]
    await eva.call('PATCH', '/settings', { email: to })
    const token = tokenIn(await mails.next(to))
    await boss.call('PATCH', '/realm', { email_changes_disabled: true })
    expect((await confirmEmailChange(eva, token)).body['msg']).toBe(
      'Email address changes are disabled in this organization.',
    )
    expect((await eva.try('PATCH', '/settings', { email: unusedAddress() })).body['code']).toBe('BAD_REQUEST')
    await boss.call('PATCH', '/realm', { email_changes_disabled: false })
    await boss.call('POST', '/realm/domains', { domain: 'only.example', allow_subdomains: false })
    await boss.call('PATCH', '/realm', { emails_restricted_to_domains: true })
    expect((await confirmEmailChange(eva, token)).body['msg']).toMatch(/does not belong to a domain/)
    expect((await eva.try('PATCH', '/settings', { email: unusedAddress() })).body['msg']).toMatch(
      /does not belong to a domain/,
    )
    expect(await deliveryEmailOf(eva)).toBe(eva.email)
  })

  it.each(['', 'nobody', 'a b@example.org', 'x@parley.invalid'])('rejects %j as a new email', async (email) => {
    const { status, body } = await owner.try('PATCH', '/settings', { email })
    expect([status, body['msg']]).toEqual([400, 'Enter a valid email address.'])
  })

  it('limits how many new email addresses a person can request per hour', async () => {
    const [hal, ivo] = [await organization.user('Hal'), await organization.user('Ivo')]
    const asked: string[] = []
    for (let time = 0; time < ADDRESS_MAIL_LIMIT.most; time += 1) {
      asked.push(unusedAddress())
      await hal.call('PATCH', '/settings', { email: asked.at(-1) })
    }
    const [last, look] = [unusedAddress(), await watch({ hal, owner })]
    const { status, body } = await hal.try('PATCH', '/settings', { email: last, full_name: 'Hal Other' })
    expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', msg: TOO_MANY_CHANGES }])
    expect(await look()).toEqual({ hal: [], owner: [] })
    const to = unusedAddress()
    await ivo.call('PATCH', '/settings', { email: to })
    await mails.next(to)
    for (const one of asked) await mails.next(one)
    expect(mails.received(last)).toEqual([])
    await server().parley.database.pool.query('update account_links set made_at = made_at - 3600 where user_id = $1', [
      hal.id,
    ])
    await hal.call('PATCH', '/settings', { email: last })
    await mails.next(last)
  })

  it('keeps counting email change requests toward the limit after an API key change or a password reset', async () => {
    const kim = await organization.user('Kim')
    const links: string[] = []
    for (let time = 0; time < ADDRESS_MAIL_LIMIT.most; time += 1) {
      const to = unusedAddress()
      await kim.call('PATCH', '/settings', { email: to })
      links.push(tokenIn(await mails.next(to)))
      const { api_key: apiKey } = await kim.call('POST', '/users/me/api_key/regenerate')
      kim.apiKey = apiKey
    }
    await requestPasswordResets(kim)
    const last = unusedAddress()
    expect((await kim.try('PATCH', '/settings', { email: last })).body).toMatchObject({ msg: TOO_MANY_CHANGES })
    for (const token of links) expect((await confirmEmailChange(kim, token)).body).toEqual(BAD_LINK)
    expect(mails.received(last)).toEqual([])
    const { pool, reads } = server().parley.database
    const isDue = async (): Promise<boolean> =>
      (await organizationsWithExpiredLinks(reads, Math.floor(Date.now() / 1000))).some(
        ({ organizationId }) => organizationId === organization.id,
      )
    expect(await isDue()).toBe(false)
    await pool.query('update account_links set made_at = made_at - $2 where user_id = $1', [
      kim.id,
      ADDRESS_MAIL_PERIOD_SECONDS,
    ])
    expect(await isDue()).toBe(true)
    await kim.call('PATCH', '/settings', { email: last })
    await mails.next(last)
  })

  it('keeps an email confirmation link valid when someone else requests a password reset for the account', async () => {
    const [lea, to] = [await organization.user('Lea'), unusedAddress()]
    await lea.call('PATCH', '/settings', { email: to })
    const token = tokenIn(await mails.next(to))
    await requestPasswordResets(lea)
    expect((await lea.switchEmail(to, confirmEmailChange(lea, token))).status).toBe(200)
    expect(await deliveryEmailOf(lea)).toBe(to)
  })

  it('rejects invalid email confirmation links, and links of other organizations or deactivated users', async () => {
    const [fay, gil] = [await organization.user('Fay'), await organization.user('Gil')]
    const elsewhere = (await server().organization('Elsewhere')).owner
    const tokenOf = async (user: TestUser): Promise<string> => {
      const to = unusedAddress()
      await user.call('PATCH', '/settings', { email: to })
      return tokenIn(await mails.next(to))
    }
    const [over, foreign, ofGil] = [await tokenOf(fay), await tokenOf(elsewhere), await tokenOf(gil)]
    await server().parley.database.pool.query('update account_links set expires_at = 1 where user_id = $1', [fay.id])
    await owner.call('DELETE', `/users/${gil.id}`)
    for (const token of [over, foreign, ofGil, 'x'.repeat(43), '']) {
      const { status, body } = await confirmEmailChange(fay, token)
      expect([status, body]).toEqual([401, BAD_LINK])
    }
  })
})

describe('email changes by an administrator', () => {
  it.each(['id', 'address'])(
    'notifies the old address when an administrator changes the email of an account identified by %s',
    async (way) => {
      const ada = await organization.user('Ada Admin', { role: 200 })
      const ann = await organization.user('Ann')
      const [before, to] = [ann.email, unusedAddress()]
      await ada.call('PATCH', `/users/${way === 'id' ? ann.id : ann.email}`, { new_email: to })
      const mail = await mails.next(before, /^Your email at Acme was changed$/)
      expect(mail.text).toContain(`Ada Admin, an admin of Acme, changed the email address of your account`)
      expect(mail.text).toContain(to)
    },
  )

  it('sends no notice for an email change that is refused or changes only letter case', async () => {
    const [ann, ben] = [await organization.user('Ann'), await organization.user('Ben')]
    const capitals = ann.email.replace('ann', 'ANN')
    await owner.call('PATCH', `/users/${ann.id}`, { new_email: capitals, full_name: 'Ann Other' })
    expect((await ben.try('PATCH', `/users/${ann.id}`, { new_email: unusedAddress() })).status).toBe(400)
    const to = unusedAddress()
    await owner.call('PATCH', `/users/${ann.id}`, { new_email: to })
    // Emails about earlier changes would have arrived before these.
    expect((await mails.next(capitals)).text).toContain(to)
  })
})
