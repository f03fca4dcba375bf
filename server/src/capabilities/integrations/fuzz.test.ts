import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { INTEGRATIONS } from './rules/index.ts'
import { SAMPLES } from './testing/payloads.ts'
import type { Sample } from './testing/sample.ts'
import { messagesIn, sendAs } from './testing/sending.ts'

const server = useTestServer()

type Path = readonly (string | number)[]

/** Where something stands in a payload. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [
    path,
    ...inner.flatMap(([key, member]) => pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key])),
  ]
}

const DOCUMENTED = [
  [200, 'success'],
  [200, 'UNSUPPORTED_WEBHOOK_EVENT_TYPE'],
  [400, 'ANOMALOUS_WEBHOOK_PAYLOAD'],
  [400, 'MISSING_HTTP_EVENT_HEADER'],
]

const ABSENT = Symbol('absent')

/** A payload in which something else stands at a place, or nothing. */
function changed(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other
  if (Array.isArray(value)) {
    const items = value as unknown[]
    const member = changed(items[Number(key)], rest, other)
    return member === ABSENT ? items.toSpliced(Number(key), 1) : items.with(Number(key), member)
  }
  // The path leads through it.
  const { [String(key)]: before, ...others } = value as Record<string, unknown>
  const member = changed(before, rest, other)
  return member === ABSENT ? others : { ...others, [String(key)]: member }
}

/** That something is read, or with which code it is refused; what else is thrown is a fault. */
function outcomeOf(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** What a service could send that is not quite the service: one of its payloads with some places otherwise, or any JSON. */
function payloadsLike(samples: readonly Sample[]): fc.Arbitrary<{ sample: Sample; body: unknown }> {
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
      // A change within what another one took away is none.
      for (const [path, other] of some) if (leadsThrough(body, path)) body = changed(body, path, other)
      return { sample, body }
    })
    return fc.oneof(
      { weight: 9, arbitrary: spoiled },
      anything.map((body) => ({ sample, body: body as unknown })),
    )
  })
}

function leadsThrough(value: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  // It is an object or a list.
  return leadsThrough((value as Record<string | number, unknown>)[key], rest)
}

const OTHERS: readonly unknown[] = [null, true, 0, -1.5, '', 'x', [], [null], {}, { id: 1 }, ABSENT]

/** How deep a list in a list may be asked for, in a text of each size. */
const DEEP = [
  ['[', ']'],
  ['{"content":[', ']}'],
  ['{"type":"doc","content":[', ']}'],
  ['{"elements":[', ']}'],
  ['{"data":', '}'],
] as const

describe('JSON that is not what a service sends', () => {
  it.each(INTEGRATIONS.map((one) => [one.name, one] as const))(
    'is read or refused by %s, whatever stands at whichever place of its samples',
    async (service, { displayName, load }) => {
      const integration = await load()
      const outcomes = new Set<unknown>()
      for (const { headers = {}, body } of SAMPLES.filter((one) => one.service === service)) {
        for (const path of pathsIn(body).slice(1)) {
          for (const other of OTHERS) {
            const sent = Buffer.from(JSON.stringify(changed(body, path, other)))
            outcomes.add(outcomeOf(() => integration.read({ headers, body: sent, displayName })))
          }
        }
      }
      for (const outcome of outcomes) expect(['read', ...DOCUMENTED.map(([, code]) => code)]).toContain(outcome)
    },
  )

  it.each(INTEGRATIONS.map(({ name }) => name))(
    'is refused by %s where it is deep, also in a short text',
    async (service) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
      const [sample] = SAMPLES.filter((one) => one.service === service)
      for (const [begin, end] of DEEP) {
        for (const levels of [Math.floor(9_000 / (begin.length + end.length)), 20_000]) {
          const deep = `${begin.repeat(levels)}1${end.repeat(levels)}`
          for (const body of [
            deep,
            JSON.stringify({ ...sample?.body, event: 0, more: 0 }).replace('"more":0', () => `"comment":${deep}`),
          ]) {
            const sent = { ...(sample?.headers === undefined ? {} : { headers: sample.headers }), body }
            const { status, body: answer } = await sendAs(bot, service, sent, { stream: 'news' })
            expect([status, answer['code']]).toEqual([400, 'ANOMALOUS_WEBHOOK_PAYLOAD'])
          }
        }
      }
    },
  )

  it.each(INTEGRATIONS.map(({ name }) => name))(
    'is posted or refused as documented by %s, and what is refused changes nothing',
    { timeout: 300_000 },
    async (service) => {
      const { owner } = await server().organization()
      await owner.subscribe(['news'])
      const bot = await makeBot(owner, 'Hook Bot', { bot_type: 2 })
      const queue = await owner.register({ event_types: ['message'] })
      const likely = payloadsLike(SAMPLES.filter((one) => one.service === service))
      await fc.assert(
        fc.asyncProperty(likely, async ({ sample: { headers }, body }) => {
          const sent = { ...(headers === undefined ? {} : { headers }), body: JSON.stringify(body) }
          const { status, body: answer } = await sendAs(bot, service, sent, { stream: 'news' })
          const outcome = answer['result'] === 'success' ? 'success' : answer['code']
          expect(DOCUMENTED).toContainEqual([status, outcome])
          const posted = messagesIn(await queue.events()).length
          expect(posted).toBeLessThanOrEqual(outcome === 'success' ? 1 : 0)
        }),
        { numRuns: effort(80) },
      )
    },
  )
})
