/** @import { $ZodObjectDef, $ZodType, $ZodTypes as Schema } from 'zod/v4/core' */
/** @typedef {ReadonlyMap<unknown, string>} Names names of the schemas that have one */

/** A schema's input type. @param {$ZodType} declared @param {Names} names @param {string} indent of the first line */
export function typeText(declared, names, indent = '') {
  const name = names.get(declared)
  return name ?? anonymousText(declared, names, indent)
}

/** @param {$ZodType} declared @param {Names} names @param {string} indent @returns {string} */
export function anonymousText(declared, names, indent = '') {
  /** @param {$ZodType} inner */
  const text = (inner) => typeText(inner, names, indent)
  // Safe: zod declares a schema by its base type; `Schema` is the union of all kinds.
  const { def } = /** @type {Schema} */ (declared)._zod
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'unknown':
    case 'never':
      return def.type
    case 'literal':
      return unionText(def.values.map((value) => JSON.stringify(value)))
    case 'enum':
      return unionText(Object.values(def.entries).map((value) => JSON.stringify(value)))
    case 'union':
      return unionText(def.options.map(text))
    case 'nullable':
      return unionText([text(def.innerType), 'null'])
    case 'optional':
    case 'default':
    case 'prefault':
      return unionText([text(def.innerType), 'undefined'])
    case 'pipe':
      return text(def.in)
    case 'array':
      return listText(text(def.element))
    case 'tuple':
      return `[${def.items.map(text).join(', ')}]`
    case 'record':
      return `Record<${text(def.keyType)}, ${text(def.valueType)}>`
    case 'object':
      return objectText(def, names, indent)
    default:
      throw new Error(`${def.type}: schemas of this kind have no known type`)
  }
}

/** @param {readonly string[]} types */
function unionText(types) {
  return [...new Set(types)].join(' | ')
}

/** @param {string} element */
function listText(element) {
  return /^\w+$/.test(element) ? `${element}[]` : `Array<${element}>`
}

/** @param {$ZodType} declared @returns {boolean} */
function isOptional(declared) {
  // Safe: zod declares a schema by its base type; `Schema` is the union of all kinds.
  const { def } = /** @type {Schema} */ (declared)._zod
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return true
    case 'nullable':
      return isOptional(def.innerType)
    case 'pipe':
      return isOptional(def.in)
    case 'union':
      return def.options.some(isOptional)
    default:
      return false
  }
}

/** @param {$ZodObjectDef} def @param {Names} names @param {string} indent */
function objectText({ shape, catchall }, names, indent) {
  const inner = `${indent}  `
  const fields = Object.entries(shape).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${inner}${key}${isOptional(schema) ? '?' : ''}: ${typeText(schema, names, inner)}\n`
  })
  // Strict objects accept no other fields.
  const takesOthers = catchall !== undefined && catchall._zod.def.type !== 'never'
  const others = takesOthers ? [`${inner}[field: string]: ${typeText(catchall, names, inner)}\n`] : []
  const all = [...fields, ...others]
  return all.length === 0 ? 'Record<string, never>' : `{\n${all.join('')}${indent}}`
}
