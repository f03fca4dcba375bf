import { describe, expect, it } from 'vitest'
import { capabilities } from '../capabilities.ts'
import type { Endpoint } from '../kernel/endpoint.ts'
import { ERRORS, GENERAL_ERRORS, type ErrorCode } from '../kernel/refusal.ts'
import { consumerCursors } from '../platform/consumers/cursors.ts'
import { PROJECTION_EVENT_TYPE } from '../platform/log/row.ts'
import { someOf } from './effort.ts'
import type { Samples } from './capability-samples.ts'
import { isList } from './json.ts'
import { asText, isRequired, pathOf, sampleInput, samplesFor, sampleValues } from './samples.ts'
import { useTestServer, type TestOrganization, type TestServer } from './server.ts'
import { basic, callApi, type Answer, type Body } from './user.ts'

/*
 * Sends invalid values in every parameter of every endpoint. Expects no 500, a documented error code, and no changes.
 */

const LONG_CHARACTERS = 100_000

const SCALARS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  999_999_999,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  2 ** 31,
  2 ** 63,
  '',
  ' ',
  '0',
  'true',
  'nobody@example.invalid',
  '😀'.repeat(61),
  '\u202e\ufeff\u0301',
  "'; drop table messages; --",
  '%s{{7*7}}${7*7}',
  'constructor',
  '__proto__',
  'a\0b',
  '\ud83d',
  'x'.repeat(LONG_CHARACTERS),
]
const COMPOSITES: readonly unknown[] = [
  [],
  {},
  [[]],
  [{}],
  [null],
  { a: [1] },
  Array.from({ length: 10_000 }, (_, index) => index + 1),
  Array.from({ length: 10_000 }, () => 'x'),
  JSON.parse('{"__proto__":{"type":"evil"},"constructor":{"prototype":{"x":1}}}'),
]
const TEXTS: readonly string[] = [
  '{',
  '[1,',
  'nul',
  '"',
  '9'.repeat(400),
  '-9223372036854775809',
  '1e999',
  '['.repeat(5_000) + ']'.repeat(5_000),
  '"\\ud83d"',
  '"\\u0000"',
]

function hostileTexts(valid: unknown): string[] {
  const scalars = SCALARS.flatMap((value) =>
    // Sends strings as they are and as JSON, but lone surrogates only as JSON, because forms are UTF-8.
    typeof value === 'string' && value.isWellFormed() ? [value, JSON.stringify(value)] : [JSON.stringify(value)],
  )
  const spoiled = typeof valid === 'object' ? [...spoiledVariants(valid)].map((value) => JSON.stringify(value)) : []
  return [...new Set([...scalars, ...COMPOSITES.map((value) => JSON.stringify(value)), ...TEXTS, ...spoiled])]
}

function* spoiledVariants(valid: unknown): Generator {
  if (isList(valid)) {
    for (const [index, item] of valid.entries()) {
      for (const bad of spoiledVariants(item)) yield valid.with(index, bad)
    }
    yield [...valid, ...valid]
  } else if (valid !== null && typeof valid === 'object') {
    for (const [name, item] of Object.entries(valid)) {
      for (const bad of spoiledVariants(item)) yield { ...valid, [name]: bad }
    }
    yield { ...valid, unknown: 1 }
  } else {
    yield* SCALARS
    yield [valid]
  }
}

const endpoints = capabilities.flatMap((capability) => capability.routes).map(({ endpoint }) => endpoint)

const hasNoParameters = ({ input }: Endpoint): boolean => Object.keys(input.shape).length === 0
const withNames = (some: readonly Endpoint[]): (readonly [string, Endpoint])[] =>
  some.map((endpoint) => [endpoint.id, endpoint] as const)

/** First endpoint with each shared schema. All endpoints parse the schema the same way. */
const firstEndpointBySchema = new Map<unknown, Endpoint>()
for (const endpoint of endpoints) {
  for (const schema of Object.values(endpoint.input.shape))
    if (!firstEndpointBySchema.has(schema)) firstEndpointBySchema.set(schema, endpoint)
}

/** Sends all hostile strings to the first endpoint with a schema, and a varying quarter to the others. */
function textsToTry(endpoint: Endpoint, name: string, valid: unknown): readonly string[] {
  const texts = hostileTexts(valid)
  return someOf(texts, firstEndpointBySchema.get(endpoint.input.shape[name]) === endpoint ? 1 : 0.25)
}

interface TestSetup {
  readonly organization: TestOrganization
  readonly samples: Samples
}

/** Tests every `of`th endpoint, so that several test files can run in parallel. */
export function testHostileInput({ part, of }: { readonly part: number; readonly of: number }): void {
  const server = useTestServer({ PARLEY_HEARTBEAT_SECONDS: '1' })
  const mine = endpoints.filter((_, index) => index % of === part - 1)
  let last: TestSetup | undefined
  let isChanged = false

  /** Reuses an organization if all requests so far were refused or only read data. */
  async function anyUnchanged(): Promise<TestSetup> {
    if (last === undefined || isChanged) {
      const organization = await server().organization()
      last = { organization, samples: await samplesFor(organization) }
      isChanged = false
    }
    return last
  }

  async function tryWith(
    organization: TestOrganization,
    endpoint: Endpoint,
    input: Readonly<Record<string, unknown>>,
  ): Promise<{ answer: Answer; changed: boolean }> {
    const outcome = await request(server(), organization, endpoint, input)
    isChanged ||= outcome.answer.status === 200 && endpoint.method !== 'GET'
    return outcome
  }

  it.each(withNames(mine.filter(hasNoParameters)))('%s accepts a request without parameters', async (_id, endpoint) => {
    const { organization } = await anyUnchanged()
    const { answer } = await tryWith(organization, endpoint, {})
    expect(answer.body['code'] ?? '').not.toMatch(/^REQUEST_|^INVALID_JSON|^NOT_FOUND/)
  })

  describe.each(withNames(mine.filter((endpoint) => !hasNoParameters(endpoint))))('%s', (_id, endpoint) => {
    const names = Object.keys(endpoint.input.shape)

    it('rejects invalid values with a documented code and changes nothing', async () => {
      const { organization, samples } = await anyUnchanged()
      const valid = sampleValues(endpoint, samples)
      let before = await stateOf(server(), organization)
      let someAccepted = false
      const problems: string[] = []
      const refused: Readonly<Record<string, unknown>>[] = []
      for (const name of names.filter((one) => !isLikeAnEarlier(endpoint, one))) {
        for (const text of textsToTry(endpoint, name, valid[name])) {
          const input = { ...sampleInput(endpoint, samples), [name]: text }
          const { answer, changed } = await tryWith(organization, endpoint, input)
          if (answer.status === 200) {
            someAccepted = true
            continue
          }
          refused.push(input)
          if (isDocumented(endpoint, name, answer) && !changed) continue
          const told = JSON.stringify(answer.body).slice(0, 300)
          problems.push(
            `${name}=${text.slice(0, 200)} answered ${answer.status} ${told}${changed ? ' and changed' : ''}`,
          )
        }
      }
      expect(problems).toEqual([])
      // Repeats all refused values with a client that receives events.
      if (someAccepted) {
        before = await stateOf(server(), organization)
        for (const input of refused) {
          const { answer } = await tryWith(organization, endpoint, input)
          if (answer.status === 200) return
        }
      }
      expect(await stateOf(server(), organization)).toEqual(before)
    })

    it('names missing parameters in errors and requires no other parameters', async () => {
      const required = names.filter((name) => isRequired(endpoint, name) && !endpoint.path.includes(`:${name}`))
      const faults = async ({ organization, samples }: TestSetup): Promise<Answer[]> => {
        const input = sampleInput(endpoint, samples)
        const found: Answer[] = []
        for (const name of required) {
          const { [name]: _, ...rest } = input
          const { answer, changed } = await tryWith(organization, endpoint, rest)
          const isNamed = answer.body['code'] === 'REQUEST_VARIABLE_MISSING' && answer.body['var_name'] === name
          if (answer.status !== 400 || !isNamed || changed) found.push(answer)
        }
        const { answer } = await tryWith(organization, endpoint, input)
        // Some endpoints need more than valid parameters: a password, another owner, a deactivated account.
        const { code } = answer.body
        if (typeof code === 'string' && /^REQUEST_|^INVALID_JSON|^NOT_FOUND/.test(code)) found.push(answer)
        return found
      }
      // Changes of an earlier test rarely matter, and a new organization costs more than asking twice.
      if (isChanged && last !== undefined && (await faults(last)).length === 0) return
      expect(await faults(await anyUnchanged())).toEqual([])
    })
  })
}

function isLikeAnEarlier({ input: { shape } }: Endpoint, name: string): boolean {
  const first = Object.keys(shape).find((other) => shape[other] === shape[name])
  return first !== name
}

function isDocumented(endpoint: Endpoint, name: string, { status, body }: Answer): boolean {
  const codes: ErrorCode[] = [...endpoint.errors, ...GENERAL_ERRORS]
  // A path value can be too long, malformed, or part of another route.
  if (endpoint.path.includes(`:${name}`)) codes.push('BAD_REQUEST', 'NOT_FOUND')
  const isKnown = codes.some((code) => code === body['code'] && Object.hasOwn(ERRORS, code))
  return status >= 400 && status < 500 && body['result'] === 'error' && isKnown
}

async function request(
  { parley }: TestServer,
  { id, owner }: TestOrganization,
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Promise<{ answer: Answer; changed: boolean }> {
  const { organization } = await parley.logs.of(id)
  const { position } = organization
  const { path, query } = pathOf(endpoint, input)
  const answer = await callApi(
    owner.url,
    owner.host,
    endpoint.method,
    path,
    {},
    {
      headers: {
        authorization: basic(owner.email, owner.apiKey),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: query.toString(),
      asked: {
        fetchEventTypes: listOrNull(input['fetch_event_types'] ?? input['event_types']),
        clientCapabilities: jsonOrNull(input['client_capabilities']),
      },
    },
  )
  const changed = organization.position !== position && (await lastChange(parley, id)) > position
  return { answer, changed }
}

/** Null if the value is not a list of strings, which the server refuses. */
function listOrNull(value: unknown): string[] | null {
  const list = jsonOrNull(value)
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null
}

function jsonOrNull(value: unknown): unknown {
  if (value === undefined) return null
  try {
    return JSON.parse(asText(value))
  } catch {
    return null
  }
}

/** Returns the log position and everything that a client can know. */
async function stateOf(
  { parley }: TestServer,
  { id, owner }: TestOrganization,
): Promise<{ changedAt: number; state: Body }> {
  const { queue_id: _queue, server_timestamp: _now, ...state } = await owner.call('POST', '/register')
  return { changedAt: await lastChange(parley, id), state }
}

/** Ignores cursor moves of consumers, which continue in the background. */
async function lastChange({ database }: TestServer['parley'], organizationId: number): Promise<number> {
  const [row] = await database.reads.rows<{ last: number }>(
    'test_last_change',
    `select coalesce(max(position), 0) as last from events
     where organization_id = $1 and not (type = $2 and coalesce(changes, '[]') @> $3::jsonb)`,
    [organizationId, PROJECTION_EVENT_TYPE, JSON.stringify([{ fold: consumerCursors.name }])],
  )
  return row?.last ?? 0
}
