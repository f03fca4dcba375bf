import { afterAll, describe, expect, it } from 'vitest'
import { startNameServer, type Answers, type NameServer } from '../../testing/name-server.ts'
import { startWebServer, type TlsIdentity, type WebServer } from '../../testing/web-server.ts'
import { isPublicAddress, readAllowedDestinations } from './addresses.ts'
import { createOutsideClient, type OutsideClient } from './outside.ts'
import { OutsideFailure, type OutsideRequest, type OutsideResponse } from './request.ts'
import { MAX_REDIRECTS } from './send.ts'

const openResources: { close(): unknown }[] = []
afterAll(async () => {
  for (const one of openResources) await one.close()
})

function closeAfterwards<One extends { close(): unknown }>(one: One): One {
  openResources.push(one)
  return one
}

async function webServer(...options: Parameters<typeof startWebServer>): Promise<WebServer> {
  return closeAfterwards(await startWebServer(...options))
}

async function nameServer(names: Readonly<Record<string, Answers>>): Promise<NameServer> {
  return closeAfterwards(await startNameServer(names))
}

function outside(allowed = '', nameServers?: string): OutsideClient {
  return closeAfterwards(
    createOutsideClient({
      allowed: readAllowedDestinations(allowed),
      userAgent: 'Parley/test',
      ...(nameServers === undefined ? {} : { nameServers: [nameServers] }),
    }),
  )
}

const get = (from: OutsideClient, url: string, more: Partial<OutsideRequest> = {}): Promise<OutsideResponse> =>
  from.request({ url, method: 'GET', person: 'somebody', mostSeconds: 20, mostBytes: 1_000, ...more })

async function failureReasonOf(asked: Promise<OutsideResponse>): Promise<unknown> {
  const outcome: unknown = await asked.catch((error: unknown) => error)
  return outcome instanceof OutsideFailure ? outcome.reason : outcome
}

describe('public addresses', () => {
  it.each([
    ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '223.255.255.255'],
    ['2606:4700::1111', '2a00:1450::1', '2003::1', '2620:fe::fe'],
  ])('treats %s and similar addresses as public', (...addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, true])
  })

  it.each([
    ['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
    ['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
    ['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
    ['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
    ['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', 'fc00::1', 'fd12::1'],
    ['fe80::1', 'fe80::1%lo', 'fec0::1', 'ff02::1', '2606:4700::1%lo', '5f00::1', 'chat.example.org', ''],
  ])('treats %s and similar addresses as not public', (...addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
  })
})

describe('allowed destinations', () => {
  it('accepts only host names and networks as allowed destinations', () => {
    const { names, networks } = readAllowedDestinations('Hooks.internal, 10.1.0.0/16,fd00::/8 , 192.0.2.7')
    expect([...names]).toEqual(['hooks.internal'])
    for (const address of ['10.1.2.3', '192.0.2.7']) expect(networks.check(address, 'ipv4')).toBe(true)
    for (const address of ['10.2.0.1', '192.0.2.8']) expect(networks.check(address, 'ipv4')).toBe(false)
    expect(networks.check('fd12::1', 'ipv6')).toBe(true)
    for (const wrong of ['10.1.0.0/33', 'fd00::/129', '10.1', 'http://a', '*', '256.1.1.1', 'a_b', '1.2.3.4/x']) {
      expect(() => readAllowedDestinations(wrong)).toThrow('must be host names and networks')
    }
  })

  it('allows hosts in an allowed network by any name, but an allowed host only by its own name', async () => {
    const server = await webServer((_, response) => response.end('inside'))
    const names = await nameServer({ 'inner.test': [['127.0.0.1']] })
    const network = outside('127.0.0.0/8', names.address)
    for (const host of ['127.0.0.1', 'inner.test', '0x7f.1', '2130706433']) {
      expect((await get(network, `http://${host}:${server.port}/`)).body.toString()).toBe('inside')
    }
    const named = outside('localhost', names.address)
    expect((await get(named, `http://LOCALHOST:${server.port}/`)).body.toString()).toBe('inside')
    for (const host of ['127.0.0.1', 'inner.test']) {
      expect(await failureReasonOf(get(named, `http://${host}:${server.port}/`))).toBe('destination')
    }
    expect(server.received.length).toBe(5)
  })
})

describe('requests to internal hosts', () => {
  it.each([
    ['127.0.0.1'],
    ['localhost'],
    ['2130706433'],
    ['0x7f000001'],
    ['0177.0.0.1'],
    ['127.1'],
    ['127.0.0.1.'],
    ['%31%32%37.0.0.1'],
    ['１２７.0.0.1'],
    ['0.0.0.0'],
    ['0'],
    ['[::1]'],
    ['[::]'],
    ['[::ffff:127.0.0.1]'],
    ['[::ffff:7f00:1]'],
    ['[0:0:0:0:0:ffff:127.0.0.1]'],
    ['[64:ff9b::127.0.0.1]'],
  ])('rejects an internal address in any spelling: %s', async (host) => {
    const server = await webServer((_, response) => response.end())
    expect(await failureReasonOf(get(outside(), `http://${host}:${server.port}/`))).toBe('destination')
    expect(server.received).toEqual([])
  })

  it('gives the same error for host names with internal addresses and for unknown host names', async () => {
    const server = await webServer((_, response) => response.end())
    const names = await nameServer({
      'four.test': [['127.0.0.1']],
      'six.test': [['::1']],
      'mapped.test': [['::ffff:127.0.0.1']],
      'both.test': [['93.184.216.34', '127.0.0.1']],
      'mixed.test': [['93.184.216.34', 'fd00::1']],
      'none.test': [[]],
    })
    const refusals = new Set<string>()
    for (const name of ['four', 'six', 'mapped', 'both', 'mixed', 'none', 'unknown']) {
      const asked = get(outside('', names.address), `http://${name}.test:${server.port}/`)
      const error: unknown = await asked.catch((failure: unknown) => failure)
      refusals.add(error instanceof OutsideFailure ? `${error.reason}: ${error.message}` : String(error))
    }
    expect([...refusals]).toEqual(['destination: the address does not lead to a server on the internet'])
    expect(server.received).toEqual([])
  })

  it('resolves a name once per request and connects to the checked address', async () => {
    const server = await webServer((_, response) => response.end('checked'))
    const names = await nameServer({ 'turning.test': [['127.0.0.1'], ['10.0.0.1']] })
    const asking = outside('127.0.0.1', names.address)
    const url = `http://turning.test:${server.port}/`
    expect((await get(asking, url)).body.toString()).toBe('checked')
    expect(names.asked('turning.test')).toBe(1)
    expect(server.received[0]?.headers.host).toBe(`turning.test:${server.port}`)
    expect(await failureReasonOf(get(asking, url))).toBe('destination')
    expect(names.asked('turning.test')).toBe(2)
    expect(server.received.length).toBe(1)
  })

  it('rejects redirects to internal hosts, to other schemes, and to URLs with credentials', async () => {
    const secret = await webServer((_, response) => response.end('secret'))
    const places: Record<string, string> = {
      '/address': `http://127.0.0.1:${secret.port}/`,
      '/decimal': `http://2130706433:${secret.port}/`,
      '/six': `http://[::ffff:127.0.0.1]:${secret.port}/`,
      '/name': `http://inner.test:${secret.port}/`,
      '/twice': '/address',
      '/file': 'file:///etc/passwd',
      '/credentials': `http://me:it@localhost:${secret.port}/`,
      '/malformed': 'http://[',
    }
    const leading = await webServer(({ path }, response) => {
      response.writeHead(302, { location: places[path] ?? '' }).end()
    })
    const names = await nameServer({ 'inner.test': [['127.0.0.1']] })
    const asking = outside('localhost', names.address)
    const outcomes: Record<string, unknown> = {}
    for (const path of Object.keys(places))
      outcomes[path] = await failureReasonOf(get(asking, `http://localhost:${leading.port}${path}`))
    expect(outcomes).toEqual({
      '/address': 'destination',
      '/decimal': 'destination',
      '/six': 'destination',
      '/name': 'destination',
      '/twice': 'destination',
      '/file': 'url',
      '/credentials': 'url',
      '/malformed': 'redirect',
    })
    expect(secret.received).toEqual([])
  })

  it('rejects URLs with a scheme other than http or https', async () => {
    for (const url of [
      'file:///etc/passwd',
      'ftp://a.test/',
      'data:text/plain,a',
      'gopher://a.test',
      '/path',
      '',
      'http://',
    ]) {
      expect(await failureReasonOf(get(outside(), url))).toBe('url')
    }
    expect(await failureReasonOf(get(outside(), 'http://name:word@a.test/'))).toBe('url')
    expect(await failureReasonOf(get(outside(), `http://a.test/${'a'.repeat(2_000)}`))).toBe('url')
  })
})

describe('redirects', () => {
  it('follows a limited number of redirects and resends a POST only for 307', async () => {
    const server: WebServer = await webServer(({ path }, response) => {
      const [, status = '', left = ''] = path.split('/')
      if (Number(left) === 0) response.end('there')
      else response.writeHead(Number(status), { location: `/${status}/${Number(left) - 1}` }).end()
    })
    const asking = outside('localhost')
    const url = `http://localhost:${server.port}`
    expect(await get(asking, `${url}/302/${MAX_REDIRECTS}`)).toMatchObject({ status: 200, url: `${url}/302/0` })
    expect(await failureReasonOf(get(asking, `${url}/302/${MAX_REDIRECTS + 1}`))).toBe('redirect')
    server.received.length = 0
    await get(asking, `${url}/307/1`, { method: 'POST', body: 'said' })
    expect(server.received.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'said'],
      ['POST', 'said'],
    ])
    // Other redirect codes would turn the request into a GET.
    expect(await get(asking, `${url}/302/1`, { method: 'POST', body: 'said' })).toMatchObject({ status: 302 })
  })
})

describe('responses', () => {
  it('returns status, headers, and body of a response', async () => {
    const server = await webServer((_, response) => response.writeHead(418, { 'x-one': ['a', 'b'] }).end('Grüße'))
    const url = `http://localhost:${server.port}/path?query`
    const response = await get(outside('localhost'), url, { headers: { accept: 'text/plain' } })
    expect(response).toMatchObject({ url, status: 418, body: Buffer.from('Grüße') })
    expect(response.headers['x-one']).toContain('a')
    const [received] = server.received
    expect(received).toMatchObject({ method: 'GET', path: '/path?query' })
    expect(received?.headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'Parley/test' })
  })

  it('rejects a response that is compressed or exceeds the size limit, with or without a declared length', async () => {
    const server = await webServer(({ path }, response) => {
      if (path === '/told') response.writeHead(200, { 'content-length': '1001' })
      if (path === '/exact') response.writeHead(200, { 'content-length': '1000' })
      if (path === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' })
      response.write('a'.repeat(1_000))
      response.end(path === '/exact' || path === '/gzip' ? '' : 'b')
    })
    const at = async (path: string): Promise<unknown> =>
      failureReasonOf(get(outside('localhost'), `http://localhost:${server.port}${path}`))
    for (const path of ['/told', '/untold', '/gzip']) expect(await at(path)).toBe('answer')
    expect(await at('/exact')).toMatchObject({ status: 200 })
  })

  it('times out while waiting for headers, the rest of a body, or the target of a redirect', async () => {
    const server = await webServer(({ path }, response) => {
      if (path === '/body') response.write('a')
      if (path === '/led') response.writeHead(302, { location: '/silent' }).end()
    })
    for (const path of ['/silent', '/body', '/led']) {
      const asked = get(outside('localhost'), `http://localhost:${server.port}${path}`, { mostSeconds: 1 })
      expect(await failureReasonOf(asked)).toBe('time')
    }
  })

  it('cancels pending requests and sends no more requests when the server stops', async () => {
    let arrived: () => void = () => undefined
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const server = await webServer(() => arrived())
    const stopping = outside('localhost')
    const url = `http://localhost:${server.port}/`
    const asked = failureReasonOf(get(stopping, url))
    await arrival
    stopping.close()
    expect(await asked).toBe('closing')
    expect(await failureReasonOf(get(stopping, url))).toBe('closing')
    expect(server.received.length).toBe(1)
  })

  it('reports a connection that the host refused', async () => {
    const server = await startWebServer(() => undefined)
    await server.close()
    expect(await failureReasonOf(get(outside('localhost'), `http://localhost:${server.port}/`))).toBe('connection')
  })
})

describe('encrypted connections', () => {
  it('verifies that the certificate is trusted and matches the requested host name', async () => {
    const server = await webServer((_, response) => response.end('encrypted'), SECURE_TEST)
    const names = await nameServer({ 'secure.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] })
    const options = {
      allowed: readAllowedDestinations('127.0.0.1'),
      userAgent: 'Parley/test',
      nameServers: [names.address],
    }
    const trusting = closeAfterwards(createOutsideClient({ ...options, certificates: SECURE_TEST.cert }))
    expect((await get(trusting, `https://secure.test:${server.port}/`)).body.toString()).toBe('encrypted')
    expect(await failureReasonOf(get(trusting, `https://other.test:${server.port}/`))).toBe('connection')
    expect(
      await failureReasonOf(get(closeAfterwards(createOutsideClient(options)), `https://secure.test:${server.port}/`)),
    ).toBe('connection')
    expect(server.received.length).toBe(1)
  })

  it('rejects a redirect from https to http', async () => {
    const server: WebServer = await webServer(
      (_, response) => response.writeHead(307, { location: `http://secure.test:${server.port}/` }).end(),
      SECURE_TEST,
    )
    const names = await nameServer({ 'secure.test': [['127.0.0.1']] })
    const allowed = readAllowedDestinations('127.0.0.1')
    const certificates = SECURE_TEST.cert
    const asking = closeAfterwards(
      createOutsideClient({ allowed, userAgent: 'Parley/test', nameServers: [names.address], certificates }),
    )
    expect(await failureReasonOf(get(asking, `https://secure.test:${server.port}/`))).toBe('redirect')
  })
})

/** Certificate for secure.test only. */
const SECURE_TEST: TlsIdentity = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLU4AfOrBtm9r/+yq
Cmcy1NyGuxk9D1HIPC7W9uBJbEuhRANCAATzuP3DvkYV1S+/bQdEEAlC4BN9zCvS
QK1R4+ygRu1afZsJaubPM4akAXkM4/DGnk4HIbbmv/xaxZn+cOPeZ9Ra
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCAT2gAwIBAgIUKqT5LIVwFzYavu5cK5C9G5CubRYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJY2hhdC50ZXN0MCAXDTI2MTEyNTE4MDcxNFoYDzIxMjYxMTAx
MTgwNzE0WjAUMRIwEAYDVQQDDAljaGF0LnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATzuP3DvkYV1S+/bQdEEAlC4BN9zCvSQK1R4+ygRu1afZsJaubPM4ak
AXkM4/DGnk4HIbbmv/xaxZn+cOPeZ9Rao2swaTAdBgNVHQ4EFgQU7I9Mml3gyzS8
NSJQSoEcYoxmskkwHwYDVR0jBBgwFoAU7I9Mml3gyzS8NSJQSoEcYoxmskkwDwYD
VR0TAQH/BAUwAwEB/zAWBgNVHREEDzANggtzZWN1cmUudGVzdDAKBggqhkjOPQQD
AgNHADBEAiAistujrXTD46FAveqNoJG6BRg99z/g6lkQ1WSc9InNVQIgJZ33IAV/
Zz45cX7vUii9Py8a7ndJ+fAO6i59c2kPpn4=
-----END CERTIFICATE-----`,
}
