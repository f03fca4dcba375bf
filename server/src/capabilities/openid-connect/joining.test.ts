import { beforeEach, expect, it } from 'vitest'
import { useOpenidProvider, type ProviderPerson } from '../../testing/openid-provider.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Parameters, TestUser } from '../../testing/user.ts'
import { redirectAddress, openidSignInSteps } from './testing/signing-in.ts'

const provider = await useOpenidProvider()
const server = useTestServer(provider.environment)
const ANN: ProviderPerson = { subject: 'ann-1', email: 'ann@example.org', email_verified: true, name: 'Ann Able' }
const BEN: ProviderPerson = { subject: 'ben-1', email: 'ben@example.org', email_verified: true, name: 'Ben Able' }
let organization: TestOrganization

beforeEach(async () => {
  organization = await server().organization('Acme')
  await organization.owner.call('PATCH', '/realm', { invite_required: false })
  provider.redirectAddresses.add(redirectAddress(organization))
})

const { begin, answerFor, finish, signInAs, signedIn } = openidSignInSteps(provider, () => organization)

it('takes the language from the sign-in page only for new accounts', async () => {
  const languageOf = async (person: ProviderPerson, more: Parameters): Promise<unknown> => {
    const attempt = await begin()
    const answer = await finish(attempt, { ...(await answerFor(person, attempt)), ...more })
    const { state } = await signedIn(answer).register()
    return state['user_settings']['default_language']
  }
  expect(await languageOf(ANN, { default_language: 'de' })).toBe('de')
  expect(await languageOf(ANN, { default_language: 'en' })).toBe('de')
  expect(await languageOf(BEN, {})).toBe('en')
})

it('takes the time zone and Enter key setting from the sign-in page only for new accounts', async () => {
  const settingsOf = async (person: ProviderPerson, more: Parameters): Promise<unknown> => {
    const attempt = await begin()
    const answer = await finish(attempt, { ...(await answerFor(person, attempt)), ...more })
    const { state } = await signedIn(answer).register()
    const settings: Readonly<Record<string, unknown>> = state['user_settings']
    return { timezone: settings['timezone'], enter_sends: settings['enter_sends'] }
  }
  const chosen = { timezone: 'Asia/Kolkata', enter_sends: true }
  expect(await settingsOf(ANN, chosen)).toEqual(chosen)
  expect(await settingsOf(ANN, { timezone: 'Europe/Berlin', enter_sends: false })).toEqual(chosen)
  expect(await settingsOf(BEN, {})).toEqual({ timezone: '', enter_sends: false })
  expect(await settingsOf(BEN, chosen)).toEqual({ timezone: '', enter_sends: false })
})

it('takes no name with a link from the identity provider if new members cannot post links', async () => {
  await organization.owner.call('PATCH', '/realm', { newcomer_days: 1 })
  const name = 'Buy at www.example.com'
  const ann = signedIn(await signInAs({ ...ANN, name }))
  expect((await ann.call('GET', '/users/me')).full_name).toBe('ann')
  const refused = await signInAs({ ...BEN, name, email: 'www.example.com@example.org' })
  expect(refused.body['msg']).toBe('Names cannot contain links.')
})

it("welcomes a person who joins via an identity provider, and notifies the invite link's creator", async () => {
  const { owner, user } = organization
  await owner.call('PATCH', '/realm', { invite_required: true })
  const other = await user('Olga Other')
  const { invite_link: link } = await owner.call('POST', '/invites/multiuse', {})
  const attempt = await begin({ token: new URL(link).hash.slice(1) })
  const ann = signedIn(await finish(attempt, { ...(await answerFor(ANN, attempt)), default_language: 'de' }))
  const textsTo = async (reader: TestUser): Promise<string> => {
    const { messages } = await reader.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
    return messages.map(({ content }) => content).join()
  }
  await expect.poll(async () => textsTo(ann)).toContain('Willkommen bei <strong>Acme</strong>, Ann Able.')
  expect(await textsTo(owner)).toMatch(/Ann Able<\/span> accepted your invitation/)
  expect(await textsTo(other)).toBe('')
})
