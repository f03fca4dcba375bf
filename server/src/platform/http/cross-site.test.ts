import { expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import { samplePath, samplesFor } from '../../testing/samples.ts'
import { useTestServer } from '../../testing/server.ts'
import { basic, callApi, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function codeOf(user: TestUser, headers: Record<string, string>): Promise<unknown[]> {
  const sent = { headers: { authorization: basic(user.email, user.apiKey), ...headers } }
  const { status, body } = await callApi(user.url, user.host, 'PATCH', '/settings', { enter_sends: true }, sent)
  return [status, body['code']]
}

it('rejects requests from a page of another site only if they change data', async () => {
  const { owner } = await server().organization()
  const refused = [403, 'CSRF_FAILED']
  for (const site of ['cross-site', 'same-site'])
    expect(await codeOf(owner, { 'sec-fetch-site': site })).toEqual(refused)
  for (const origin of ['https://evil.example', 'null', `http://${owner.host}:1`, `http://x.${owner.host}`]) {
    expect([origin, ...(await codeOf(owner, { origin }))]).toEqual([origin, ...refused])
  }
  const taken = [200, undefined]
  for (const site of ['same-origin', 'none']) expect(await codeOf(owner, { 'sec-fetch-site': site })).toEqual(taken)
  expect(await codeOf(owner, { origin: `https://${owner.host.toUpperCase()}` })).toEqual(taken)
  expect(await codeOf(owner, {})).toEqual(taken)
})

it('rejects a cross-site request at every endpoint that changes data', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const samples = await samplesFor(organization)
  const look = await watch({ owner })
  const endpoints = capabilities.flatMap(({ routes }) => routes.map((route) => route.endpoint))
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const { path, query } = samplePath(endpoint, samples)
    const headers = { authorization: basic(owner.email, owner.apiKey), 'sec-fetch-site': 'cross-site' }
    const parameters = Object.fromEntries(query)
    const { status, body } = await callApi(owner.url, owner.host, endpoint.method, path, parameters, { headers })
    expect([endpoint.id, status, body['code']]).toEqual([endpoint.id, 403, 'CSRF_FAILED'])
  }
  expect(await look()).toEqual({ owner: [] })
})

it('forbids caching of API responses', async () => {
  const { owner } = await server().organization()
  for (const [method, path] of [
    ['GET', '/users/me'],
    ['POST', '/register'],
    ['GET', '/nothing'],
    ['GET', '/server_settings'],
  ] as const) {
    const { headers } = await owner.try(method, path)
    expect([path, headers['cache-control']]).toEqual([path, 'no-store'])
  }
})
