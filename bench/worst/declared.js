/* The largest requests for endpoints without handwritten inputs, generated from their declarations. */
import { BODY_BYTES, formRequest, createList, MAX_QUERY_BYTES } from './requests.js'
import { controlText } from './texts.js'

/** Bytes that a control character takes in a form field with JSON; in other fields, it takes only three. */
const CONTROL_CHARACTER_BYTES = 8
/** A nonexistent ID, so that no knowledge of the organization is needed. */
const UNKNOWN_ID = 999_999_999
const MAX_ELEMENTS = 40_000

/**
 * Parts of a JSON schema that limit the size of a value.
 * @typedef {object} Schema @property {string} [$ref] @property {string | readonly string[]} [type]
 * @property {number} [maxLength] @property {number} [maximum] @property {number} [maxItems] @property {unknown} [const]
 * @property {readonly unknown[]} [enum] @property {Schema} [items]
 * @property {Readonly<Record<string, Schema>>} [properties] @property {Schema} [additionalProperties]
 * @property {readonly Schema[]} [anyOf]
 */

/**
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {readonly { name: string, in: string, schema?: Schema, content?: Readonly<Record<string, { schema: Schema }>> }[]} [parameters]
 * @property {{ content: Readonly<Record<string, { schema: Schema }>> }} [requestBody]
 */

/**
 * The parts of an OpenAPI document that this file reads.
 * @typedef {object} Document
 * @property {Readonly<Record<string, Readonly<Record<string, Operation>>>>} paths
 * @property {{ schemas: Readonly<Record<string, Schema>> }} components
 */

/** @param {Document} document @param {ReadonlySet<string>} known @returns {import('./known.js').Inputs} */
export function declaredInputs({ paths, components }, known) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return Object.fromEntries(
    operations
      .filter(({ operation }) => !known.has(operation.operationId))
      .map(({ path, method, operation }) => {
        const schemas = schemasOf(operation, components.schemas)
        const bytes = (method === 'GET' ? MAX_QUERY_BYTES : BODY_BYTES) / 2 / Math.max(1, schemas.length)
        const fields = Object.fromEntries(
          schemas.map(([name, schema]) => [name, largestValue(schema, bytes, components.schemas)]),
        )
        const address = path.replace(/\{(\w+)\}/g, (_, name) => {
          const value = fields[name]
          delete fields[name]
          return encodeURIComponent(String(value).slice(0, 100))
        })
        return [operation.operationId, [formRequest('maximum declared size', `${method} ${address}`, fields)]]
      }),
  )
}

/** @param {Operation} operation @param {Readonly<Record<string, Schema>>} schemas @returns {[string, Schema][]} */
function schemasOf({ parameters = [], requestBody }, schemas) {
  const body = resolveSchema(requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {}, schemas)
  return [
    ...parameters.map(
      ({ name, schema, content }) =>
        /** @type {[string, Schema]} */ ([name, schema ?? content?.['application/json']?.schema ?? {}]),
    ),
    ...Object.entries(body.properties ?? {}),
  ]
}

/** @param {Schema} schema @param {Readonly<Record<string, Schema>>} schemas @returns {Schema} */
function resolveSchema(schema, schemas) {
  return schema.$ref === undefined ? schema : resolveSchema(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)
}

/**
 * @param {Schema} reference @param {number} bytes maximum size in the request
 * @param {Readonly<Record<string, Schema>>} schemas @returns {unknown}
 */
function largestValue(reference, bytes, schemas) {
  const schema = resolveSchema(reference, schemas)
  const inner = schema.anyOf?.[0]
  if (inner !== undefined) return largestValue(inner, bytes, schemas)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'integer':
    case 'number':
      return schema.maximum ?? UNKNOWN_ID
    case 'boolean':
      return true
    case 'array': {
      const element = largestValue(schema.items ?? {}, 100, schemas)
      const most = Math.floor(bytes / encodeURIComponent(`${JSON.stringify(element)},`).length)
      return createList(Math.min(schema.maxItems ?? MAX_ELEMENTS, most), () => element)
    }
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      return Object.fromEntries(
        properties.map(([name, property]) => [name, largestValue(property, bytes / properties.length, schemas)]),
      )
    }
    default:
      return controlText(Math.min(schema.maxLength ?? Infinity, Math.floor(bytes / CONTROL_CHARACTER_BYTES)))
  }
}
