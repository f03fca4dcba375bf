import { cookieName } from '../http/session-cookie.ts'
import type { DocumentedOperation } from './openapi-paths.ts'
import type { DescribedEvent, Parameter } from './reference.ts'
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
    headers: HEADERS,
    responses: RESPONSES,
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

export function deprecatedName(aliasOf: string): object {
  return { deprecated: true, description: `Deprecated name of \`${aliasOf}\`.` }
}

function formSchema(form: readonly Parameter[]): JsonSchema {
  const required = form.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(
      form.map(({ name, schema, aliasOf }) => [
        name,
        aliasOf === undefined ? schema : { ...schema, ...deprecatedName(aliasOf) },
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

const HEADERS = {
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

const RESPONSES = {
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
