import { request } from 'node:http'
import { makeLoginLink, type LoginLinkTerms } from '../capabilities/sessions/actions/index.ts'
import { userById } from '../capabilities/users/queries/index.ts'
import { parleyAt } from './server.ts'
import { askedRegistration, callApi, TestUser, type Answer, type Parameters } from './user.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

export class TestBrowser extends TestUser {
  readonly cookie: string

  constructor(user: TestUser, cookie: string) {
    super(user.url, user.host, user.email, user.apiKey, user.id)
    this.cookie = cookie
  }

  get headers(): Record<string, string> {
    return { cookie: this.cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'user-agent': FIREFOX }
  }

  protected override async exchange(method: string, path: string, parameters: Parameters): Promise<Answer> {
    return this.sends(this.headers, method, path, parameters)
  }

  async sends(
    headers: Record<string, string>,
    method: string,
    path: string,
    parameters: Parameters = {},
  ): Promise<Answer> {
    return callApi(this.url, this.host, method, path, parameters, { headers, asked: askedRegistration(parameters) })
  }

  async session(): Promise<number> {
    const { sessions } = await this.call('GET', '/sessions')
    return Number(sessions.find(({ is_current }) => is_current)?.id)
  }

  async fetches(path: string, headers: Record<string, string> = this.headers): Promise<FetchedPage> {
    return new Promise((resolve, reject) => {
      request(this.url + path, { headers: { host: this.host, ...headers } }, (response) => {
        response.resume()
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
      })
        .on('error', reject)
        .end()
    })
  }
}

type FetchedPage = Pick<Answer, 'status' | 'headers'>

export function cookiesOf({ headers }: Pick<Answer, 'headers'>): Readonly<Record<string, string>> {
  const given = headers['set-cookie'] ?? []
  return Object.fromEntries(
    (typeof given === 'string' ? [given] : given).map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return [name, value.join('=')]
    }),
  )
}

/** @throws Error if the answer does not sign in a person */
export function browserOf(user: TestUser, answer: Answer): TestBrowser {
  const [cookie] = Object.entries(cookiesOf(answer))
  if (answer.status !== 200 || cookie === undefined) throw new Error(`did not sign in: ${JSON.stringify(answer.body)}`)
  const [name, value] = cookie
  return new TestBrowser(user, `${name}=${value.split(';')[0]}`)
}

export async function createLoginLink(user: TestUser, terms: LoginLinkTerms = { seconds: 60 }): Promise<string> {
  return parleyAt(user.url).useLogAt(user.host, async (log) => {
    if (log === undefined) throw new Error(`no organization at ${user.host}`)
    const row = userById(log.organization, user.id)
    if (row === undefined) throw new Error(`no user ${user.id}`)
    return log.write((tx) => makeLoginLink(tx, row, terms))
  })
}

export async function followLink(user: TestUser, userAgent = FIREFOX): Promise<Answer> {
  const token = await createLoginLink(user)
  const headers = { 'user-agent': userAgent, 'sec-fetch-site': 'same-origin' }
  return callApi(user.url, user.host, 'POST', '/login_link', { token }, { headers })
}

export async function signIn(user: TestUser): Promise<TestBrowser> {
  return browserOf(user, await followLink(user))
}

/** Returns `OK`, or the error code and whether the answer clears a cookie. */
export async function errorCodeOf(answer: Promise<Answer>): Promise<unknown> {
  const { status, body, headers } = await answer
  if (status === 200) return 'OK'
  return headers['set-cookie'] === undefined ? body['code'] : `${String(body['code'])}, cleared`
}
