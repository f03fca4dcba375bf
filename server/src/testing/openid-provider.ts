import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors, Provider } from 'oidc-provider'
import { afterAll } from 'vitest'

/** A person, as the provider knows them. */
export interface ProviderPerson {
  /** What the provider calls them, now and forever. */
  readonly subject: string
  readonly email?: string | undefined
  readonly email_verified?: boolean | string | undefined
  readonly name?: string | undefined
}

/** A real identity provider, which signs in whoever the test says, and asks nobody anything. */
export interface TestOpenidProvider {
  readonly issuer: string
  /** What a server has to know of it. */
  readonly environment: Readonly<Record<string, string>>
  /** Redirect addresses that are registered with it; no others are sent anything. */
  readonly redirectAddresses: Set<string>
  /** Who signs in from now on; undefined for somebody who stops on the way. */
  person: ProviderPerson | undefined
  /** Goes through the provider's pages as a browser does that was never there. @returns where it is sent back to */
  visit(authorizationUrl: string): Promise<URL>
}

const CLIENT_ID = 'parley'
const CLIENT_SECRET = 'a secret of the two servers'

/** Starts an identity provider for the tests of a file. */
/** @param conformIdTokenClaims whether it tells address and name at the `userinfo` endpoint alone, as the specification wants it */
export async function useOpenidProvider(conformIdTokenClaims = true): Promise<TestOpenidProvider> {
  const people = new Map<string, ProviderPerson>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo
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
    visit,
  }
  // Organizations have addresses of their own, which are not known when the provider starts.
  provider.Client.prototype.redirectUriAllowed = (address: string) => test.redirectAddresses.has(address)
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { person } = test
    if (person !== undefined) people.set(person.subject, person)
    void (request.url?.startsWith('/interaction/') === true
      ? finish(provider, person, request, response)
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

/** Does at once what people do on the provider's pages. */
async function finish(
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

/** More redirects than these go in a circle. */
const MAX_REDIRECTS = 10

async function visit(authorizationUrl: string): Promise<URL> {
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
