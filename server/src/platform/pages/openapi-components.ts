import { cookieName } from '../http/session-cookie.ts'
import type { DescribedEvent, Parameter, Operation } from './reference.ts'
import type { JsonSchema } from './schema.ts'

export const JSON_TYPE = 'application/json'

export function componentsObject(
  operations: readonly DocumentedOperation[],
  events: readonly DescribedEvent[],
): object {
  const forms = operations
    .map(({ first, parameters }) => ({ id: first.id, form: parameters.filter(({ place }) => place === 'form') }))
    .filter(({ form }) => form.length > 0)
  return {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'basic',
        description: 'The API email as the user name, and the API key or an API token as the password.',
      },
      apiToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API token, for operations that are open to API tokens.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieName(true),
        description:
          'The session of a browser, which `login` starts. It is used if there is no `Authorization` header and the request ' +
          "comes from a page of the server's own origin, according to `Sec-Fetch-Site` or `Origin`. On a server without " +
          `encryption, the cookie is called \`${cookieName(false)}\`.`,
      },
    },
    headers: HEADER_COMPONENTS,
    responses: RESPONSE_COMPONENTS,
    schemas: {
      Success: SUCCESS_SCHEMA,
      Error: ERROR_SCHEMA,
      ...Object.fromEntries(forms.map(({ id, form }) => [`${id}.form`, formSchema(form)])),
      ...Object.fromEntries(events.map((event) => [eventSchemaName(event), event.schema])),
    },
  }
}

export function schemaReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Joins names by periods: slashes would need escaping in references. */
export function eventSchemaName({ name }: Pick<DescribedEvent, 'name'>): string {
  return `event.${name.replace('/', '.')}`
}

export function deprecatedAlias(aliasOf: string): object {
  return { deprecated: true, description: `Deprecated name of \`${aliasOf}\`.` }
}

function formSchema(form: readonly Parameter[]): JsonSchema {
  const required = form.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      form.map(({ name, schema, aliasOf }) => [
        name,
        aliasOf === undefined ? schema : { ...schema, ...deprecatedAlias(aliasOf) },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  }
}

const SUCCESS_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    result: { type: 'string', const: 'success' },
    msg: { type: 'string', const: '' },
    ignored_parameters_unsupported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Parameters of the request that the endpoint does not have; absent if there were none.',
    },
  },
  required: ['result', 'msg'],
}

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    result: { type: 'string', const: 'error' },
    msg: { type: 'string', description: 'An error message for people.' },
    code: { type: 'string', description: 'An error code for programs. Some codes have additional fields.' },
  },
  required: ['result', 'msg', 'code'],
}

const HEADER_COMPONENTS = {
  RateLimitLimit: { description: 'Requests allowed in the window.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the window.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'UNIX seconds at which the window ends.', schema: { type: 'integer' } },
  Position: {
    description:
      'In the response to an authenticated GET: the log position up to which the response reflects every event; it can ' +
      'reflect later ones. In the response to another method: a log position that includes the change. In a request: the ' +
      'highest position that the client has received; the server first catches up to it.',
    schema: { type: 'integer' },
  },
  RetryAfter: { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
}

const RESPONSE_COMPONENTS = {
  RateLimited: {
    description: '`RATE_LIMIT_HIT`: too many requests.',
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    content: {
      [JSON_TYPE]: {
        schema: {
          allOf: [
            schemaReference('Error'),
            { properties: { code: { const: 'RATE_LIMIT_HIT' }, 'retry-after': { type: 'number' } } },
          ],
        },
      },
    },
  },
  Refused: {
    description: 'Any other error, for example `NONEXISTENT_SUBDOMAIN` if no organization has this host name.',
    content: { [JSON_TYPE]: { schema: schemaReference('Error') } },
  },
}

/* OpenAPI forbids paths that differ only in parameter names, so `/users/{user_id}` and `/users/{email}` are merged. */

export interface DocumentedOperation {
  readonly path: string
  readonly first: Operation
  readonly declared: readonly Operation[]
  readonly parameters: readonly Parameter[]
}

export function documentedOperations(operations: readonly Operation[]): DocumentedOperation[] {
  const byShape = groupBy(operations, ({ path }) => path.replace(/\{\w+\}/g, '{}'))
  return [...byShape.values()].flatMap((sharing) => {
    const path = sharedTemplate(sharing.map((operation) => operation.path))
    return [...groupBy(sharing, ({ method }) => method).values()].flatMap((declared) => {
      const [first] = declared
      if (first === undefined) return []
      const lists = declared.map((operation) => renamePathParameters(operation, path))
      return [{ path, first, declared, parameters: mergeParameters(lists) }]
    })
  })
}

function sharedTemplate(paths: readonly string[]): string {
  const split = paths.map((path) => path.split('/'))
  const [first = []] = split
  return first
    .map((segment, index) => {
      if (!segment.startsWith('{')) return segment
      const names = new Set(split.map((segments) => (segments[index] ?? '').replace(/[{}]/g, '')))
      return `{${[...names].join('_or_')}}`
    })
    .join('/')
}

function renamePathParameters({ path, parameters }: Operation, template: string): Parameter[] {
  const segments = template.split('/')
  const names = new Map(path.split('/').map((segment, index) => [segment, segments[index] ?? segment]))
  return parameters.map((parameter) => {
    if (parameter.place !== 'path') return parameter
    const name = names.get(`{${parameter.name}}`) ?? parameter.name
    return { ...parameter, name: name.replace(/[{}]/g, '') }
  })
}

/** Merges parameters; those missing or optional in one list become optional. */
function mergeParameters(lists: readonly (readonly Parameter[])[]): Parameter[] {
  return [...groupBy(lists.flat(), ({ name }) => name).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const required = first.place === 'path' || (same.length === lists.length && same.every((one) => one.required))
    return [{ ...first, required, schema: unionSchema(same.map(({ schema }) => schema)) }]
  })
}

export function unionSchema(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only] = distinct
  return distinct.length === 1 && only !== undefined ? only : { anyOf: distinct }
}

/** Groups in order of first occurrence. (`Map.groupBy` requires Node 21.) */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
