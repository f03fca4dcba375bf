import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { ANY_PORT, createSignal, useHttpServers } from '../../testing/http.ts'
import { responseTo } from '../../testing/requests.ts'
import { CachedFields, ComposedResponse } from '../answers/composed.ts'
import { preferredCoding } from '../answers/gzip.ts'
import { open } from '../capability.ts'
import type { Exchange } from './exchange.ts'

const servers = useHttpServers()

interface RawResponse {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

async function fetchRaw(url: string, accepted: string, method = 'GET'): Promise<RawResponse> {
  const sent = request(url, { method, headers: { 'accept-encoding': accepted } }).end()
  const response = await responseTo(sent)
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}

const exampleEndpoint = endpoint({
  id: 'anything',
  method: 'GET',
  path: '/anything',
  summary: 'Whatever the test says.',
  since: 0,
  authentication: 'none',
  input: z.object({}),
  output: z.looseObject({}),
  errors: ['BAD_REQUEST'],
})

type HandlerResult = ComposedResponse | Readonly<Record<string, unknown>>

const TEXT = 'Zürich says "hello", again and again. '.repeat(300)
const LONG_OBJECT = { text: TEXT.repeat(200) }
const WORDS = Array.from({ length: 20_000 }, (_, index) => `word ${index}`)

const CACHED_FIELDS = new CachedFields({ text: TEXT }, true)

const LARGE_RESPONSES: readonly (readonly [name: string, answer: () => HandlerResult, json: object])[] = [
  ['a long text', () => ({ text: TEXT }), { text: TEXT }],
  ['a long list', () => ({ list: WORDS }), { list: WORDS }],
  [
    'fields that were serialized before',
    () => new ComposedResponse([{ own: 1 }], [new CachedFields({ list: WORDS }), CACHED_FIELDS]),
    { own: 1, list: WORDS, text: TEXT },
  ],
  ['several megabytes', () => new ComposedResponse([], [new CachedFields(LONG_OBJECT)]), LONG_OBJECT],
]

async function urlOf(answer: () => HandlerResult): Promise<string> {
  const route = open(exampleEndpoint, async () => Promise.resolve(answer()))
  return `${await servers([route]).listen(ANY_PORT)}/api/v1/anything`
}

describe.each(LARGE_RESPONSES)('response with %s', (_, answer, json) => {
  it.each([
    ['gzip', 'gzip'],
    ['br;q=1.0, GZIP;q=0.5', 'gzip'],
    ['*;q=0', undefined],
    ['', undefined],
  ])('answers Accept-Encoding "%s" with encoding %s', async (accepted, encoding) => {
    const url = await urlOf(answer)
    const { headers, bytes } = await fetchRaw(url, accepted)
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
    const text = encoding === undefined ? bytes : gunzipSync(bytes)
    expect(JSON.parse(text.toString())).toEqual({ result: 'success', msg: '', ...json })
    expect(bytes.length < text.length / 2).toBe(encoding !== undefined)
    expect([undefined, String(bytes.length)]).toContain(headers['content-length'])
    expect((await fetchRaw(url, accepted, 'HEAD')).bytes).toHaveLength(0)
  })
})

it.each([
  ['gzip', 'gzip', 'gzip'],
  ['GZIP', 'gzip', 'gzip'],
  ['x-gzip', 'gzip', 'gzip'],
  ['Br;Q=0.5, GZip ; q=0.4', 'br', 'gzip'],
  ['br;q=1.0, gzip;q=0.5', 'br', 'gzip'],
  ['br;q=0.5, gzip;q=1.0', 'gzip', 'gzip'],
  ['gzip, br', 'br', 'gzip'],
  [' gzip\t;\tq=0.001 ,, deflate', 'gzip', 'gzip'],
  ['gzip;q=0', undefined, undefined],
  ['gzip;q=0.000', undefined, undefined],
  ['gzip ; Q = 0', undefined, undefined],
  ['gzip;q=nothing', undefined, undefined],
  ['*', 'br', 'gzip'],
  ['*;q=0', undefined, undefined],
  ['*;q=0, gzip', 'gzip', 'gzip'],
  ['gzip;q=0, *', 'br', undefined],
  ['br;q=0, *;q=0.1', 'gzip', 'gzip'],
  ['identity', undefined, undefined],
  ['identity;q=1, gzip;q=0.5', undefined, undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip', 'gzip'],
  ['identity, *;q=0', undefined, undefined],
  ['identity;q=0', 'br', 'gzip'],
  ['identity;q=0, br;q=0', 'gzip', 'gzip'],
  ['identity;q=0, gzip;q=0', 'br', undefined],
  ['deflate', undefined, undefined],
  ['gzipped, notgzip, gzip2', undefined, undefined],
  ['', undefined, undefined],
  [' , ;q=1', undefined, undefined],
  [undefined, undefined, undefined],
])('handles Accept-Encoding %j by selecting %s, or %s if only gzip is offered', (accepted, ofBoth, ofGzip) => {
  expect(preferredCoding(accepted, ['br', 'gzip'])).toBe(ofBoth)
  expect(preferredCoding(accepted, ['gzip'])).toBe(ofGzip)
})

it('survives a client that disconnects before several megabytes are sent', async () => {
  const [arrived, left] = [createSignal(), createSignal()]
  const route = open(exampleEndpoint, async () => {
    arrived.give()
    await left.given
    throw new ApiError('BAD_REQUEST', LONG_OBJECT.text)
  })
  const url = `${await servers([route]).listen(ANY_PORT)}/api/v1/anything`
  const sent = request(url).end()
  sent.on('error', () => undefined)
  const closed = createSignal()
  sent.on('close', () => closed.give())
  await arrived.given
  sent.destroy()
  await closed.given
  left.give()
  const { status, bytes } = await fetchRaw(url, '')
  expect([status, bytes.length > LONG_OBJECT.text.length]).toEqual([400, true])
})

it('sends short responses uncompressed', async () => {
  for (const answer of [{ text: 'short' }, new ComposedResponse([{ text: 'short' }], [])]) {
    const { headers, bytes } = await fetchRaw(await urlOf(() => answer), 'gzip')
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
    expect(JSON.parse(bytes.toString())).toEqual({ result: 'success', msg: '', text: 'short' })
  }
})

it('compresses a long error response', async () => {
  const url = await urlOf(() => {
    throw new ApiError('BAD_REQUEST', TEXT)
  })
  const { status, headers, bytes } = await fetchRaw(url, 'gzip')
  expect([status, headers['content-encoding']]).toEqual([400, 'gzip'])
  expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ result: 'error', msg: TEXT })
})

it('answers with an uncompressed JSON error if a response to be compressed cannot be serialized', async () => {
  const loop: unknown[] = []
  loop.push(loop)
  const { status, headers, bytes } = await fetchRaw(await urlOf(() => ({ list: [...WORDS, loop] })), 'gzip')
  expect([status, headers['content-encoding']]).toEqual([500, undefined])
  expect(JSON.parse(bytes.toString())).toMatchObject({ result: 'error' })
})

describe('page compression', () => {
  const page = async (type: string, body: string | Buffer, headers = {}): Promise<string> => {
    const answer = (exchange: Exchange): void => exchange.send(200, { 'content-type': type, ...headers }, body)
    return `${await servers([], { pages: [{ method: 'GET', path: '/page', answer }] }).listen(ANY_PORT)}/page`
  }

  it.each(['text/html; charset=utf-8', 'application/json', 'image/svg+xml', 'text/plain; version=0.0.4'])(
    'compresses %s',
    async (type) => {
      const url = await page(type, TEXT)
      const compressed = await fetchRaw(url, 'gzip')
      expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      expect(gunzipSync(compressed.bytes).toString()).toBe(TEXT)
      const plain = await fetchRaw(url, 'identity')
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
      expect(plain.bytes.toString()).toBe(TEXT)
    },
  )

  it('sends images and already encoded content unchanged', async () => {
    const bytes = Buffer.from(TEXT)
    expect((await fetchRaw(await page('image/png', bytes), 'gzip')).bytes.equals(bytes)).toBe(true)
    const encoded = await fetchRaw(await page('text/css', bytes, { 'content-encoding': 'br' }), 'gzip')
    expect([encoded.headers['content-encoding'], encoded.bytes.equals(bytes)]).toEqual(['br', true])
  })
})
