import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { openStore, serve, type Parley } from '../../start.ts'
import { useOpenidProvider, type ProviderPerson } from '../../testing/openid-provider.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { redirectAddress, openidSignInSteps } from './testing/signing-in.ts'

/** This provider puts the email address and name in the ID token. */
const provider = await useOpenidProvider(false)
const trustingServer = useTestServer({ ...provider.environment, PARLEY_OIDC_TRUST_EMAIL: 'on' })
const strictServer = useTestServer(provider.environment)
const ANN: ProviderPerson = { subject: 'ann-1', email: 'ann@example.org', name: 'Ann Able' }
let organization: TestOrganization

const { begin, answerFor, finish, signInAs, signedIn } = openidSignInSteps(provider, () => organization)

async function createOrganizationOn(server: typeof trustingServer): Promise<void> {
  organization = await server().organization('Acme')
  await organization.owner.call('PATCH', '/realm', { invite_required: false })
  provider.redirectAddresses.add(redirectAddress(organization))
}

describe('email addresses from a trusted provider', () => {
  beforeEach(async () => createOrganizationOn(trustingServer))

  it.each([
    ['does not say', undefined],
    ['denies', false],
    ['says', true],
  ])('signs in people if the provider %s that their address is verified', async (_, email_verified) => {
    const browser = signedIn(await signInAs({ ...ANN, email_verified }))
    expect(await browser.call('GET', '/users/me')).toMatchObject({ delivery_email: ANN.email, full_name: 'Ann Able' })
    const account = { email: 'ben@example.org', full_name: 'Ben', password: 'seven purple elephants' }
    const { user_id: id } = await organization.owner.call('POST', '/users', account)
    expect(signedIn(await signInAs({ subject: 'ben-1', email: 'ben@example.org', email_verified })).id).toBe(id)
  })

  it('refuses to sign in a person for whom the provider reports no email address', async () => {
    expect((await signInAs({ subject: 'nobody-1' })).body['code']).toBe('AUTHENTICATION_FAILED')
  })
})

describe('identity provider log', () => {
  const lines: string[] = []
  let parley: Parley

  beforeAll(async () => {
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString('utf8'))
        done()
      },
    })
    const environment = { PORT: '0', PARLEY_ROOT_DOMAIN: 'parley.test', PARLEY_RATE_LIMITS: 'off' }
    const config = readConfig({ ...provider.environment, ...environment })
    const logger = pino({ level: 'warn', base: null }, sink)
    parley = await serve(openStore(strictServer().database, config, logger, { shared: true }), config, logger)
  })
  afterAll(async () => parley.close())

  beforeEach(async () => {
    const { owner, ...made } = await strictServer().organization('Acme')
    await owner.call('PATCH', '/realm', { invite_required: false })
    organization = { ...made, owner: new TestUser(parley.url, owner.host, owner.email, owner.apiKey, owner.id) }
    provider.redirectAddresses.add(redirectAddress(organization))
    lines.length = 0
  })

  it.each<[string, ProviderPerson | undefined, string]>([
    ['a missing address', { subject: 'x' }, 'the claim email is missing'],
    ['a missing confirmation', ANN, 'the claim email_verified is missing'],
    ['a false confirmation', { ...ANN, email_verified: false }, 'the claim email_verified is not true'],
    ['a canceled sign-in', undefined, 'the provider answers access_denied'],
  ])('logs why %s is rejected', async (_, person, reason) => {
    expect((await signInAs(person)).body['code']).toBe('AUTHENTICATION_FAILED')
    expect(lines.join('')).toContain(reason)
  })

  it('logs why a reused provider answer or an uninvited person is rejected', async () => {
    const attempt = await begin()
    const answer = await answerFor(ANN, attempt)
    await finish(attempt, answer)
    await finish(attempt, answer)
    expect(lines.join('')).toContain('no attempt of this browser is open')
    await organization.owner.call('PATCH', '/realm', { invite_required: true })
    await signInAs({ ...ANN, email_verified: true })
    expect(lines.join('')).toContain('Only people who are invited can join this organization.')
  })
})
