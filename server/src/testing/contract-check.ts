import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject, objectsIn } from './json.ts'

/** File of the development environment; without it, tests skip this check. */
const VALIDATOR = fileURLToPath(new URL('../../../../shared/contract/validate.mjs', import.meta.url))

/** Returns the folder written by the workers of a suite (`test`, `sweep`). */
export function sightingsOf(suite: string): string {
  return fileURLToPath(new URL(`../../../coverage/${suite}-contract`, import.meta.url))
}

export interface Sighting {
  readonly kind: 'endpoint' | 'error' | 'event' | 'register field'
  readonly name: string
  readonly count: number
}

/** Error code. A code with alternative fields has an entry for each alternative. */
interface DocumentedError {
  readonly code: string
  readonly httpStatus?: number
  readonly extraFields?: readonly string[]
}

interface Problem {
  readonly path: string
  readonly message: string
}

interface Validator {
  readonly contract: {
    readonly settings: { readonly errorCodes: readonly DocumentedError[] }
    readonly register: { readonly fields: readonly { readonly field: string }[] }
  }
  responseErrors(method: string, path: string, status: number, body: unknown): Problem[]
  registerErrors(body: unknown, fetchEventTypes: readonly string[] | null): Problem[]
  eventErrors(event: unknown): Problem[]
  findEndpoint(method: string, path: string): { method: string; path: string } | undefined
}

const validator = existsSync(VALIDATOR)
  ? // Safe: the validator's documented functions.
    ((await import(/* @vite-ignore */ VALIDATOR)) as Validator)
  : undefined

export interface AskedRegistration {
  readonly fetchEventTypes: readonly string[] | null
  readonly clientCapabilities: unknown
}

/** Our additions to the contract, by the client capability that requests or the server capability that adds them. */
interface Additions {
  readonly [clientCapability: string]: {
    readonly register: readonly string[]
    /** Omitted fields, with a value that the contract accepts. */
    readonly replaces?: Readonly<Record<string, unknown>>
    /** Fields, or `field.field`, by `type` or `type/op`, regardless of what the receiving queue requested. */
    readonly events?: Readonly<Record<string, readonly string[]>>
    readonly eventTypes?: readonly string[]
    /** Fields, or `field.field`, requested by one of our own parameters, by `METHOD /path`. */
    readonly answers?: Readonly<Record<string, readonly string[]>>
    readonly errors?: readonly string[]
  }
}

/** Reads `testing/additions.json` of each capability. Additions are checked even if they were not requested. */
function readAdditions(): Additions {
  const folder = new URL('../capabilities/', import.meta.url)
  const files = readdirSync(folder).map((name) => new URL(`${name}/testing/additions.json`, folder))
  const found = files.filter((file) => existsSync(file))
  // Safe: declared above; in an invalid file, the fields stay unknown and are reported.
  const entries = found.flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Additions))
  return Object.fromEntries(entries)
}

const declaredAdditions = readAdditions()

function withoutAdditions(body: Record<string, unknown>, clientCapabilities: unknown): Record<string, unknown> {
  // Keyed by capability: whether the client understands it.
  const understood = isObject(clientCapabilities) ? clientCapabilities : {}
  const asked = Object.entries(declaredAdditions).flatMap(([name, addition]) =>
    understood[name] === true ? [addition] : [],
  )
  const added = asked.flatMap(({ register }) => register)
  const replaced = Object.fromEntries(asked.flatMap(({ replaces = {} }) => Object.entries(replaces)))
  return { ...replaced, ...withoutFields(body, added) }
}

const addedToEvents = new Map(
  Object.values(declaredAdditions).flatMap(({ events = {} }) =>
    Object.entries(events).map(([name, fields]) => [name, fields]),
  ),
)

const addedEventTypes = new Set(Object.values(declaredAdditions).flatMap(({ eventTypes = [] }) => eventTypes))

const addedToAnswers = new Map(Object.values(declaredAdditions).flatMap(({ answers = {} }) => Object.entries(answers)))

const addedErrors = new Set(Object.values(declaredAdditions).flatMap(({ errors = [] }) => errors))

const registerFields = new Set(validator?.contract.register.fields.map(({ field }) => field))

const counts = new Map<string, Sighting & { count: number }>()

function countSighting(kind: Sighting['kind'], name: string): void {
  const key = `${kind} ${name}`
  const sighting = counts.get(key) ?? { kind, name, count: 0 }
  counts.set(key, { ...sighting, count: sighting.count + 1 })
}

export function writeSightings(): void {
  if (validator === undefined) return
  const lines = [...counts.values()].map((sighting) => `${JSON.stringify(sighting)}\n`)
  counts.clear()
  appendFileSync(join(sightingsOf(process.env['PARLEY_TEST_SUITE'] ?? 'test'), `${process.pid}.jsonl`), lines.join(''))
}

/**
 * Checks an answer, including the events in it, against the contract.
 * @throws Error that lists the differences
 */
export function checkAnswer(
  method: string,
  path: string,
  status: number,
  body: Record<string, unknown>,
  asked?: AskedRegistration,
): void {
  if (validator === undefined) return
  if (typeof body['code'] === 'string') countSighting('error', body['code'])
  const endpoint = validator.findEndpoint(method, path)
  if (endpoint === undefined) {
    // The contract defines errors even for endpoints that it does not define.
    const problems = errorProblems(validator.contract.settings.errorCodes, body)
    if (problems.length > 0) throw mismatchError(method, path, status, body, problems)
    return
  }
  countSighting('endpoint', `${endpoint.method} ${endpoint.path}`)
  if (addedErrors.has(String(body['code'])) && body['result'] === 'error' && typeof body['msg'] === 'string') return
  const events = Array.isArray(body['events']) ? objectsIn(body['events']) : []
  for (const event of events) countSighting('event', [event['type'], event['op']].filter(Boolean).join('/'))
  // The contract does not define a spectator's fields.
  const isRegistration = endpoint.path === '/register' && status === 200 && body['queue_id'] !== null
  if (endpoint.path === '/register' && status === 200) {
    for (const name of Object.keys(body)) if (registerFields.has(name)) countSighting('register field', name)
  }
  const problems = isRegistration
    ? validator.registerErrors(withoutAdditions(body, asked?.clientCapabilities), asked?.fetchEventTypes ?? null)
    : // The server answers 503 without a database and 507 when storage is full; the contract has their codes with 500.
      validator.responseErrors(method, path, [503, 507].includes(status) ? 500 : status, {
        ...withoutFields(body, addedToAnswers.get(`${endpoint.method} ${endpoint.path}`) ?? []),
        ...(events.length > 0 ? { events: events.filter(isInContract).map(withoutLocalId) } : {}),
      })
  if (problems.length > 0) throw mismatchError(method, path, status, body, problems)
}

export function recordFile(method: string, path: string): void {
  const endpoint = validator?.findEndpoint(method, path)
  if (endpoint !== undefined) countSighting('endpoint', `${endpoint.method} ${endpoint.path}`)
}

function errorProblems(documented: readonly DocumentedError[], body: Record<string, unknown>): Problem[] {
  const forms = documented.filter(({ code }) => code === body['code'])
  if (forms.length === 0) return []
  const isComplete = forms.some(({ extraFields = [] }) => extraFields.every((field) => field in body))
  return [
    ...(body['result'] === 'error' && typeof body['msg'] === 'string'
      ? []
      : [{ path: '/', message: 'is not an error' }]),
    ...(isComplete ? [] : [{ path: '/code', message: 'lacks fields that the contract requires' }]),
  ]
}

function mismatchError(
  method: string,
  path: string,
  status: number,
  body: Record<string, unknown>,
  problems: readonly Problem[],
): Error {
  const listed = problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n')
  const text = JSON.stringify(body).slice(0, 2_000)
  return new Error(`${method} ${path} (${status}) does not fit the contract:\n${listed}\n${text}`)
}

/** Removes `local_id`, which is in the contract's text but not in its field list. */
function withoutLocalId(event: Record<string, unknown>): Record<string, unknown> {
  const { local_id: _, ...rest } = event
  if (event['type'] === 'message') return rest
  const added = addedToEvents.get([event['type'], event['op']].filter(Boolean).join('/')) ?? []
  return withoutFields(event, added)
}

function isInContract({ type }: Record<string, unknown>): boolean {
  return typeof type !== 'string' || !addedEventTypes.has(type)
}

function withoutFields(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const others = Object.entries(record).filter(([name]) => !names.includes(name))
  return Object.fromEntries(
    others.map(([name, value]) => {
      const inner = names.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1))
      return [name, inner.length === 0 ? value : withoutInnerFields(value, inner)]
    }),
  )
}

function withoutInnerFields(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutInnerFields(item, names))
  return isObject(value) ? withoutFields(value, names) : value
}
