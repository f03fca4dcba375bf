import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { Refusal, type ErrorCode } from '../../kernel/refusal.ts'
import { open, type Route, type ServerFacts } from '../capability.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { createHttpServer } from './server.ts'

let app: FastifyInstance | undefined
afterEach(async () => {
  await app?.close()
})

/** A server of these routes alone, without a database. */
function serve(routes: readonly Route[], checkAnswers = true, logger = pino({ level: 'silent' })): FastifyInstance {
  app = createHttpServer({
    routes,
    // The routes of this file look at none of it.
    facts: {} as unknown as ServerFacts,
    apiNames: 'neutral',
    checkAnswers,
    trustProxy: false,
    logger,
    reads: { rows: async () => Promise.resolve([]) },
    logAt: () => ({ world: { organizationId: 1 } }) as unknown as OrganizationLog,
    authenticate: () => {
      throw new Refusal('INVALID_API_KEY', 'Invalid API key')
    },
    limits: undefined,
    fileLimits: { folder: '/nonexistent', maxMebibytes: { upload: 1, picture: 1 } },
    fileRoutes: [],
    pages: () => undefined,
  })
  return app
}

function route(handle: () => Promise<object>, errors: readonly ErrorCode[] = []): Route {
  const example = endpoint({
    id: 'example',
    method: 'GET',
    path: '/example',
    summary: 'An example.',
    since: 0,
    authentication: 'none',
    input: z.object({}),
    output: z.object({ text: z.string().optional() }),
    errors,
  })
  return open(example, handle)
}

describe('a server', () => {
  it('gives up on requests that never arrive as a whole', () => {
    const { server } = serve([])
    expect(server.requestTimeout).toBeGreaterThan(0)
    expect(server.requestTimeout).toBeLessThanOrEqual(900_000)
    expect(server.headersTimeout).toBeGreaterThan(0)
    expect(server.headersTimeout).toBeLessThanOrEqual(60_000)
    expect(server.keepAliveTimeout).toBeGreaterThan(0)
  })

  it('tells browsers that an answer is JSON and nothing else', async () => {
    const { headers } = await serve([route(async () => Promise.resolve({}))]).inject('/api/v1/example')
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  it('says nothing of what went wrong inside', async () => {
    const fails = route(async () => Promise.reject(new Error('password=secret at /srv/parley')))
    const answer = await serve([fails]).inject('/api/v1/example')
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ result: 'error', code: 'SERVER_NOT_READY' })
    expect(answer.body).not.toMatch(/secret|srv|Error/)
  })

  it('does not write the rows that the database refuses into the log', async () => {
    const error = Object.assign(new Error('violates check constraint'), { detail: 'Failing row contains (secret).' })
    const written: string[] = []
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString('utf8'))
        done()
      },
    })
    await serve([route(async () => Promise.reject(error))], true, pino(sink)).inject('/api/v1/example?key=secret')
    expect(written.join('')).toMatch(/violates check constraint/)
    expect(written.join('')).not.toMatch(/secret/)
  })

  it('does not take an error for a refusal because it has a status', async () => {
    const error = Object.assign(new Error('secret'), { statusCode: 404, code: 'EXAMPLE' })
    const answer = await serve([route(async () => Promise.reject(error))]).inject('/api/v1/example')
    expect([answer.statusCode, answer.body.includes('secret')]).toEqual([500, false])
  })

  it('answers with what is declared or, where answers are checked, not at all', async () => {
    const undeclared = route(async () => Promise.resolve({ text: 'x', more: 'x' }))
    expect((await serve([undeclared]).inject('/api/v1/example')).statusCode).toBe(500)
    await app?.close()
    expect((await serve([undeclared], false).inject('/api/v1/example')).statusCode).toBe(200)
  })

  it('refuses with codes that are declared or, where answers are checked, not at all', async () => {
    const refuse = async (): Promise<object> => Promise.reject(new Refusal('BAD_NARROW', 'x', { desc: 'x' }))
    expect((await serve([route(refuse)]).inject('/api/v1/example')).statusCode).toBe(500)
    await app?.close()
    expect((await serve([route(refuse, ['BAD_NARROW'])]).inject('/api/v1/example')).statusCode).toBe(400)
    await app?.close()
    expect((await serve([route(refuse)], false).inject('/api/v1/example')).statusCode).toBe(400)
  })

  it('refuses new requests while it stops, and answers those it has', async () => {
    const entered = signal()
    const finished = signal()
    const server = serve([
      route(async () => {
        entered.give()
        await finished.given
        return { text: 'done' }
      }),
    ])
    const socket = await connectTo(await server.listen({ host: '127.0.0.1', port: 0 }))
    const answers = readAll(socket)
    const request = 'GET /api/v1/example HTTP/1.1\r\nhost: x\r\n\r\n'
    socket.write(request)
    await entered.given
    const closing = signal()
    server.server.once('request', () => closing.give())
    const closed = server.close()
    socket.write(request)
    await closing.given
    finished.give()
    const text = await answers
    await closed
    expect(text).toMatch(/^HTTP\/1\.1 200 .*"text":"done"/s)
    expect(text).toMatch(
      /HTTP\/1\.1 503 .*\{"result":"error","msg":"The server is stopping","code":"SERVER_NOT_READY"\}$/s,
    )
  })
})

/** Something that a test waits for. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

async function connectTo(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket))
    socket.on('error', reject)
  })
}

async function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}
