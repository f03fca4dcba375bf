import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The API contract with its validator lies beside the repository where it is developed. The tests run without it. */
const VALIDATOR = fileURLToPath(new URL('../../../../shared/contract/validate.mjs', import.meta.url))

/** Folder to which the workers of a suite (`test`, `sweep`) write what they saw of the contract. */
export function sightingsOf(suite: string): string {
  return fileURLToPath(new URL(`../../../coverage/${suite}-contract`, import.meta.url))
}

/** Something that the contract names, as often as it occurred. */
export interface Sighting {
  readonly kind: 'endpoint' | 'error' | 'event' | 'register field'
  readonly name: string
  readonly count: number
}

/** What an error carries beside its code. A code that carries one thing or another is listed for each. */
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
  ? // The validator's functions as its own documentation lists them.
    ((await import(/* @vite-ignore */ VALIDATOR)) as Validator)
  : undefined

/** What a registration asked for, on which depends what it is answered. */
export interface AskedRegistration {
  readonly fetchEventTypes: readonly string[] | null
  /** `client_capabilities` as the request has it. */
  readonly clientCapabilities: unknown
}

/** What the contract does not know, by the client capability that asks for it, or the capability that brings it. */
interface Additions {
  readonly [clientCapability: string]: {
    /** Fields of the register response. */
    readonly register: readonly string[]
    /** Fields of the register response that are left out, with a value that the contract takes. */
    readonly replaces?: Readonly<Record<string, unknown>>
    /** Fields of events, by `type` or `type/op`. What the queue that gets them asked for, this check does not see. */
    readonly events?: Readonly<Record<string, readonly string[]>>
    /** Types of events that the contract does not have. */
    readonly eventTypes?: readonly string[]
    /** Fields of answers that a parameter of ours asks for, by `METHOD /path`. */
    readonly answers?: Readonly<Record<string, readonly string[]>>
    /** Codes of errors that come to credentials of ours alone. */
    readonly errors?: readonly string[]
  }
}

/** Each capability lists its own in `testing/additions.json`. All else is checked, and so are these where they were not asked for. */
function readAdditions(): Additions {
  const folder = new URL('../capabilities/', import.meta.url)
  const files = readdirSync(folder).map((name) => new URL(`${name}/testing/additions.json`, folder))
  const found = files.filter((file) => existsSync(file))
  // As declared above; a file that is otherwise leaves its fields unknown.
  return Object.assign({}, ...found.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Additions)) as Additions
}

const additions = readAdditions()

/** The answer as it would be for a client that asked for nothing that the contract does not know. */
function withoutAdditions(body: Record<string, unknown>, clientCapabilities: unknown): Record<string, unknown> {
  const understood = (clientCapabilities ?? {}) as Readonly<Record<string, unknown>> // names and whether they are understood
  const asked = Object.entries(additions).flatMap(([name, addition]) => (understood[name] === true ? [addition] : []))
  const added = asked.flatMap(({ register }) => register)
  const replaced = Object.fromEntries(asked.flatMap(({ replaces = {} }) => Object.entries(replaces)))
  return { ...replaced, ...withoutFields(body, added) }
}

/** The fields of events that the contract does not know, by `type` or `type/op`. */
const addedToEvents = new Map(
  Object.values(additions).flatMap(({ events = {} }) => Object.entries(events).map(([name, fields]) => [name, fields])),
)

/** The types of events that the contract does not know. */
const addedEventTypes = new Set(Object.values(additions).flatMap(({ eventTypes = [] }) => eventTypes))

/** The fields of answers that the contract does not know, by `METHOD /path`. */
const addedToAnswers = new Map(Object.values(additions).flatMap(({ answers = {} }) => Object.entries(answers)))

/** The codes of errors that the contract does not know: none that comes to a client that knows the contract alone. */
const addedErrors = new Set(Object.values(additions).flatMap(({ errors = [] }) => errors))

/** The fields of the register response that the contract knows. */
const registerFields = new Set(validator?.contract.register.fields.map(({ field }) => field))

const counts = new Map<string, Sighting & { count: number }>()

function note(kind: Sighting['kind'], name: string): void {
  const key = `${kind} ${name}`
  const sighting = counts.get(key) ?? { kind, name, count: 0 }
  counts.set(key, { ...sighting, count: sighting.count + 1 })
}

/** Writes what this process saw; called when a test file's server closes. */
export function writeSightings(): void {
  if (validator === undefined) return
  const lines = [...counts.values()].map((sighting) => `${JSON.stringify(sighting)}\n`)
  counts.clear()
  appendFileSync(join(sightingsOf(process.env['PARLEY_TEST_SUITE'] ?? 'test'), `${process.pid}.jsonl`), lines.join(''))
}

/**
 * Checks an answer and its events against the contract.
 * @throws Error that lists what does not fit
 */
export function checkAnswer(
  method: string,
  path: string,
  status: number,
  body: Record<string, unknown>,
  asked?: AskedRegistration,
): void {
  if (validator === undefined) return
  if (typeof body['code'] === 'string') note('error', body['code'])
  const endpoint = validator.findEndpoint(method, path)
  if (endpoint === undefined) {
    // Of endpoints that the contract does not have, it knows the errors.
    const problems = errorProblems(validator.contract.settings.errorCodes, body)
    if (problems.length > 0) throw misfit(method, path, status, body, problems)
    return
  }
  note('endpoint', `${endpoint.method} ${endpoint.path}`)
  if (addedErrors.has(String(body['code'])) && body['result'] === 'error' && typeof body['msg'] === 'string') return
  const events = Array.isArray(body['events']) ? (body['events'] as Record<string, unknown>[]) : []
  for (const event of events) note('event', [event['type'], event['op']].filter(Boolean).join('/'))
  // Which fields a spectator gets, the contract leaves open.
  const isRegistration = endpoint.path === '/register' && status === 200 && body['queue_id'] !== null
  if (endpoint.path === '/register' && status === 200) {
    for (const name of Object.keys(body)) if (registerFields.has(name)) note('register field', name)
  }
  const problems = isRegistration
    ? validator.registerErrors(withoutAdditions(body, asked?.clientCapabilities), asked?.fetchEventTypes ?? null)
    : // A server whose database is away says so with 503, one without room with 507; the contract has their code with 500.
      validator.responseErrors(method, path, [503, 507].includes(status) ? 500 : status, {
        ...withoutFields(body, addedToAnswers.get(`${endpoint.method} ${endpoint.path}`) ?? []),
        ...(events.length > 0 ? { events: events.filter(isInContract).map(plain) } : {}),
      })
  if (problems.length > 0) throw misfit(method, path, status, body, problems)
}

/** What is fetched as a file occurs, too, and there is nothing in it to check. */
export function noteFile(method: string, path: string): void {
  const endpoint = validator?.findEndpoint(method, path)
  if (endpoint !== undefined) note('endpoint', `${endpoint.method} ${endpoint.path}`)
}

function errorProblems(documented: readonly DocumentedError[], body: Record<string, unknown>): Problem[] {
  const forms = documented.filter(({ code }) => code === body['code'])
  if (forms.length === 0) return []
  const isComplete = forms.some(({ extraFields = [] }) => extraFields.every((field) => field in body))
  return [
    ...(body['result'] === 'error' && typeof body['msg'] === 'string' ? [] : [{ path: '/', message: 'is no error' }]),
    ...(isComplete ? [] : [{ path: '/code', message: 'lacks what it carries by the contract' }]),
  ]
}

function misfit(
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

/**
 * The specification's own text says that a message event carries the sender's `local_id`; the contract lists it only
 * under its other name, `local_message_id`. The text wins, so the validator is not shown the former.
 */
function plain(event: Record<string, unknown>): Record<string, unknown> {
  const { local_id: _, ...rest } = event
  if (event['type'] === 'message') return rest
  const added = addedToEvents.get([event['type'], event['op']].filter(Boolean).join('/')) ?? []
  return withoutFields(event, added)
}

function isInContract({ type }: Record<string, unknown>): boolean {
  return typeof type !== 'string' || !addedEventTypes.has(type)
}

function withoutFields(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}
