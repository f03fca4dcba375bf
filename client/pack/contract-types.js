import { anonymousText, typeText } from './type-text.js'

/** @import { Endpoint } from '../../server/src/kernel/endpoint.ts' @import { $ZodType as Schema } from 'zod/v4/core' */
/** @import { EventDeclaration } from '../../server/src/kernel/event.ts' @import { Names } from './type-text.js' */
/** @typedef {Readonly<Record<string, Readonly<Record<string, unknown>>>>} Contract exports of each capability */

/** @param {Contract} contract */
export function contractTypes(contract) {
  const names = namesBySchema(contract)
  return [
    "import type { Endpoint, EventDeclaration } from './types.js'\n",
    ...[...names].map(([schema, name]) => `export type ${name} = ${anonymousText(schema, names)}\n`),
    ...Object.entries(contract).map(([capability, exported]) => capabilityText(capability, exported, names)),
  ].join('\n')
}

/** Names record schemas after their exports; the capability prefixes repeated names. @param {Contract} contract */
function namesBySchema(contract) {
  /** @type {Map<Schema, string>} */
  const names = new Map()
  const taken = new Set()
  for (const [capability, exported] of Object.entries(contract)) {
    for (const [name, value] of Object.entries(exported)) {
      if (!isRecord(value) || names.has(value)) continue
      const own = capitalize(name)
      const free = taken.has(own) ? `${capitalize(capability)}${own}` : own
      names.set(value, free)
      taken.add(free)
    }
  }
  return names
}

/** @param {string} word */
function capitalize(word) {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** @param {unknown} value @returns {value is Schema} */
function isRecord(value) {
  if (typeof value !== 'object' || value === null || !('_zod' in value)) return false
  const { def } = /** @type {Schema} */ (value)._zod
  return def.type === 'object' || def.type === 'union'
}

/** @param {string} capability @param {Readonly<Record<string, unknown>>} exported @param {Names} names */
function capabilityText(capability, exported, names) {
  const declarations = Object.entries(exported).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return []
    // Safe: only endpoints have a path.
    if ('path' in value) return [endpointText(name, /** @type {Endpoint} */ (value), names)]
    // Safe: only events have `touches`.
    if ('touches' in value) return [eventText(name, /** @type {EventDeclaration} */ (value), names)]
    return []
  })
  return `export declare const ${capability}: {\n${declarations.join('')}}\n`
}

/** @param {string} name @param {Endpoint} endpoint @param {Names} names */
function endpointText(name, { method, path, summary, description, since, input, output, errors }, names) {
  const codes = errors.map((code) => `\`${code}\``).join(', ')
  const says = [
    summary,
    ...(description === undefined ? [] : [description]),
    `\`${method} ${path}\`${since > 0 ? `, since feature level ${since}` : ''}`,
    ...(codes === '' ? [] : [`@throws ApiError with the codes of every request, and ${codes}`]),
  ]
  const types = [input, output].map((schema) => typeText(schema, names, '  '))
  return `${docComment(says)}  readonly ${name}: Endpoint<${types.join(', ')}>\n`
}

/** @param {string} name @param {EventDeclaration} event @param {Names} names */
function eventText(name, { type, op, summary, payload }, names) {
  const says = [summary, `\`${op === undefined ? type : `${type}/${op}`}\``]
  return `${docComment(says)}  readonly ${name}: EventDeclaration<${typeText(payload, names, '  ')}>\n`
}

/** @param {readonly string[]} lines */
function docComment(lines) {
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}\n`).join('')}   */\n`
}
