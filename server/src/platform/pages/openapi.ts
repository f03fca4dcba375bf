import { EVENT_STREAM_TYPE } from '../http/event-stream.ts'
import { API_PREFIX } from '../http/routing.ts'
import {
  componentsObject,
  deprecatedAlias,
  eventSchemaName,
  JSON_TYPE,
  schemaReference,
  documentedOperations,
  unionSchema,
  groupBy,
  type DocumentedOperation,
} from './openapi-components.ts'
import type { DescribedError, Operation, Parameter, Reference } from './reference.ts'
import type { JsonSchema } from './schema.ts'

const MULTIPART_TYPE = 'multipart/form-data'
const FORM_TYPES = ['application/x-www-form-urlencoded', MULTIPART_TYPE] as const

const API_DESCRIPTION = `Fields can be sent in a form or in the query, with every method. A field of the media type \
\`application/json\` contains JSON text. Parameters that an endpoint does not have are ignored and listed in \
\`ignored_parameters_unsupported\`. HEAD is supported wherever GET is. \`x-feature-level\` is the feature level that \
introduced an operation, and \`x-events\` lists what \`GET /events\` delivers. The page \`/api\` says the same in \
prose.`

const SECURITY_REQUIREMENTS = [{ apiKey: [] }, { session: [] }]

export function openApiDocument(
  { groups }: Reference,
  facts: { readonly version: string; readonly featureLevel: number },
): object {
  const operations = documentedOperations(groups.flatMap((group) => group.operations))
  const events = groups.flatMap((group) => group.events)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley API',
      version: facts.version,
      summary: 'Team chat: messages, channels, users, and their events.',
      description: API_DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      'x-feature-level': facts.featureLevel,
    },
    servers: [{ url: API_PREFIX, description: 'The server that this document came from.' }],
    security: SECURITY_REQUIREMENTS,
    tags: groups.map(({ capability }) => ({ name: capability })),
    paths: pathsObject(operations),
    components: componentsObject(operations, events),
    'x-events': events.map((event) => ({
      type: event.type,
      ...(event.op === undefined ? {} : { op: event.op }),
      summary: event.summary,
      capability: event.capability,
      payload: schemaReference(eventSchemaName(event)),
    })),
  }
}

function pathsObject(operations: readonly DocumentedOperation[]): object {
  const items = [...groupBy(operations, ({ path }) => path)].map(([path, atPath]): [string, object] => [
    path,
    Object.fromEntries(atPath.map((operation) => [operation.first.method.toLowerCase(), operationObject(operation)])),
  ])
  return Object.fromEntries(items)
}

function operationObject({ first, declared, parameters }: DocumentedOperation): object {
  const form = parameters.filter(({ place }) => place === 'form')
  const others = parameters.filter(({ place }) => place !== 'form')
  return {
    operationId: first.id,
    tags: [...new Set(declared.map(({ capability }) => capability))],
    summary: first.summary,
    ...(first.description === '' ? {} : { description: first.description }),
    ...(declared.length > 1 ? mergedDescription(declared) : {}),
    'x-feature-level': first.since,
    ...securityRequirement(first),
    ...(others.length === 0 ? {} : { parameters: others.map(parameterObject) }),
    ...(form.length === 0 ? {} : { requestBody: requestBodyObject(first.id, form) }),
    responses: responsesObject(declared),
  }
}

function securityRequirement({ login }: Operation): object {
  if (login === 'required') return {}
  return { security: login === 'none' ? [] : [...SECURITY_REQUIREMENTS, {}] }
}

function mergedDescription(declared: readonly Operation[]): object {
  return {
    description: declared
      .map(({ path, summary, description }) => `\`${path}\`: ${summary} ${description}`.trimEnd())
      .join('\n\n'),
    'x-endpoints': declared.map(({ id, path, summary, since }) => ({ id, path, summary, 'x-feature-level': since })),
  }
}

function parameterObject({ name, place, schema, required, json, aliasOf }: Parameter): object {
  const { description = '' } = schema
  return {
    name,
    in: place,
    ...(required ? { required } : {}),
    ...(description === '' ? {} : { description }),
    ...(aliasOf === undefined ? {} : deprecatedAlias(aliasOf)),
    ...(json ? { content: { [JSON_TYPE]: { schema } } } : { schema }),
  }
}

function requestBodyObject(id: string, form: readonly Parameter[]): object {
  const encoding = Object.fromEntries(
    form.filter(({ json }) => json).map(({ name }) => [name, { contentType: JSON_TYPE }]),
  )
  const types = form.some(({ file }) => file === true) ? [MULTIPART_TYPE] : FORM_TYPES
  const media = {
    schema: schemaReference(`${id}.form`),
    ...(Object.keys(encoding).length === 0 ? {} : { encoding }),
  }
  return {
    required: form.some(({ required }) => required),
    content: Object.fromEntries(types.map((type) => [type, media])),
  }
}

/** Status that is documented once for all operations. */
const RATE_LIMITED_STATUS = 429
const SUCCESS_STATUS = 200

function responsesObject(declared: readonly Operation[]): object {
  const errors = declared.flatMap((operation) => [...operation.errors, ...operation.generalErrors])
  const byStatus = groupBy(errors, ({ status }) => status)
  byStatus.delete(RATE_LIMITED_STATUS)
  const refusedAsDone = byStatus.get(SUCCESS_STATUS) ?? []
  byStatus.delete(SUCCESS_STATUS)
  return {
    [SUCCESS_STATUS]: successResponse(declared, refusedAsDone),
    ...Object.fromEntries([...byStatus].map(([status, same]): [number, object] => [status, errorResponse(same)])),
    [RATE_LIMITED_STATUS]: { $ref: '#/components/responses/RateLimited' },
    default: { $ref: '#/components/responses/Refused' },
  }
}

/** `refusedAsDone` are errors with a success status. */
function successResponse(declared: readonly Operation[], refusedAsDone: readonly DescribedError[]): object {
  const fields = unionSchema(declared.map(({ answer }) => answer))
  const isEmpty = fields.anyOf === undefined && Object.keys(fields.properties ?? {}).length === 0
  const envelope = schemaReference('Success')
  const answer = isEmpty ? envelope : { allOf: [envelope, fields] }
  const codes = refusedAsDone.map(({ code }) => `\`${code}\``).join(', ')
  return {
    description: codes === '' ? 'Done.' : `Done, or ${codes}.`,
    headers: {
      'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
      'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
      'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
      ...(reportsPosition(declared) ? { 'Parley-Position': { $ref: '#/components/headers/Position' } } : {}),
    },
    content: {
      [JSON_TYPE]: { schema: codes === '' ? answer : { anyOf: [answer, errorSchema(refusedAsDone)] } },
      ...(declared.some(({ isStream }) => isStream) ? { [EVENT_STREAM_TYPE]: { schema: STREAM_SCHEMA } } : {}),
    },
  }
}

const STREAM_SCHEMA: JsonSchema = {
  type: 'string',
  description:
    'For clients that accept this type. `event: queue` comes first, with the response without its events as JSON in ' +
    '`data`. Each event follows with its `id`, and as JSON in `data`, without a name. Comments show that the stream is ' +
    'still open. An error that ends the stream comes last, as `event: error` with an `Error` in `data`; if the stream ' +
    'ends without one, connect again with `Last-Event-ID`.',
}

/** Whether responses include a log position. Endpoints without login lack it, and `getEvents` has event IDs. */
function reportsPosition(declared: readonly Operation[]): boolean {
  return declared.every(({ id, login }) => login !== 'none' && id !== 'getEvents')
}

function errorResponse(errors: readonly DescribedError[]): object {
  const codes = [...new Set(errors.map(({ code }) => code))]
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { [JSON_TYPE]: { schema: errorSchema(errors) } },
  }
}

function errorSchema(errors: readonly DescribedError[]): object {
  const codes = [...new Set(errors.map(({ code }) => code))]
  return { allOf: [schemaReference('Error'), { properties: { code: { enum: codes } } }] }
}
