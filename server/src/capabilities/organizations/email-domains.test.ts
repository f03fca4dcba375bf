import { expect, it } from 'vitest'
import { startTestServerOn, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser, type Answer } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { EMAIL_DOMAIN_LIMIT } from './contract/email-domains.ts'

const server = useTestServer()

const ACME = { domain: 'acme.example', allow_subdomains: false }
const DOMAINS_PATH = '/realm/domains'
const DOMAIN_RESTRICTION = { emails_restricted_to_domains: true }

function addUser(user: TestUser, email: string): Promise<Answer> {
  return user.try('POST', '/users', { email, password: 'a long password', full_name: 'New Person' })
}

function outcomeOf({ status, body }: Answer): string {
  return status === 200 ? 'done' : `${status} ${String(body['code'])}`
}

async function restrictTo(domains: readonly (typeof ACME)[] = [ACME]): Promise<TestOrganization> {
  const organization = await server().organization()
  for (const domain of domains) await organization.owner.call('POST', DOMAINS_PATH, domain)
  await organization.owner.call('PATCH', '/realm', DOMAIN_RESTRICTION)
  return organization
}

it('stores email domains in normalized form and notifies everyone of changes', async () => {
  const { owner, user } = await server().organization()
  const [admin, guest] = [await user('Ada', { role: 200 }), await user('Gus', { role: 600 })]
  const look = await watch({ owner, guest })
  await owner.call('POST', DOMAINS_PATH, { domain: ' ACME.Example. ', allow_subdomains: false })
  await admin.call('POST', DOMAINS_PATH, { domain: 'münchen.example', allow_subdomains: true })
  const munich = { domain: 'xn--mnchen-3ya.example', allow_subdomains: true }
  expect(await guest.call('GET', DOMAINS_PATH)).toMatchObject({ domains: [ACME, munich] })
  await admin.call('PATCH', `${DOMAINS_PATH}/Acme.example`, { allow_subdomains: true })
  await admin.call('PATCH', `${DOMAINS_PATH}/acme.example`, { allow_subdomains: true })
  const wider = { ...ACME, allow_subdomains: true }
  expect((await guest.register()).state['realm_domains']).toEqual([wider, munich])
  await admin.call('DELETE', `${DOMAINS_PATH}/acme.example`)
  expect((await owner.call('GET', DOMAINS_PATH))['domains']).toEqual([munich])
  const expected = [
    { type: 'realm_domains', op: 'add', realm_domain: ACME },
    { type: 'realm_domains', op: 'add', realm_domain: munich },
    { type: 'realm_domains', op: 'change', realm_domain: wider },
    { type: 'realm_domains', op: 'remove', domain: 'acme.example' },
  ]
  expect(await look()).toEqual({ owner: expected, guest: expected })
})

it('keeps email domains after a restart', async () => {
  const { owner, host } = await restrictTo()
  const other = await startTestServerOn(server().database, {}, { shared: true })
  try {
    const again = new TestUser(other.parley.url, host, owner.email, owner.apiKey, owner.id)
    expect((await again.register()).state['realm_domains']).toEqual([ACME])
    expect(outcomeOf(await addUser(again, 'ann@elsewhere.example'))).toBe('400 BAD_REQUEST')
  } finally {
    await other.close()
  }
})

it('lets only administrators change email domains, without revealing which domains exist', async () => {
  const { owner, user } = await server().organization()
  await owner.call('POST', DOMAINS_PATH, ACME)
  for (const role of [300, 400, 600] as const) {
    const somebody = await user(`Role ${role}`, { role })
    const look = await watch({ owner, somebody })
    const answers = [await somebody.try('POST', DOMAINS_PATH, { ...ACME, domain: 'other.example' })]
    for (const domain of ['acme.example', 'absent.example']) {
      answers.push(await somebody.try('PATCH', `${DOMAINS_PATH}/${domain}`, { allow_subdomains: true }))
      answers.push(await somebody.try('DELETE', `${DOMAINS_PATH}/${domain}`))
    }
    const refused: unknown = expect.objectContaining({
      status: 400,
      body: { result: 'error', code: 'BAD_REQUEST', msg: 'Must be an organization administrator' },
    })
    expect(answers).toEqual(answers.map(() => refused))
    expect(await look()).toEqual({ owner: [], somebody: [] })
  }
  expect((await owner.call('GET', DOMAINS_PATH))['domains']).toEqual([ACME])
})

it('rejects invalid, duplicate, and missing email domains', async () => {
  const { owner } = await server().organization()
  await owner.call('POST', DOMAINS_PATH, ACME)
  const look = await watch({ owner })
  const long = (count: number): string => `${'a'.repeat(count)}.${`${'b'.repeat(62)}.`.repeat(3)}example`
  for (const domain of [
    '',
    ' ',
    'acme',
    '.example',
    'a..example',
    '-a.example',
    'a-.example',
    'a b.example',
    'ann@acme.example',
    'a/b.example',
    'https://acme.example',
    '*.example',
    'a_b.example',
    `${'a'.repeat(64)}.example`,
    long(57),
    'ACME.example',
    'acme.example.',
  ]) {
    const answer = await owner.try('POST', DOMAINS_PATH, { domain, allow_subdomains: false })
    expect([domain, answer.status, answer.body['code']]).toEqual([
      domain,
      400,
      domain === long(57) ? 'REQUEST_VARIABLE_INVALID' : 'BAD_REQUEST',
    ])
  }
  for (const [method, parameters] of [
    ['PATCH', { allow_subdomains: true }],
    ['DELETE', {}],
  ] as const) {
    expect(outcomeOf(await owner.try(method, `${DOMAINS_PATH}/absent.example`, parameters))).toBe('400 BAD_REQUEST')
    expect(outcomeOf(await owner.try(method, `${DOMAINS_PATH}/www.acme.example`, parameters))).toBe('400 BAD_REQUEST')
  }
  expect(await look()).toEqual({ owner: [] })
  expect(outcomeOf(await owner.try('POST', DOMAINS_PATH, { domain: long(56), allow_subdomains: false }))).toBe('done')
})

it('refuses more email domains than the limit', async () => {
  const { owner } = await server().organization()
  const make = async (number: number): Promise<Answer> =>
    owner.try('POST', DOMAINS_PATH, { ...ACME, domain: `d${number}.example` })
  for (let number = 0; number < EMAIL_DOMAIN_LIMIT.most; number += 1) expect(outcomeOf(await make(number))).toBe('done')
  expect(outcomeOf(await make(EMAIL_DOMAIN_LIMIT.most))).toBe('400 BAD_REQUEST')
  await owner.call('DELETE', `${DOMAINS_PATH}/d7.example`)
  expect(outcomeOf(await make(EMAIL_DOMAIN_LIMIT.most))).toBe('done')
})

it('accepts only addresses in allowed domains while emails_restricted_to_domains is on', async () => {
  const { owner, user } = await restrictTo([ACME, { domain: 'wide.example', allow_subdomains: true }])
  const ann = await user('Ann')
  const look = await watch({ owner, ann })
  for (const email of [
    'a@elsewhere.example',
    'a@www.acme.example',
    'a@notacme.example',
    'a@acme.example.org',
    'a@example',
    'a@notwide.example',
    'acme.example@elsewhere.example',
    'acme.example',
    'a@b@acme.example',
    'a@..wide.example',
  ]) {
    const answer = await addUser(owner, email)
    expect([email, answer.status, answer.body['code']]).toEqual([email, 400, 'BAD_REQUEST'])
  }
  expect(await look()).toEqual({ owner: [], ann: [] })
  for (const email of ['a@acme.example', 'b@ACME.example', 'c@wide.example', 'd@deep.down.WIDE.example']) {
    expect([email, outcomeOf(await addUser(owner, email))]).toEqual([email, 'done'])
  }
  expect((await look()).ann.filter(({ type, op }) => type === 'realm_user' && op === 'add')).toHaveLength(4)
})

it('accepts all email addresses if domains are unrestricted, but none if the domain list is empty', async () => {
  const { owner } = await server().organization()
  await owner.call('POST', DOMAINS_PATH, ACME)
  expect(outcomeOf(await addUser(owner, 'a@elsewhere.example'))).toBe('done')
  await owner.call('DELETE', `${DOMAINS_PATH}/acme.example`)
  await owner.call('PATCH', '/realm', DOMAIN_RESTRICTION)
  expect(outcomeOf(await addUser(owner, 'a@acme.example'))).toBe('400 BAD_REQUEST')
})

it('refuses new addresses outside the allowed domains and keeps existing accounts', async () => {
  const { owner, user } = await restrictTo()
  const ann = await user('Ann')
  const bot = await user('Robot', { bot: { ownerId: ann.id } })
  const look = await watch({ owner, ann })
  expect(outcomeOf(await ann.try('PATCH', '/settings', { email: 'ann@elsewhere.example' }))).toBe('400 BAD_REQUEST')
  const moved = { new_email: 'ann@elsewhere.example' }
  expect(outcomeOf(await owner.try('PATCH', `/users/${ann.id}`, moved))).toBe('400 BAD_REQUEST')
  expect(await look()).toEqual({ owner: [], ann: [] })
  expect(outcomeOf(await owner.try('PATCH', `/users/${ann.id}`, { new_email: ann.email, full_name: 'Anna' }))).toBe(
    'done',
  )
  expect(outcomeOf(await ann.try('PATCH', '/settings', { email: ann.email, full_name: 'Annie' }))).toBe('done')
  const own = ann.switchEmail('ann@acme.example', ann.try('PATCH', '/settings', { email: 'ann@acme.example' }))
  expect(outcomeOf(await own)).toBe('done')
  expect(outcomeOf(await ann.try('POST', '/bots', { full_name: 'Other Bot', short_name: 'other' }))).toBe('done')
  expect(outcomeOf(await bot.try('GET', '/users/me'))).toBe('done')
})

it('lets only owners remove the last email domain, which ends the restriction to allowed domains', async () => {
  const { owner, user } = await restrictTo()
  const admin = await user('Ada', { role: 200 })
  await owner.call('POST', DOMAINS_PATH, { ...ACME, domain: 'b.example' })
  const look = await watch({ owner, admin })
  await admin.call('DELETE', `${DOMAINS_PATH}/b.example`)
  expect(outcomeOf(await admin.try('DELETE', `${DOMAINS_PATH}/acme.example`))).toBe('400 BAD_REQUEST')
  const first = { type: 'realm_domains', op: 'remove', domain: 'b.example' }
  expect(await look()).toEqual({ owner: [first], admin: [first] })
  await owner.call('DELETE', `${DOMAINS_PATH}/acme.example`)
  const expected = [
    { type: 'realm_domains', op: 'remove', domain: 'acme.example' },
    { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
  ]
  expect(await look()).toEqual({ owner: expected, admin: expected })
  const { state } = await admin.register()
  expect([state['realm_domains'], state['realm_emails_restricted_to_domains']]).toEqual([[], false])
  expect(outcomeOf(await addUser(admin, 'a@elsewhere.example'))).toBe('done')
})

it('rejects disposable addresses unless the organization allows them', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const look = await watch({ owner, ann })
  for (const email of ['a@mailinator.com', 'a@MAILINATOR.com.', 'a@www.yopmail.com']) {
    expect([email, outcomeOf(await addUser(owner, email))]).toEqual([email, '400 BAD_REQUEST'])
  }
  expect(outcomeOf(await ann.try('PATCH', '/settings', { email: 'ann@mailinator.com' }))).toBe('400 BAD_REQUEST')
  const moved = await owner.try('PATCH', `/users/${ann.id}`, { new_email: 'ann@mailinator.com' })
  expect(outcomeOf(moved)).toBe('400 BAD_REQUEST')
  expect(await look()).toEqual({ owner: [], ann: [] })
  expect(outcomeOf(await addUser(owner, 'a@notmailinator.com.example'))).toBe('done')
  await owner.call('PATCH', '/realm', { disallow_disposable_email_addresses: false })
  expect(outcomeOf(await addUser(owner, 'a@mailinator.com'))).toBe('done')
})

it('accepts disposable addresses in a domain that the organization allows', async () => {
  const { owner } = await restrictTo([{ domain: 'mailinator.com', allow_subdomains: false }])
  expect(outcomeOf(await addUser(owner, 'a@mailinator.com'))).toBe('done')
})
