import { beforeAll, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { browserOf } from '../../testing/browser.ts'
import { tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization, type TestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { REGISTRATION_LIMIT } from './contract.ts'
import { callFromBrowser, executeSql, expectInvalidLink, join, createLinkToken, newAddress } from './testing/joining.ts'

const mails = await useMailServer()
const server = useTestServer()
const serverWithMail = useTestServer({ PARLEY_SMTP_URL: mails.url })
let organization: TestOrganization
let owner: TestUser
let admin: TestUser
let mia: TestUser

beforeAll(async () => {
  organization = await server().organization('Open')
  owner = organization.owner
  admin = await organization.user('Ada', { role: ROLE.administrator })
  mia = await organization.user('Mia')
  await owner.call('PATCH', '/realm', { invite_required: false })
})

async function waitingEmails(by: TestUser): Promise<string[]> {
  const { registrations } = await by.call('GET', '/registrations')
  return registrations.map(({ email }) => email)
}

async function tokenFor(email: string, by = admin): Promise<string> {
  const { registration_link: link } = await by.call('POST', '/registrations/link', { email })
  expect(link).toMatch(new RegExp(`^http://${by.host}:\\d+/join#[\\w-]{43}$`))
  return link.split('#')[1] ?? ''
}

async function registrationEvents(): Promise<Body[]> {
  const { entries } = await owner.call('GET', '/audit_log', { kind: 'invitations' })
  return entries.filter(({ changes }) => JSON.stringify(changes).includes('registration_link'))
}

const NO_ONE_WAITING = 'No one is waiting to join with this address.'

describe('pending registrations on a server without email', () => {
  it('lets an administrator give out an audited, single-use registration link', async () => {
    const email = newAddress()
    const look = await watch({ owner, admin, mia })
    expect((await callFromBrowser(owner, '/registrations', { email })).body).toEqual({ result: 'success', msg: '' })
    const { registrations } = await admin.call('GET', '/registrations')
    const [one] = registrations
    expect(one).toMatchObject({ email })
    expect(Number(one?.['expires']) - Number(one?.['requested'])).toBe(86_400)
    expect(await registrationEvents()).toEqual([])
    const token = await tokenFor(email.toUpperCase())
    expect(await look()).toEqual({ owner: [], admin: [], mia: [] })
    const [entry, ...others] = await registrationEvents()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ acting_user_id: admin.id, action: 'changed', target: null })
    expect(JSON.stringify(entry)).not.toContain(token)
    expect(await tokenFor(email, owner)).toBe(token)
    expect((await registrationEvents()).map(({ acting_user_id }) => acting_user_id)).toEqual([owner.id, admin.id])
    const { rows } = await server().parley.database.pool.query('select * from registrations')
    expect(JSON.stringify(rows)).not.toContain(token)
    const nora = browserOf(owner, await join(owner, token))
    expect(await nora.call('GET', '/users/me')).toMatchObject({ delivery_email: email, role: ROLE.member })
    await expectInvalidLink(owner, token)
    expect(await waitingEmails(admin)).not.toContain(email)
    expect((await admin.try('POST', '/registrations/link', { email })).body).toMatchObject({ msg: NO_ONE_WAITING })
  })

  it('shows pending registrations only to administrators', async () => {
    const email = newAddress()
    await callFromBrowser(owner, '/registrations', { email })
    const moderator = await organization.user('Mo', { role: ROLE.moderator })
    const bot = await organization.user('Bert Bot', { bot: { ownerId: owner.id } })
    const { owner: stranger } = await server().organization('Elsewhere')
    const before = await registrationEvents()
    for (const other of [mia, moderator, bot]) {
      for (const [method, path] of [
        ['GET', '/registrations'],
        ['POST', '/registrations/link'],
      ] as const) {
        const { status, body } = await other.try(method, path, { email })
        expect([status, body]).toEqual([
          400,
          { result: 'error', code: 'BAD_REQUEST', msg: 'Must be an organization administrator' },
        ])
      }
    }
    expect((await callFromBrowser(owner, '/registrations/link', { email })).status).toBe(401)
    expect(await waitingEmails(stranger)).toEqual([])
    expect((await stranger.try('POST', '/registrations/link', { email })).body).toMatchObject({ msg: NO_ONE_WAITING })
    expect(await registrationEvents()).toEqual(before)
    expect(await waitingEmails(owner)).toContain(email)
  })

  it('refuses a registration link for an address without a pending registration, even with an account', async () => {
    for (const email of [newAddress(), mia.email]) {
      expect((await admin.try('POST', '/registrations/link', { email })).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: NO_ONE_WAITING,
      })
    }
    expect((await admin.try('POST', '/registrations/link', { email: '' })).status).toBe(400)
    // The response reveals nothing about the other person's account.
    await callFromBrowser(owner, '/registrations', { email: mia.email })
    expect(await waitingEmails(admin)).toContain(mia.email)
    const people = async (): Promise<number> => (await owner.call('GET', '/users'))['members'].length
    const before = await people()
    const { status, body } = await join(owner, await tokenFor(mia.email))
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect(await people()).toBe(before)
    expect((await mia.try('GET', '/users/me')).status).toBe(200)
  })

  it('lists a registration for up to a day, as long as the person can still join', async () => {
    const { id, owner: boss, user } = await server().organization('Shut')
    const ada = await user('Ada', { role: ROLE.administrator })
    const [forMembers, forOwners] = [
      await createLinkToken(boss),
      await createLinkToken(boss, { invite_as: ROLE.owner }),
    ]
    const [invited, raised, uninvited] = [newAddress(), newAddress(), newAddress()]
    await boss.call('PATCH', '/realm', { invite_required: false })
    await callFromBrowser(boss, '/registrations', { email: invited, token: forMembers })
    await callFromBrowser(boss, '/registrations', { email: raised, token: forOwners })
    await callFromBrowser(boss, '/registrations', { email: uninvited })
    expect(await waitingEmails(boss)).toHaveLength(3)
    // Only owners see registrations for links that grant the owner role.
    expect((await waitingEmails(ada)).toSorted()).toEqual([invited, uninvited].toSorted())
    expect((await ada.try('POST', '/registrations/link', { email: raised })).body).toMatchObject({
      msg: NO_ONE_WAITING,
    })
    await boss.call('PATCH', '/realm', { invite_required: true })
    expect((await waitingEmails(boss)).toSorted()).toEqual([invited, raised].toSorted())
    expect((await boss.try('POST', '/registrations/link', { email: uninvited })).body).toMatchObject({
      msg: NO_ONE_WAITING,
    })
    const token = await tokenFor(invited, boss)
    await executeSql(
      server().database,
      'update registrations set expires_at = expires_at - 86400 where organization_id = $1',
      [id],
    )
    expect(await waitingEmails(boss)).toEqual([])
    await expectInvalidLink(boss, token)
  })
})

it('refuses registration links if the server sends email', async () => {
  const { owner: boss } = await serverWithMail().organization('Mailing')
  await boss.call('PATCH', '/realm', { invite_required: false })
  const email = newAddress()
  await callFromBrowser(boss, '/registrations', { email })
  await mails.next(email)
  expect(await waitingEmails(boss)).toEqual([])
  expect((await boss.try('POST', '/registrations/link', { email })).body).toEqual({
    result: 'error',
    code: 'BAD_REQUEST',
    msg: 'The link was sent to the owner of the address by email.',
  })
})

const REGISTRATIONS_CAPABILITY = { client_capabilities: { ...ALL_CAPABILITIES, registrations: true } }
const REGISTRATION_ADDED = { type: 'registrations', op: 'add' }
const REGISTRATION_REMOVED = { type: 'registrations', op: 'remove' }

async function watchServer(at: TestServer) {
  const { id, owner: boss, user } = await at.organization('Watched')
  const [ada, mo, mona, gus] = [
    await user('Ada', { role: ROLE.administrator }),
    await user('Mo', { role: ROLE.moderator }),
    await user('Mona'),
    await user('Gus', { role: ROLE.guest }),
  ]
  const bot = await user('Bert Bot', { bot: { ownerId: ada.id } })
  const { owner: stranger } = await at.organization('Elsewhere')
  await boss.call('PATCH', '/realm', { invite_required: false })
  const look = await watch({ boss, ada, mo, mona, gus, bot, stranger }, REGISTRATIONS_CAPABILITY)
  const nobody = { boss: [], ada: [], mo: [], mona: [], gus: [], bot: [], stranger: [] }
  return { id, boss, ada, look, nobody }
}

describe('registration events', () => {
  it('notifies only administrators about a new registration', async () => {
    const { boss, ada, look, nobody } = await watchServer(server())
    const older = await watch({ boss, ada })
    const email = newAddress()
    await callFromBrowser(boss, '/registrations', { email })
    expect(await look()).toEqual({ ...nobody, boss: [REGISTRATION_ADDED], ada: [REGISTRATION_ADDED] })
    expect(await waitingEmails(ada)).toEqual([email])
    // A repeated request, or a request from a person who cannot join, changes nothing.
    await callFromBrowser(boss, '/registrations', { email })
    await callFromBrowser(boss, '/registrations', { email: 'nonsense' })
    await callFromBrowser(boss, '/registrations', { email: newAddress(), token: 'x'.repeat(43) })
    expect(await look()).toEqual(nobody)
    // Clients without the capability `registrations` receive no events.
    expect(await older()).toEqual({ boss: [], ada: [] })
  })

  it('notifies administrators when a registration is used or replaced', async () => {
    const { id, boss, ada, look, nobody } = await watchServer(server())
    const email = newAddress()
    await callFromBrowser(boss, '/registrations', { email })
    await look()
    expect((await join(boss, await tokenFor(email, ada))).status).toBe(200)
    const told = await look()
    const of = (name: keyof typeof told): Body[] => told[name].filter(({ type }) => type === 'registrations')
    expect(of('boss')).toEqual([REGISTRATION_REMOVED])
    expect(of('ada')).toEqual([REGISTRATION_REMOVED])
    for (const name of ['mo', 'mona', 'gus', 'bot', 'stranger'] as const) expect(of(name)).toEqual([])
    await executeSql(
      server().database,
      `insert into registrations (organization_id, digest, seed, email, email_key, requested_at, expires_at)
       select $1, sha256(n::text::bytea), sha256(n::text::bytea), n || '@x.example', n || '@x.example', n, 4000000000
       from generate_series(1, $2::int) n`,
      [id, REGISTRATION_LIMIT.most],
    )
    await callFromBrowser(boss, '/registrations', { email: newAddress() })
    expect(await look()).toEqual({
      ...nobody,
      boss: [REGISTRATION_REMOVED, REGISTRATION_ADDED],
      ada: [REGISTRATION_REMOVED, REGISTRATION_ADDED],
    })
    expect(await waitingEmails(ada)).not.toContain('1@x.example')
  })

  it('notifies only owners about registrations for the owner role', async () => {
    const { id, boss, ada, look, nobody } = await watchServer(server())
    const forOwners = await createLinkToken(boss, { invite_as: ROLE.owner })
    await look()
    const [raised, email] = [newAddress(), newAddress()]
    await callFromBrowser(boss, '/registrations', { email: raised, token: forOwners })
    expect(await look()).toEqual({ ...nobody, boss: [REGISTRATION_ADDED] })
    expect([await waitingEmails(boss), await waitingEmails(ada)]).toEqual([[raised], []])
    await callFromBrowser(boss, '/registrations', { email })
    await executeSql(
      server().database,
      'update registrations set requested_at = requested_at - 600 where organization_id = $1',
      [id],
    )
    await look()
    await callFromBrowser(boss, '/registrations', { email, token: forOwners })
    expect(await look()).toEqual({
      ...nobody,
      boss: [REGISTRATION_REMOVED, REGISTRATION_ADDED],
      ada: [REGISTRATION_REMOVED],
    })
    expect(await waitingEmails(ada)).toEqual([])
    expect((await join(boss, await tokenFor(raised, boss))).status).toBe(200)
    const told = await look()
    const ofAda = told.ada.filter(({ type }) => type === 'registrations')
    expect([told.boss.filter(({ type }) => type === 'registrations'), ofAda]).toEqual([[REGISTRATION_REMOVED], []])
  })

  it('sends no registration events if the server sends email', async () => {
    const { boss, look, nobody } = await watchServer(serverWithMail())
    const email = newAddress()
    await callFromBrowser(boss, '/registrations', { email })
    const token = tokenIn(await mails.next(email))
    expect(await look()).toEqual(nobody)
    expect((await join(boss, token)).status).toBe(200)
    for (const events of Object.values(await look())) {
      expect(events.filter(({ type }) => type === 'registrations')).toEqual([])
    }
  })
})
