import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { errors, Provider } from 'oidc-provider'
import { afterAll } from 'vitest'
import { portOf } from './free-port.ts'

export interface ProviderPerson {
  readonly subject: string
  readonly email?: string | undefined
  readonly email_verified?: boolean | string | undefined
  readonly name?: string | undefined
}

/** A real provider that signs in the person chosen by the test, without interaction. */
export interface TestOpenidProvider {
  readonly issuer: string
  readonly environment: Readonly<Record<string, string>>
  readonly redirectAddresses: Set<string>
  /** Person to sign in; undefined cancels the sign-in. */
  person: ProviderPerson | undefined
  /**
   * Follows the provider's pages.
   * @returns the final redirect
   */
  visit(authorizationUrl: string): Promise<URL>
}

const CLIENT_ID = 'parley'
const CLIENT_SECRET = 'a secret of the two servers'

/** @param conformIdTokenClaims whether address and name are only available from the `userinfo` endpoint */
export async function useOpenidProvider(conformIdTokenClaims = true): Promise<TestOpenidProvider> {
  const people = new Map<string, ProviderPerson>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: ['https://chat.example.org/openid'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    conformIdTokenClaims,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => {
        const { subject: sub, ...claims } = people.get(subject) ?? { subject }
        return { sub, ...claims }
      },
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the provider alone'] },
  })
  const test: TestOpenidProvider = {
    issuer,
    environment: {
      PARLEY_OIDC_ISSUER: issuer,
      PARLEY_OIDC_CLIENT_ID: CLIENT_ID,
      PARLEY_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      PARLEY_OIDC_NAME: 'Acme Login',
    },
    redirectAddresses: new Set(),
    person: undefined,
    visit: followRedirects,
  }
  // Organizations have their own addresses, which are unknown when the provider starts.
  provider.Client.prototype.redirectUriAllowed = (address: string) => test.redirectAddresses.has(address)
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { person } = test
    if (person !== undefined) people.set(person.subject, person)
    void (request.url?.startsWith('/interaction/') === true
      ? finishSignIn(provider, person, request, response)
      : answer(request, response))
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  return test
}

async function finishSignIn(
  provider: Provider,
  person: ProviderPerson | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (person === undefined) {
    const { error, error_description } = new errors.AccessDenied('stopped by the person')
    await provider.interactionFinished(request, response, { error, error_description })
    return
  }
  const grant = new provider.Grant({ accountId: person.subject, clientId: CLIENT_ID })
  grant.addOIDCScope('openid email profile')
  const grantId = await grant.save()
  await provider.interactionFinished(request, response, { login: { accountId: person.subject }, consent: { grantId } })
}

const MAX_REDIRECTS = 10

async function followRedirects(authorizationUrl: string): Promise<URL> {
  const { origin } = new URL(authorizationUrl)
  const cookies = new Map<string, string>()
  let address = new URL(authorizationUrl)
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const given of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answers ${response.status}: ${await response.text()}`)
    address = new URL(location, address)
    if (address.origin !== origin) return address
  }
  throw new Error('the provider redirects in a circle')
}
