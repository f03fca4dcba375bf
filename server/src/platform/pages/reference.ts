import { SPECTATOR_RATES, type Endpoint, type Method } from '../../kernel/endpoint.ts'
import { eventName } from '../../kernel/event.ts'
import { ERRORS, type ErrorCode } from '../../kernel/refusal.ts'
import type { Capability } from '../capability.ts'
import type { ApiNames } from '../http/names.ts'
import { isJsonEncoded, objectSchema, wireName, wireValue, type JsonSchema } from './schema.ts'

export interface Reference {
  readonly groups: readonly ReferenceGroup[]
}

export interface ReferenceGroup {
  readonly capability: string
  readonly operations: readonly Operation[]
  readonly events: readonly DescribedEvent[]
}

export interface Operation {
  readonly id: string
  readonly capability: string
  readonly method: Method
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  /** Empty if the summary is enough. */
  readonly description: string
  readonly since: number
  readonly login: 'required' | 'optional' | 'none'
  readonly parameters: readonly Parameter[]
  /** Schema of the response without its envelope, such as `result`. */
  readonly answer: JsonSchema
  readonly isStream: boolean
  readonly errors: readonly DescribedError[]
  /** Errors implied by parameters and login. */
  readonly generalErrors: readonly DescribedError[]
}

export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'form' | 'header'
  readonly schema: JsonSchema
  readonly required: boolean
  readonly json: boolean
  readonly file?: true
  /** Current name of a deprecated parameter. */
  readonly aliasOf?: string
}

export interface DescribedError {
  readonly code: string
  readonly status: number
}

export interface DescribedEvent {
  readonly name: string
  readonly capability: string
  readonly type: string
  readonly op?: string
  readonly summary: string
  readonly schema: JsonSchema
}

export type DescribedCapability = Pick<Capability, 'name' | 'routes' | 'events'>

export function describeApi(capabilities: readonly DescribedCapability[], names: ApiNames): Reference {
  const groups = capabilities
    .map(({ name: capability, routes, events }) => ({
      capability,
      operations: routes.map(({ endpoint }) => describeOperation(capability, endpoint, names)),
      events: events.map(({ event }) => describeEvent(capability, event, names)),
    }))
    .filter(({ operations, events }) => operations.length + events.length > 0)
  return { groups }
}

function describeOperation(capability: string, endpoint: Endpoint, names: ApiNames): Operation {
  const parameters = describeParameters(endpoint, names)
  const login = endpoint.forSpectators === true ? 'optional' : (endpoint.authentication ?? 'required')
  return {
    id: endpoint.id,
    capability,
    method: endpoint.method,
    path: endpoint.path.replace(/:(\w+)\*?/g, (_, name: string) => `{${wireName(names, name)}}`),
    summary: endpoint.summary,
    description: [endpoint.description, rateText(endpoint), tokenAccessText(endpoint)]
      .filter((text) => text !== undefined)
      .join(' '),
    since: endpoint.since,
    login,
    parameters,
    answer: allowOtherFields(objectSchema(endpoint.output, names)),
    isStream: endpoint.stream !== undefined,
    errors: endpoint.errors.map((code) => describeError(code, names)),
    generalErrors: generalErrors(endpoint, parameters, login)
      .filter((code) => !endpoint.errors.includes(code))
      .map((code) => describeError(code, names)),
  }
}

function rateText({ ratePerAddress: rate, forSpectators }: Endpoint): string | undefined {
  if (forSpectators === true) {
    const { count, seconds } = SPECTATOR_RATES.requests
    return `Answers without authentication about web-public channels, ${count} requests in ${seconds} seconds per network address.`
  }
  if (rate === undefined) return undefined
  const beside = rate.isApart === true ? ', counted separately from other requests' : ''
  return `A network address can make ${rate.count} requests in ${rate.seconds} seconds${beside}.`
}

/** Allows other fields, because the fields of the envelope are in the same object. */
function allowOtherFields(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...fields } = schema
  return typeof additionalProperties === 'object' ? { ...fields, additionalProperties } : fields
}

function describeParameters(endpoint: Endpoint, names: ApiNames): Parameter[] {
  const { properties = {}, required = [] } = objectSchema(endpoint.input, names)
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => wireName(names, name)))
  const isInQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE' || endpoint.isWebhook === true
  const elsewhere = isInQuery ? 'query' : 'form'
  const own = Object.entries(properties).map(([name, schema]): Parameter => ({
    name,
    place: inPath.has(name) ? 'path' : elsewhere,
    schema,
    required: required.includes(name),
    json: isJsonEncoded(schema),
  }))
  const aliases = Object.entries(endpoint.aliases ?? {}).flatMap(([alias, name]): Parameter[] => {
    const meant = own.find((parameter) => parameter.name === wireName(names, name))
    return meant === undefined ? [] : [{ ...meant, name: alias, required: false, aliasOf: meant.name }]
  })
  const { file, stream } = endpoint
  return [
    ...own,
    ...aliases,
    ...(file === undefined ? [] : [FILE_PARAMETER]),
    ...(stream === undefined ? [] : [lastEventParameter(wireName(names, stream.after))]),
  ]
}

/** Describes the header `Last-Event-ID`, which is equivalent to the parameter `after`. */
function lastEventParameter(after: string): Parameter {
  return {
    name: 'Last-Event-ID',
    place: 'header',
    schema: { type: 'integer', description: `For a stream: used instead of \`${after}\`.` },
    required: false,
    json: false,
  }
}

const FILE_PARAMETER: Parameter = {
  name: 'file',
  place: 'form',
  schema: { type: 'string', contentMediaType: 'application/octet-stream', description: 'Under any name.' },
  required: true,
  json: false,
  file: true,
}

function generalErrors({ method }: Endpoint, parameters: readonly Parameter[], login: Operation['login']): ErrorCode[] {
  const sent = parameters.filter(({ place, file }) => place !== 'path' && file !== true)
  return [
    // These errors can occur with any parameters.
    'BAD_REQUEST',
    'INVALID_JSON',
    ...(sent.some(({ required }) => required) ? (['REQUEST_VARIABLE_MISSING'] as const) : []),
    ...(parameters.length > 0 ? (['REQUEST_VARIABLE_INVALID'] as const) : []),
    ...(parameters.some(({ aliasOf }) => aliasOf !== undefined) ? (['REQUEST_CONFUSING_VAR'] as const) : []),
    ...(login !== 'none' ? (['UNAUTHENTICATED_USER', 'INVALID_API_KEY', 'USER_DEACTIVATED'] as const) : []),
    ...(method === 'GET' ? [] : (['CSRF_FAILED'] as const)),
    'NONEXISTENT_SUBDOMAIN',
    'RATE_LIMIT_HIT',
  ]
}

export function describeError(code: ErrorCode, names: ApiNames): DescribedError {
  return { code: String(wireValue(names, 'code', code)), status: ERRORS[code].status }
}

function describeEvent(
  capability: string,
  event: DescribedCapability['events'][number]['event'],
  names: ApiNames,
): DescribedEvent {
  const payload = objectSchema(event.payload, names)
  return {
    name: eventName(event),
    capability,
    type: event.type,
    ...(event.op === undefined ? {} : { op: event.op }),
    summary: event.summary,
    schema: {
      ...payload,
      properties: {
        id: {
          type: 'integer',
          description: 'Increases from event to event; send it as the next `last_event_id`.',
        },
        type: { type: 'string', const: event.type },
        ...(event.op === undefined ? {} : { op: { type: 'string', const: event.op } }),
        ...payload.properties,
      },
      required: ['id', 'type', ...(event.op === undefined ? [] : ['op']), ...(payload.required ?? [])],
    },
  }
}

function tokenAccessText({ forTokens, forChannelTokens }: Endpoint): string | undefined {
  if (forTokens === undefined) return undefined
  const which = forTokens === 'reading' ? 'API tokens' : 'API tokens with write access'
  return `Open to ${which}${forChannelTokens === true ? ', including those limited to some channels' : ''}.`
}
