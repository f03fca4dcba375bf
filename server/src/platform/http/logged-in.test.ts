import { expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import { samplePath, samplesFor } from '../../testing/samples.ts'
import { useTestServer } from '../../testing/server.ts'
import { basic, callApi } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: 'on' })

const PUBLIC_ENDPOINTS = [
  'GET /join/organization',
  'GET /registrations/challenge',
  'GET /server_settings',
  'POST /dev_fetch_api_key',
  'POST /email/confirm',
  'POST /fetch_api_key',
  'POST /join',
  'POST /join/invitation',
  'POST /login',
  'POST /login/openid',
  'POST /login/openid/begin',
  'POST /login/passkey',
  'POST /login/passkey/begin',
  'POST /login/second_factor',
  'POST /login/second_factor/setup',
  'POST /login/second_factor/setup/confirm',
  'POST /login_link',
  'POST /password_strength',
  'POST /password_reset',
  'POST /password_reset/confirm',
  'POST /register',
  'POST /registrations',
  'POST /setup',
  'POST /setup/link',
  'POST /unsubscribe',
]

it('requires authentication at every endpoint outside an explicit list', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const samples = await samplesFor(organization)
  const look = await watch({ owner })
  const endpoints = capabilities.flatMap(({ routes }) => routes.map((route) => route.endpoint))
  const closed = endpoints.filter(({ method, path }) => !PUBLIC_ENDPOINTS.includes(`${method} ${path}`))
  expect(endpoints.length - closed.length).toBe(PUBLIC_ENDPOINTS.length)
  for (const endpoint of closed) {
    const { path, query } = samplePath(endpoint, samples)
    const parameters = Object.fromEntries(query)
    for (const [authorization, code] of [
      [undefined, 'UNAUTHENTICATED_USER'],
      [basic(owner.email, 'wrong'), 'INVALID_API_KEY'],
    ] as const) {
      const headers = authorization === undefined ? {} : { authorization }
      const { status, body } = await callApi(owner.url, owner.host, endpoint.method, path, parameters, { headers })
      expect([endpoint.id, status, body['code']]).toEqual([endpoint.id, 401, code])
    }
  }
  expect(await look()).toEqual({ owner: [] })
})
