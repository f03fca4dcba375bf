import { lookup } from 'node:dns/promises'
import { Readable, Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ServerFacts } from '../server-facts.ts'
import type { FileRoute } from '../files/serve.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { attemptLimiter } from '../limits/attempts.ts'
import { rateLimiter } from '../limits/rate.ts'
import type { UseLogAt } from './calls.ts'
import { ANY_PORT, connectTo, exampleRoute, readAll, createSignal, useHttpServers } from '../../testing/http.ts'

const serve = useHttpServers()
const example = exampleRoute(async () => Promise.resolve({ text: 'here' }))
const GET_HEADERS = 'GET /api/v1/example HTTP/1.1\r\nhost: x\r\n'
const LAST_HEADERS = 'connection: close\r\n\r\n'

async function exchange(url: string, bytes: string): Promise<string> {
  const socket = await connectTo(url)
  const answer = readAll(socket)
  socket.write(bytes)
  return answer
}

describe('HTTP connections', () => {
  it('answers the next request on a connection after an unread body', async () => {
    const url = await serve([example]).listen(ANY_PORT)
    const body = 'x'.repeat(100_000)
    const unread = `POST /nothing HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    expect(await exchange(url, `${unread}${GET_HEADERS}${LAST_HEADERS}`)).toMatch(
      /^HTTP\/1\.1 404 .*HTTP\/1\.1 200 .*"text":"here"/s,
    )
  })

  it('answers pipelined requests in order', async () => {
    const first = createSignal()
    let calls = 0
    const route = exampleRoute(async () => {
      calls += 1
      const text = `answer ${calls}`
      if (calls === 1) await first.given
      else first.give()
      return { text }
    })
    const url = await serve([route]).listen(ANY_PORT)
    expect(await exchange(url, `${GET_HEADERS}\r\n${GET_HEADERS}${LAST_HEADERS}`)).toMatch(/answer 1.*answer 2/s)
  })

  it('supports Expect: 100-continue', async () => {
    const url = await serve([example]).listen(ANY_PORT)
    const socket = await connectTo(url)
    const answer = readAll(socket)
    socket.write(
      `${GET_HEADERS}content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n${LAST_HEADERS}`,
    )
    socket.once('data', () => socket.write('{}'))
    expect(await answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*"text":"here"/s)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const url = await serve([example]).listen(ANY_PORT)
    const get = await exchange(url, GET_HEADERS + LAST_HEADERS)
    const head = await exchange(url, GET_HEADERS.replace('GET', 'HEAD') + LAST_HEADERS)
    const alike = (answer: string): string => answer.replace(/date: .*/i, '').replace(/x-request-id: .*/i, '')
    expect(alike(`${head}${get.split('\r\n\r\n')[1] ?? ''}`)).toBe(alike(get))
  })
})

it('answers 503 and keeps running when no file descriptor is left', async () => {
  const failure = Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE', syscall: 'open' })
  const full = exampleRoute(async () => Promise.reject(failure))
  const url = await serve([full]).listen(ANY_PORT)
  for (let index = 0; index < 2; index += 1) {
    const answer = await exchange(url, `${GET_HEADERS}${LAST_HEADERS}`)
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1.*"code":"SERVER_NOT_READY"/is)
    expect(answer).not.toContain('EMFILE')
  }
})

describe('listening addresses', () => {
  it('listens on every localhost address', async () => {
    const url = await serve([example]).listen({ host: 'localhost', port: 0 })
    for (const { address, family } of await lookup('localhost', { all: true })) {
      const host = family === 6 ? `[${address}]` : address
      expect((await fetch(`http://${host}:${new URL(url).port}/api/v1/example`)).status).toBe(200)
    }
  })

  it('returns a listening URL that reaches the server', async () => {
    for (const host of ['0.0.0.0', '127.0.0.1']) {
      const url = await serve([example]).listen({ host, port: 0 })
      expect((await fetch(`${url}/api/v1/example`)).status).toBe(200)
    }
  })

  it('rejects a port that is already in use', async () => {
    const url = await serve([example]).listen(ANY_PORT)
    const taken = serve([example]).listen({ host: '127.0.0.1', port: Number(new URL(url).port) })
    await expect(taken).rejects.toThrow(/EADDRINUSE/)
  })
})

describe('headers of proxies', () => {
  const forwarded = {
    'x-forwarded-for': '192.0.2.1, 192.0.2.2, 192.0.2.3',
    'x-forwarded-host': 'one.example.com, two.example.com',
  }

  async function forwardedValues(
    trustProxy: boolean,
    ...requests: Readonly<Record<string, string>>[]
  ): Promise<string[][]> {
    const hosts: string[] = []
    const addresses: string[] = []
    const use = (key: string): ReturnType<typeof limiter.use> => {
      addresses.push(key)
      return limiter.use(key)
    }
    const limiter = rateLimiter({ count: 100, seconds: 60 })
    const limits = {
      user: limiter,
      own: () => limiter,
      failedLogins: attemptLimiter({ rows: async () => Promise.resolve([]) }, { count: 1, seconds: 1 }),
      address: { ...limiter, use },
    }
    const useLogAt: UseLogAt = (host, work) => {
      hosts.push(host)
      // The handler does not use the log.
      return work({} as unknown as OrganizationLog)
    }
    const url = await serve([example], { trustProxy, limits, useLogAt }).listen(ANY_PORT)
    for (const headers of requests) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      expect(await exchange(url, `${GET_HEADERS}${lines.join('')}${LAST_HEADERS}`)).toMatch(/^HTTP\/1\.1 200 /)
    }
    return [hosts, addresses]
  }

  it('uses only the forwarded values that a trusted proxy added', async () => {
    expect(await forwardedValues(true, forwarded, {}, { 'x-forwarded-for': ' , ', 'x-forwarded-host': '' })).toEqual([
      ['two.example.com', 'x', 'x'],
      ['192.0.2.3', '127.0.0.1', '127.0.0.1'],
    ])
  })

  it('ignores forwarding headers without a trusted proxy', async () => {
    expect(await forwardedValues(false, forwarded)).toEqual([['x'], ['127.0.0.1']])
  })
})

describe('file responses', () => {
  const route: FileRoute = {
    path: '/file',
    login: 'none',
    find: async () => Promise.resolve({ key: 'a/b', type: 'text/plain', name: 'b', inline: true, keep: 'ask' }),
  }
  const ask = 'GET /file HTTP/1.1\r\nhost: x\r\n\r\n'

  let said: string[] = []
  beforeEach(() => {
    said = []
  })

  async function serveFile(read: () => Readable): Promise<string> {
    const sink = new Writable({
      write(line: Buffer, _encoding, done) {
        said.push(line.toString('utf8'))
        done()
      },
    })
    // The handler uses no other part of the store or the server.
    const facts = { files: { size: async () => Promise.resolve(10), read } } as unknown as ServerFacts
    return serve([], { fileRoutes: [route], facts, logger: pino({ level: 'warn' }, sink) }).listen(ANY_PORT)
  }

  it('reports an unreadable file without details', async () => {
    const fails = (): Readable => new Readable({ read: () => undefined }).destroy(new Error('EIO /secret/path'))
    const answer = await fetch(`${await serveFile(fails)}/file`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8'])
    expect(await answer.text()).toMatch(/SERVER_NOT_READY(?!.*secret)/)
    expect(said).toEqual([expect.stringContaining('EIO')])
  })

  it('closes the connection when reading a file fails midway', async () => {
    const breaks = (): Readable => Readable.from(failingChunks())
    function* failingChunks(): Generator<Buffer> {
      yield Buffer.from('half')
      throw new Error('EIO')
    }
    const answer = await exchange(await serveFile(breaks), ask)
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*content-length: 10\r\n/s)
    expect(answer).not.toMatch(/SERVER_NOT_READY/)
    expect(said).toEqual([expect.stringContaining('EIO')])
  })

  it('stops reading a file when the client disconnects', async () => {
    const closed = createSignal()
    const endless = (): Readable =>
      new Readable({
        read() {
          this.push(Buffer.alloc(65_536))
        },
        destroy(_error, done) {
          closed.give()
          done(null)
        },
      })
    const url = await serveFile(endless)
    const socket = await connectTo(url)
    socket.once('data', () => socket.destroy())
    socket.write(ask)
    await closed.given
    await fetch(`${url}/nothing`)
    expect(said).toEqual([])
  })
})
