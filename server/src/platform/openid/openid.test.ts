import { afterEach, expect, it } from 'vitest'
import { textWith } from '../../testing/expected.ts'
import { useOpenidProvider, type TestOpenidProvider } from '../../testing/openid-provider.ts'
import { startWebServer, type WebServer } from '../../testing/web-server.ts'
import { MAX_ANSWER_BYTES, OpenidRefusedError, OpenidUnreachableError, openOpenidProvider } from './openid.ts'

const ownProvider = await useOpenidProvider()
const foreignProvider = await useOpenidProvider()

const runningServers: WebServer[] = []
afterEach(async () => {
  await Promise.all(runningServers.splice(0).map(async (one) => one.close()))
})

const REQUEST = {
  redirectAddress: 'https://chat.example/openid',
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'a'.repeat(43),
}

/** Gets a sign-in URL from a provider whose metadata has the given length. */
async function signInUrlAfterMetadata(bytes: number): Promise<string> {
  const site: WebServer = await startWebServer((_, response) => {
    const issuer = `http://127.0.0.1:${site.port}`
    const said = JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      response_types_supported: ['code'],
    })
    response.writeHead(200, { 'content-type': 'application/json' }).end(said.padEnd(bytes, ' '))
  })
  runningServers.push(site)
  const issuer = `http://127.0.0.1:${site.port}`
  return openProvider(issuer).provider.addressFor(REQUEST)
}

function openProvider(issuer: string, secret = 'secret') {
  const lines: [details: object, message: string][] = []
  const settings = { issuer, clientId: 'parley', clientSecret: secret, displayName: 'Provider', trustsEmail: false }
  const provider = openOpenidProvider(settings, { warn: (...line) => void lines.push(line) })
  return { provider, lines }
}

function createAnswer({ issuer }: TestOpenidProvider) {
  return { state: REQUEST.state, code: 'a code that nobody else may see', iss: issuer }
}

it('rejects provider responses above the size limit', async () => {
  expect(await signInUrlAfterMetadata(MAX_ANSWER_BYTES)).toContain('/authorize?')
  await expect(signInUrlAfterMetadata(MAX_ANSWER_BYTES + 1)).rejects.toThrow(OpenidUnreachableError)
})

it('rejects a response from another provider and logs one line without secrets', async () => {
  const { provider, lines } = openProvider(ownProvider.issuer)
  await expect(provider.identityOf(REQUEST, createAnswer(foreignProvider))).rejects.toThrow(OpenidRefusedError)
  expect(lines).toEqual([
    [
      { reason: textWith('unexpected "iss" (issuer) response parameter value') },
      'identity provider did not confirm a sign-in',
    ],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/a code that|state|\n|\\n/)
})

it('logs a rejection by the provider in one line with the protocol error', async () => {
  const { provider, lines } = openProvider(ownProvider.issuer, ownProvider.environment['PARLEY_OIDC_CLIENT_SECRET'])
  await expect(provider.identityOf(REQUEST, createAnswer(ownProvider))).rejects.toThrow(OpenidRefusedError)
  expect(lines).toEqual([[{ reason: textWith('(invalid_grant)') }, 'identity provider did not confirm a sign-in']])
  expect(JSON.stringify(lines)).not.toMatch(/a code that|\n|\\n/)
})
