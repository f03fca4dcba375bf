/* Servers that use TLS with a NATS server whose certificate comes from a private CA. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Random } from '../server/src/testing/random.ts'
import { NatsServer, hasNatsServer } from '../server/src/testing/nats-server.ts'
import { startTestServer } from '../server/src/testing/server.ts'
import { TestUser } from '../server/src/testing/user.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import { ServerProcess, databaseUrl } from './crash/server-process.ts'

const METRICS_TOKEN = 'a-token-of-the-metrics'
const TIMEOUT_MILLISECONDS = 120_000

it.skipIf(!hasNatsServer)(
  'connects to an encrypted bus if its CA is trusted, and keeps serving without the bus if not',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-authority-'))
    onTestFinished(async () => rm(folder, { recursive: true, force: true }))
    const files = Object.entries({ 'authority.pem': AUTHORITY, 'bus.pem': CERTIFICATE, 'bus.key': KEY })
    for (const [name, text] of files) await writeFile(join(folder, name), text)
    const [certificate, key] = [join(folder, 'bus.pem'), join(folder, 'bus.key')]
    const nats = await NatsServer.start('--tls', '--tlscert', certificate, '--tlskey', key)
    onTestFinished(async () => nats.kill())
    const here = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
    onTestFinished(async () => here.close())
    const { owner, user } = await here.organization('Shared', { stringId: '' })
    const reader = await user('Rita Reader')
    const start = async (url: string, more: Readonly<Record<string, string>>): Promise<ServerProcess> => {
      const own = { DATABASE_URL: databaseUrl(here.database), BUS_URL: url, PARLEY_METRICS_TOKEN: METRICS_TOKEN }
      const node = await ServerProcess.start({ PARLEY_LOG_LEVEL: 'silent', ...own, ...more })
      onTestFinished(async () => node.close())
      const patience = { random: new Random(1), over: AbortSignal.timeout(TIMEOUT_MILLISECONDS) }
      await retryUntilSuccess(userAt(node, owner), 'GET', '/users/me', {}, patience)
      return node
    }
    const knowing = { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') }
    const insisting = await start(nats.url.replace('nats:', 'tls:'), knowing)
    // The NATS server announces that it requires TLS.
    const following = await start(nats.url, knowing)
    const ignorant = await start(nats.url.replace('nats:', 'tls:'), {})
    await expect.poll(async () => isConnected(insisting)).toBe(true)
    await expect.poll(async () => isConnected(following)).toBe(true)
    expect(await isConnected(ignorant)).toBe(false)

    // Only the bus transports typing notifications.
    for (const [one, other] of [
      [insisting, following],
      [following, insisting],
    ] as const) {
      const queue = await userAt(other, reader).register({ event_types: ['typing'] })
      await userAt(one, owner).call('POST', '/typing', { op: 'start', to: [reader.id] })
      expect(await queue.next()).toMatchObject([{ type: 'typing', op: 'start' }])
    }
    const queue = await userAt(ignorant, reader).register({ event_types: ['message'] })
    const id = await userAt(insisting, owner).sendTo([reader.id], 'Without a bus')
    expect(await queue.next()).toMatchObject([{ message: { id } }])
    for (const node of [insisting, following, ignorant]) expect(node.accidents).toEqual([])
  },
  TIMEOUT_MILLISECONDS,
)

function userAt({ url }: ServerProcess, { host, email, apiKey, id }: TestUser): TestUser {
  return new TestUser(url, host, email, apiKey, id)
}

async function isConnected({ url }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return /^parley_bus_connected 1$/m.test(await answer.text())
}

/** Private CA of this test. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBkDCCATegAwIBAgIUZDamuHM9S3s3H5L986izUhVqLk4wCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSQXV0aG9yaXR5IG9mIHRlc3RzMCAXDTI2MTEyNjEyMDM0MloY
DzIxMjYxMTAyMTIwMzQyWjAdMRswGQYDVQQDDBJBdXRob3JpdHkgb2YgdGVzdHMw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATEx8Xc8X/3Av7+zGeQEIoJx/cp1Z0L
ZHw1tXBrytig+fA2/doE9s54hHAsHXtMNdlBDxAygkl4G11IsyzSzy/lo1MwUTAd
BgNVHQ4EFgQUr6p2h6eXv/4HDt7i2X37oj5hgQAwHwYDVR0jBBgwFoAUr6p2h6eX
v/4HDt7i2X37oj5hgQAwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBE
AiBv3TsWdZd+523yvPo08ERs45YFXTvfhu71ue3OVGc7pgIgG5MIi3ubsKp1rvRp
kpBabiPk8+Oo8A1Q8N42Yh1dwUU=
-----END CERTIFICATE-----`

/** Certificate for 127.0.0.1, issued by this CA. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIURRI1MAzG/1FE2AqWVDRhCAwqlYowCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSQXV0aG9yaXR5IG9mIHRlc3RzMCAXDTI2MTEyNjEyMDM0MloY
DzIxMjYxMTAyMTIwMzQyWjAOMQwwCgYDVQQDDANidXMwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAASJoXMOcXB0mcB5vn82ovOvStbBEW8F/f4TlFHN8qrR771PjgjA
12+C089BEe5v+FRdE0lBRmUjKC7xccYEJTIco34wfDAaBgNVHREEEzARhwR/AAAB
gglsb2NhbGhvc3QwEwYDVR0lBAwwCgYIKwYBBQUHAwEwCQYDVR0TBAIwADAdBgNV
HQ4EFgQUQ3/57zJWf0tnodmvp1fKHxCr5A0wHwYDVR0jBBgwFoAUr6p2h6eXv/4H
Dt7i2X37oj5hgQAwCgYIKoZIzj0EAwIDSAAwRQIgRPxNAADVQb9eTe/MdetHC+JG
VeSZ0cSSIn59ueEnZ/YCIQDVF+uu+/arrWvzY3m3EJQd3IQaMoCFWY2U0AZv7Vw8
YA==
-----END CERTIFICATE-----`

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWCOAi0Xw52p0GqfT
HYsgfGxeyy7z3foqQxz3NojANy6hRANCAASJoXMOcXB0mcB5vn82ovOvStbBEW8F
/f4TlFHN8qrR771PjgjA12+C089BEe5v+FRdE0lBRmUjKC7xccYEJTIc
-----END PRIVATE KEY-----`
