import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../kernel/refusal.ts'
import {
  ANY_PORT,
  connectTo,
  exampleRoute as route,
  readAll,
  createSignal,
  useHttpServers,
} from '../../testing/http.ts'

const serve = useHttpServers()

async function ask(...options: Parameters<typeof serve>): Promise<Response> {
  const url = await serve(...options).listen(ANY_PORT)
  return fetch(`${url}/api/v1/example?key=secret`)
}

describe('HTTP server', () => {
  it('limits the time for a request to arrive', () => {
    const { server } = serve([])
    expect(server.requestTimeout).toBeGreaterThan(0)
    expect(server.requestTimeout).toBeLessThanOrEqual(900_000)
    expect(server.headersTimeout).toBeGreaterThan(0)
    expect(server.headersTimeout).toBeLessThanOrEqual(60_000)
    expect(server.keepAliveTimeout).toBeGreaterThan(0)
  })

  it('sends JSON responses with the nosniff header', async () => {
    const { headers } = await ask([route(async () => Promise.resolve({}))])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  it('reveals no details of an internal error', async () => {
    const fails = route(async () => Promise.reject(new Error('password=secret at /srv/parley')))
    const answer = await ask([fails])
    expect(answer.status).toBe(500)
    const body = await answer.text()
    expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'SERVER_NOT_READY' })
    expect(body).not.toMatch(/secret|srv|Error/)
  })

  it('logs no row details of database errors', async () => {
    const error = Object.assign(new Error('violates check constraint'), { detail: 'Failing row contains (secret).' })
    const written: string[] = []
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString('utf8'))
        done()
      },
    })
    await ask([route(async () => Promise.reject(error))], { logger: pino(sink) })
    expect(written.join('')).toMatch(/violates check constraint/)
    expect(written.join('')).not.toMatch(/secret/)
  })

  it('treats a thrown error that has a status code as an internal error', async () => {
    const error = Object.assign(new Error('secret'), { statusCode: 404, code: 'EXAMPLE' })
    const answer = await ask([route(async () => Promise.reject(error))])
    expect([answer.status, (await answer.text()).includes('secret')]).toEqual([500, false])
  })

  it('rejects undeclared fields in responses if responses are checked', async () => {
    const undeclared = route(async () => Promise.resolve({ text: 'x', more: 'x' }))
    expect((await ask([undeclared])).status).toBe(500)
    expect((await ask([undeclared], { checkAnswers: false })).status).toBe(200)
  })

  it('rejects undeclared error codes if responses are checked', async () => {
    const refuse = async (): Promise<object> => Promise.reject(new ApiError('BAD_NARROW', 'x', { desc: 'x' }))
    expect((await ask([route(refuse)])).status).toBe(500)
    expect((await ask([route(refuse, ['BAD_NARROW'])])).status).toBe(400)
    expect((await ask([route(refuse)], { checkAnswers: false })).status).toBe(400)
  })

  it('rejects new requests while stopping and finishes pending requests', async () => {
    const entered = createSignal()
    const finished = createSignal()
    const server = serve([
      route(async () => {
        entered.give()
        await finished.given
        return { text: 'done' }
      }),
    ])
    const socket = await connectTo(await server.listen(ANY_PORT))
    const answers = readAll(socket)
    const request = 'GET /api/v1/example HTTP/1.1\r\nhost: x\r\n\r\n'
    socket.write(request)
    await entered.given
    const closing = createSignal()
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
