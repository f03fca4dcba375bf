import { afterEach, expect, it } from 'vitest'
import { startWebServer, type WebServer } from '../../testing/web-server.ts'
import { MAX_ANSWER_BYTES, OpenidUnreachable, openOpenidProvider } from './openid.ts'

const running: WebServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (one) => one.close()))
})

const REQUEST = {
  redirectAddress: 'https://chat.example/openid',
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'a'.repeat(43),
}

/** Asks a provider, which says what it is in so many bytes, for the address to which browsers are sent. */
async function addressAt(bytes: number): Promise<string> {
  const site: WebServer = await startWebServer((_, response) => {
    const issuer = `http://127.0.0.1:${site.port}`
    const said = JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      response_types_supported: ['code'],
    })
    response.writeHead(200, { 'content-type': 'application/json' }).end(said.padEnd(bytes, ' '))
  })
  running.push(site)
  const issuer = `http://127.0.0.1:${site.port}`
  const provider = openOpenidProvider({ issuer, clientId: 'id', clientSecret: 'secret', displayName: 'Provider' })
  return provider.addressFor(REQUEST)
}

it('reads no more of what a provider answers than there may be', async () => {
  expect(await addressAt(MAX_ANSWER_BYTES)).toContain('/authorize?')
  await expect(addressAt(MAX_ANSWER_BYTES + 1)).rejects.toThrow(OpenidUnreachable)
})
