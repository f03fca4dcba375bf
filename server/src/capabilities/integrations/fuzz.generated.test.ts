import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrintable } from '../../kernel/characters.ts'
import { effort, someOf } from '../../testing/effort.ts'
import { isObject, isList } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { LIMITS } from '../organizations/contract/index.ts'
import { INTEGRATIONS } from './contract/catalog.ts'
import { SAMPLES } from './testing/payloads.ts'
import { tryRead } from './testing/reading.ts'
import type { Sample } from './testing/sample.ts'
import { messagesIn, sendAs, type WebhookRequest } from './testing/sending.ts'

const server = useTestServer()

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [
    path,
    ...inner.flatMap(([key, member]) => pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key])),
  ]
}

const DOCUMENTED_OUTCOMES = [
  [200, 'success'],
  [200, 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'],
  [400, 'ANOMALOUS_WEBHOOK_PAYLOAD'],
  [400, 'MISSING_HTTP_EVENT_HEADER'],
]

const ABSENT = Symbol('absent')

function replaceAt(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other
  if (isList(value)) {
    const member = replaceAt(value[Number(key)], rest, other)
    return member === ABSENT ? value.toSpliced(Number(key), 1) : value.with(Number(key), member)
  }
  // The path exists, so this is an object.
  if (!isObject(value)) throw new Error('not an object')
  const { [String(key)]: before, ...others } = value
  const member = replaceAt(before, rest, other)
  return member === ABSENT ? others : { ...others, [String(key)]: member }
}

function payloadsSimilarTo(samples: readonly Sample[]): fc.Arbitrary<{ sample: Sample; body: unknown }> {
  const anything = fc.jsonValue({ maxDepth: 3 })
  const otherwise = fc.oneof(
    { weight: 3, arbitrary: anything },
    fc.constant(ABSENT),
    fc.constantFrom(0, '', [], {}, null, -1e300),
  )
  return fc.constantFrom(...samples).chain((sample) => {
    const [, ...inside] = pathsIn(sample.body)
    const changes = fc.array(fc.tuple(fc.constantFrom(...inside), otherwise), { minLength: 1, maxLength: 3 })
    const spoiled = changes.map((some) => {
      let body: unknown = sample.body
      // Skips paths that an earlier replacement removed.
      for (const [path, other] of some) if (pathExistsIn(body, path)) body = replaceAt(body, path, other)
      return { sample, body }
    })
    return fc.oneof(
      { weight: 9, arbitrary: spoiled },
      anything.map((body: unknown) => ({ sample, body })),
    )
  })
}

function pathExistsIn(value: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return pathExistsIn(Reflect.get(value, key), rest)
}

const REPLACEMENT_VALUES: readonly unknown[] = [null, true, 0, -1.5, '', 'x', [], [null], {}, { id: 1 }, ABSENT]

const NESTED_JSON_ENDS = [
  ['[', ']'],
  ['{"content":[', ']}'],
  ['{"type":"doc","content":[', ']}'],
  ['{"elements":[', ']}'],
  ['{"data":', '}'],
] as const

describe('malformed webhook payloads', () => {
  it.each(INTEGRATIONS.map(({ name }) => name))(
    'accepts samples of %s with any part replaced, or rejects them with a documented error',
    async (service) => {
      const outcomes = new Set<string>()
      for (const { headers = {}, body } of SAMPLES.filter((one) => one.service === service)) {
        for (const path of someOf(pathsIn(body).slice(1))) {
          for (const other of REPLACEMENT_VALUES) {
            outcomes.add(
              outcomeOf(await tryRead(service, { headers, body: JSON.stringify(replaceAt(body, path, other)) })),
            )
          }
        }
      }
      expect(DOCUMENTED_OUTCOMES.map(([, outcome]) => outcome)).toEqual(expect.arrayContaining([...outcomes]))
    },
  )

  it.each(INTEGRATIONS.map(({ name }) => name))('rejects deeply nested JSON for %s', async (service) => {
    for (const body of deeplyNestedBodies(service))
      expect(await tryRead(service, body)).toBe('ANOMALOUS_WEBHOOK_PAYLOAD')
  })

  it.each(INTEGRATIONS.map(({ name }) => name))(
    'accepts any JSON payload of %s or rejects it with a documented error',
    async (service) => {
      const likely = payloadsSimilarTo(SAMPLES.filter((one) => one.service === service))
      await fc.assert(
        fc.asyncProperty(likely, async ({ sample: { headers = {} }, body }) => {
          const message = await tryRead(service, { headers, body: JSON.stringify(body) })
          expect(DOCUMENTED_OUTCOMES.map(([, outcome]) => outcome)).toContain(outcomeOf(message))
          if (typeof message !== 'object') return
          expect(isPrintable(message.topic)).toBe(true)
          expect(Array.from(message.topic).length).toBeLessThanOrEqual(LIMITS.max_topic_length)
          expect(Array.from(message.content).length).toBeLessThanOrEqual(LIMITS.max_message_length)
        }),
        { numRuns: effort(400) },
      )
    },
  )

  it.each(INTEGRATIONS.map(({ name }) => name))(
    'gives a documented response to any payload for %s, and posts no rejected payload',
    async (service) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
      const queue = await owner.register({ event_types: ['message'] })
      const [deep = {}] = deeplyNestedBodies(service)
      expect(await sendAs(bot, service, deep, { stream: 'news' })).toMatchObject({
        status: 400,
        body: { code: 'ANOMALOUS_WEBHOOK_PAYLOAD' },
      })
      const likely = payloadsSimilarTo(SAMPLES.filter((one) => one.service === service))
      await fc.assert(
        fc.asyncProperty(likely, async ({ sample: { headers = {} }, body }) => {
          const sent = { headers, body: JSON.stringify(body) }
          const { status, body: answer } = await sendAs(bot, service, sent, { stream: 'news' })
          const outcome = answer['result'] === 'success' ? 'success' : answer['code']
          expect(DOCUMENTED_OUTCOMES).toContainEqual([status, outcome])
          const posted = messagesIn(await queue.events()).length
          expect(posted).toBeLessThanOrEqual(outcome === 'success' ? 1 : 0)
        }),
        { numRuns: effort(25) },
      )
    },
  )
})

/** Returns bodies nested as deeply as 9,000 characters allow, and bodies nested 20,000 levels deep. */
function deeplyNestedBodies(service: string): WebhookRequest[] {
  const sample = SAMPLES.find((one) => one.service === service)
  const bodies = NESTED_JSON_ENDS.flatMap(([begin, end]) =>
    [Math.floor(9_000 / (begin.length + end.length)), 20_000].flatMap((levels) => {
      const deep = `${begin.repeat(levels)}1${end.repeat(levels)}`
      const within = JSON.stringify({ ...sample?.body, event: 0, more: 0 })
      return [deep, within.replace('"more":0', () => `"comment":${deep}`)]
    }),
  )
  return bodies.map((body) => ({ headers: sample?.headers ?? {}, body }))
}

function outcomeOf(message: Awaited<ReturnType<typeof tryRead>>): string {
  return typeof message === 'string' ? message : 'success'
}
