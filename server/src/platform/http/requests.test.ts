import { beforeAll, describe, expect, it, vi } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import {
  sendRequest,
  BOUNDARY,
  sendAndDisconnect,
  ENCODINGS,
  exchangeBytes,
  expectRefusal,
  MULTIPART,
  multipart,
} from '../../testing/requests.ts'
import type { Samples } from '../../testing/capability-samples.ts'
import { samplePath, samplesFor } from '../../testing/samples.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, type TestUser } from '../../testing/user.ts'

const server = useTestServer()
let organization: TestOrganization
let owner: TestUser
let samples: Samples

beforeAll(async () => {
  organization = await server().organization()
  owner = organization.owner
  samples = await samplesFor(organization)
})

const message = { type: 'stream', to: 'general', topic: 'hello', content: 'x' }

describe('request bodies', () => {
  it.each([
    ['the last boundary is missing', multipart(message, '')],
    ['it ends in a header', `--${BOUNDARY}\r\ncontent-disposition: form-da`],
    ['it ends in a value', `--${BOUNDARY}\r\ncontent-disposition: form-data; name="type"\r\n\r\nstre`],
    ['it ends in a file', `--${BOUNDARY}\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\nstre`],
    ['it is not multipart', 'type=stream'],
    ['a part has no name', multipart(message).replace('name="type"', 'x="y"')],
  ])('rejects a multipart body when %s', async (_name, body) => {
    expectRefusal(await sendRequest(owner, 'POST', '/messages', { type: MULTIPART, body }), 'BAD_REQUEST')
  })

  it('rejects a multipart body that ends early and keeps serving', async () => {
    const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\nfile\r\n`
    const whole = file + multipart(message, `--${BOUNDARY}--`)
    for (let length = 7; length < whole.length; length += 7) {
      const answer = await sendRequest(owner, 'POST', '/messages', { type: MULTIPART, body: whole.slice(0, length) })
      expectRefusal(answer, 'BAD_REQUEST')
    }
    expect((await sendRequest(owner, 'POST', '/messages', { type: MULTIPART, body: whole })).status).toBe(200)
  })

  it('rejects a multipart body without a boundary', async () => {
    const body = multipart(message)
    expectRefusal(await sendRequest(owner, 'POST', '/messages', { type: 'multipart/form-data', body }), 'BAD_REQUEST')
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'multipart/form-data; boundary=', body }),
      'BAD_REQUEST',
    )
  })

  it.each(['{', '[1]', '"text"', '1', '{"type":}', "{'type':1}"])(
    'rejects a JSON body that is not an object: %s',
    async (body) => {
      expectRefusal(await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body }), 'INVALID_JSON')
    },
  )

  it('reads bodies that start with a byte order mark, and treats a null body as no parameters', async () => {
    const form = new URLSearchParams(message).toString()
    for (const [type, body] of [
      ['application/json', JSON.stringify(message)],
      ['application/json; charset=utf-8', JSON.stringify(message)],
      ['application/x-www-form-urlencoded', form],
    ] as const) {
      expect((await sendRequest(owner, 'POST', '/messages', { type, body: `\uFEFF${body}` })).status).toBe(200)
    }
    const type = 'application/json'
    expect((await sendRequest(owner, 'POST', '/register', { type, body: 'null' })).status).toBe(200)
    expectRefusal(await sendRequest(owner, 'POST', '/messages', { type, body: 'null' }), 'REQUEST_VARIABLE_MISSING')
    expectRefusal(await sendRequest(owner, 'POST', '/messages', { type, body: '\uFEFF\uFEFF{}' }), 'INVALID_JSON')
  })

  it.each(['text/plain', 'application/xml', 'multipart/mixed; boundary=x', 'application/octet-stream', 'x', '/'])(
    'rejects a body of type %s',
    async (type) => {
      expectRefusal(await sendRequest(owner, 'POST', '/messages', { type, body: 'type=stream' }), 'BAD_REQUEST')
    },
  )

  it('rejects a body without a content type', async () => {
    const { status, body } = await exchangeBytes(
      owner.url,
      `POST /api/v1/messages HTTP/1.1\r\nhost: ${owner.host}\r\nauthorization: ${basic(owner.email, owner.apiKey)}\r\n` +
        'content-length: 3\r\nconnection: close\r\n\r\na=b',
    )
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  })

  it('treats an empty body as no parameters', async () => {
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'application/x-www-form-urlencoded', body: '' }),
      'REQUEST_VARIABLE_MISSING',
    )
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: 'application/json', body: '' }),
      'REQUEST_VARIABLE_MISSING',
    )
    expectRefusal(
      await sendRequest(owner, 'POST', '/messages', { type: MULTIPART, body: '' }),
      'REQUEST_VARIABLE_MISSING',
    )
  })

  it.each(['form', 'multipart', 'JSON'] as const)('rejects a 1 MB message in %s as too long', async (encoding) => {
    const sent = ENCODINGS[encoding]({ ...message, content: 'x'.repeat(1024 * 1024) })
    expectRefusal(await sendRequest(owner, 'POST', '/messages', sent), 'REQUEST_VARIABLE_INVALID')
  })

  it.each(['form', 'multipart', 'JSON'] as const)('rejects a 5 MB body in %s as too large', async (encoding) => {
    const sent = ENCODINGS[encoding]({ ...message, content: 'x'.repeat(5 * 1024 * 1024) })
    const answer = await sendRequest(owner, 'POST', '/messages', sent)
    expectRefusal(answer, 'BAD_REQUEST')
    expect(answer.body['msg']).toMatch(/too large/)
  })

  it('rejects a multipart body with many large fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, 'x'.repeat(500_000)]))
    const answer = await sendRequest(owner, 'POST', '/messages', { type: MULTIPART, body: multipart(fields) })
    expectRefusal(answer, 'BAD_REQUEST')
  })

  it('accepts a message of the maximum length', async () => {
    const content = '😀'.repeat(10_000)
    const { status } = await sendRequest(owner, 'POST', '/messages', ENCODINGS.multipart({ ...message, content }))
    expect(status).toBe(200)
  })
})

describe('paths', () => {
  it.each([
    'GET /nothing',
    'POST /nothing',
    'GET /',
    'GET /users/',
    'GET //users',
    'GET /users/me/',
    'GET /users/a/b/c',
    'PROPFIND /nothing',
    'GET /nothing?api_key=secret',
  ])('answers NOT_FOUND for %s', async (line) => {
    const [method = '', path = ''] = line.split(' ')
    expectRefusal(await sendRequest(owner, method, path, {}), 'NOT_FOUND', 404)
  })

  it('answers NOT_FOUND for a path outside the API', async () => {
    const { status, body } = await exchangeBytes(owner.url, request('GET /api/v2/users'))
    expect([status, body['code'], body['result']]).toEqual([404, 'NOT_FOUND', 'error'])
  })

  it.each([
    ['PUT', '/users', 'GET, HEAD, POST'],
    ['DELETE', '/messages', 'GET, HEAD, POST'],
    ['OPTIONS', '/messages', 'GET, HEAD, POST'],
    ['PROPFIND', '/messages', 'GET, HEAD, POST'],
    ['POST', '/server_settings', 'GET, HEAD'],
    ['GET', '/fetch_api_key', 'POST'],
    ['HEAD', '/register', 'POST'],
    ['POST', '/users/8', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/users/somebody@example.com', 'GET, HEAD, PATCH'],
    ['POST', '/users/me', 'DELETE, GET, HEAD, PATCH'],
  ])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const answer = await sendRequest(owner, method, path, {})
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe(allow)
    if (method !== 'HEAD') expectRefusal(answer, 'BAD_REQUEST', 405)
  })

  it.each(['%', '%zz', '%e0%a4%a', '%ff', '%c0%af', 'a%00b', '%ed%a0%80'])(
    'rejects the invalid escape %s in a path',
    async (email) => {
      const answer = await sendRequest(owner, 'GET', `/users/${email}`, {})
      expectRefusal(answer, String(answer.body['code']))
      expect(answer.body['code']).toMatch(/^(BAD_REQUEST|REQUEST_VARIABLE_INVALID)$/)
    },
  )

  it('decodes path parameters once', async () => {
    const { status } = await sendRequest(owner, 'GET', `/users/${encodeURIComponent(owner.email)}`, {})
    expect(status).toBe(200)
    expectRefusal(
      await sendRequest(owner, 'GET', `/users/${encodeURIComponent(encodeURIComponent(owner.email))}`, {}),
      'BAD_REQUEST',
    )
  })

  it.each([401, 5_000, 15_000, 100_000])('rejects a path parameter of %i characters', async (length) => {
    expectRefusal(await sendRequest(owner, 'GET', `/users/${'x'.repeat(length)}@example.com`, {}), 'BAD_REQUEST')
  })

  it('rejects a query string of 100 kB', async () => {
    expectRefusal(
      await sendRequest(owner, 'GET', '/users', { query: `user_ids=${'x'.repeat(100_000)}` }),
      'BAD_REQUEST',
    )
  })
})

describe('HEAD', () => {
  const gets = capabilities
    .flatMap((capability) => capability.routes)
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => endpoint.method === 'GET')

  it.each(gets.map((endpoint) => [endpoint.id, endpoint] as const))(
    'answers HEAD of %s with the headers of GET and no body',
    async (_name, endpoint) => {
      const { path, query } = samplePath(endpoint, samples)
      const ofHead = new URLSearchParams(query)
      ofHead.delete('dont_block')
      // Measured values, such as server health, can change between the two requests.
      await vi.waitFor(async () => {
        const get = await sendRequest(owner, 'GET', path, { query: query.toString() })
        const head = await sendRequest(owner, 'HEAD', path, { query: ofHead.toString() })
        expect([head.status, head.body]).toEqual([get.status, {}])
        expect(head.headers).toMatchObject(get.headers)
      })
    },
  )

  it('rejects a HEAD request without credentials just like a GET request', async () => {
    const { status, headers } = await callApi(owner.url, owner.host, 'HEAD', '/users', {})
    expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="Parley"'])
  })
})

describe('malformed HTTP requests', () => {
  const authorization = (): string => `authorization: ${basic(owner.email, owner.apiKey)}\r\n`

  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['an unknown method', 'FROBNICATE /api/v1/users HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a header with NUL', 'GET /api/v1/users HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n'],
    [
      'both a length and chunks',
      'POST /api/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /api/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcd'],
    ['an invalid length', 'POST /api/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: -4\r\n\r\n'],
    ['a header of 100 kB', `GET /api/v1/users HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
    ['a bare line feed in a header', 'GET /api/v1/users HTTP/1.1\r\nhost: x\nx: y\r\n\r\n'],
  ])('answers %s with a JSON error', async (_name, text) => {
    const { status, body } = await exchangeBytes(owner.url, text)
    expect([status, body['result'], body['code']]).toEqual([400, 'error', 'BAD_REQUEST'])
  })

  it('answers malformed chunks with a JSON error after authentication', async () => {
    const head = `POST /api/v1/messages HTTP/1.1\r\nhost: ${owner.host}\r\ntransfer-encoding: chunked\r\n`
    const known = await exchangeBytes(owner.url, `${head}${authorization()}\r\nzz\r\n\r\n`)
    expect([known.status, known.body['code']]).toEqual([400, 'BAD_REQUEST'])
    const unknown = await exchangeBytes(owner.url, `${head}\r\nzz\r\n\r\n`)
    expect([unknown.status, unknown.body['code']]).toEqual([401, 'UNAUTHENTICATED_USER'])
  })

  it('treats an HTTP/1.0 request without a Host header as one for an unknown organization', async () => {
    const { status, body } = await exchangeBytes(owner.url, `GET /api/v1/users HTTP/1.0\r\n${authorization()}\r\n`)
    expect([status, body['code']]).toEqual([404, 'NONEXISTENT_SUBDOMAIN'])
  })

  it.each(['[::1', '..', '%00', 'a b', 'ü.parley.test', `${'a.'.repeat(5_000)}parley.test`, "'--.parley.test"])(
    'answers the host name %s as an unknown organization',
    async (host) => {
      const { status, body } = await exchangeBytes(
        owner.url,
        `GET /api/v1/users HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${authorization()}\r\n`,
      )
      expect([status, body['code']]).toEqual([404, 'NONEXISTENT_SUBDOMAIN'])
    },
  )

  it('either answers a request for an absolute URL or rejects the request with 404', async () => {
    const { status } = await exchangeBytes(owner.url, request(`GET http://${owner.host}/api/v1/server_settings`))
    expect([200, 404]).toContain(status)
  })

  it.each(['%73erver_settings', 'server%5fsettings'])('resolves the escaped path %s', async (path) => {
    const { status, body } = await exchangeBytes(owner.url, request(`GET /api/v1/${path}`))
    expect([status, body['result']]).toEqual([200, 'success'])
  })

  it('changes nothing if a request body is interrupted', async () => {
    const before = (await server().parley.logs.of(organization.id)).organization.position
    const body = new URLSearchParams(message).toString()
    const head =
      `POST /api/v1/messages HTTP/1.1\r\nhost: ${owner.host}\r\n${authorization()}` +
      `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length + 10}\r\n\r\n`
    await sendAndDisconnect(owner.url, head + body)
    expect((await sendRequest(owner, 'GET', '/server_settings', {})).status).toBe(200)
    expect((await server().parley.logs.of(organization.id)).organization.position).toBe(before)
  })
})

function request(line: string): string {
  return `${line} HTTP/1.1\r\nhost: ${owner.host}\r\nconnection: close\r\n\r\n`
}
