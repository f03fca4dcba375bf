import { expect } from 'vitest'
import { browserOf, cookiesOf, type TestBrowser } from '../../../testing/browser.ts'
import type { ProviderPerson, TestOpenidProvider } from '../../../testing/openid-provider.ts'
import type { TestOrganization } from '../../../testing/server.ts'
import { callApi, TestUser, type Answer, type Parameters } from '../../../testing/user.ts'

export const PAGE_HEADERS = {
  'sec-fetch-site': 'same-origin',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
}

export function redirectAddress({ host, owner }: TestOrganization): string {
  return `http://${host}:${new URL(owner.url).port}/openid`
}

export interface Attempt {
  readonly cookie: string
  readonly authorizationUrl: string
}

export function openidSignInSteps(provider: TestOpenidProvider, organizationOf: () => TestOrganization) {
  async function ask(
    path: string,
    parameters: Parameters,
    headers: Record<string, string> = PAGE_HEADERS,
  ): Promise<Answer> {
    const { url, host } = organizationOf().owner
    return callApi(url, host, 'POST', path, parameters, { headers })
  }

  async function begin(parameters: Parameters = {}): Promise<Attempt> {
    const answer = await ask('/login/openid/begin', parameters)
    expect([answer.status, answer.body['msg']]).toEqual([200, ''])
    const [value] = String(cookiesOf(answer)['parley-attempt']).split(';')
    return { cookie: `parley-attempt=${value}`, authorizationUrl: String(answer.body['authorization_url']) }
  }

  async function answerFor(person: ProviderPerson | undefined, { authorizationUrl }: Attempt): Promise<Parameters> {
    provider.person = person
    const address = await provider.visit(authorizationUrl)
    expect(address.origin + address.pathname).toBe(redirectAddress(organizationOf()))
    const { error_description: _, ...answer } = Object.fromEntries(address.searchParams)
    return answer
  }

  async function finish({ cookie }: Pick<Attempt, 'cookie'>, answer: Parameters): Promise<Answer> {
    return ask('/login/openid', answer, { ...PAGE_HEADERS, cookie })
  }

  async function signInAs(person: ProviderPerson | undefined, begun: Parameters = {}): Promise<Answer> {
    const attempt = await begin(begun)
    return finish(attempt, await answerFor(person, attempt))
  }

  function expectSignedIn(answer: Answer): TestBrowser {
    expect([answer.status, answer.body['msg']]).toEqual([200, ''])
    const { url, host } = organizationOf().owner
    return browserOf(new TestUser(url, host, '', '', Number(answer.body['user_id'])), answer)
  }

  return { ask, begin, answerFor, finish, signInAs, signedIn: expectSignedIn }
}
