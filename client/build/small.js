import { constantsOf, applyEdits, createSourceError } from './source.js'

/** @import { Expression, Source } from './source.js' */
/** @typedef {import('rolldown/utils').ESTree.ObjectExpression} ObjectExpression */

/** Fields of declarations that clients need at run time. */
const CLIENT_FIELDS = {
  endpoint: ['method', 'path', 'file', 'isWebhook'],
  event: ['type', 'op', 'touches', 'touchesNamed', 'apply'],
}

/** @typedef {keyof typeof CLIENT_FIELDS} Kind */

/** @param {Source} source @param {Expression} value @returns {Kind | undefined} */
export function kindOf({ program }, value) {
  if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier') return undefined
  const { name } = value.callee
  if (name !== 'endpoint' && name !== 'event') return undefined
  const isDeclarer = program.body.some(
    (statement) =>
      statement.type === 'ImportDeclaration' &&
      statement.source.value.endsWith(`/kernel/${name}.ts`) &&
      statement.specifiers.some(({ local }) => local.name === name),
  )
  return isDeclarer ? name : undefined
}

/**
 * Reduces a server module for clients: declarations keep only the needed fields. Other constants become pure calls of
 * arrow functions: the bundler drops the unused calls, and esbuild inlines the rest.
 * @param {Source} source
 */
export function keepClientFields(source) {
  const edits = [...constantsOf(source)]
    .filter(({ value }) => !isLiteralOrFunction(value))
    .map(({ value }) => {
      const { start, end } = value
      const kind = kindOf(source, value)
      const text =
        kind === undefined
          ? `/* @__PURE__ */ (() => (${source.text.slice(start, end)}))()`
          : clientDeclaration(source, kind, value)
      return { start, end, text }
    })
  return applyEdits(source, edits)
}

/** Whether the bundler can drop or inline the value even outside a pure call. @param {Expression} value */
function isLiteralOrFunction({ type }) {
  return type === 'Literal' || type === 'ArrowFunctionExpression' || type === 'FunctionExpression'
}

/** @param {Source} source @param {Kind} kind @param {Expression} value */
function clientDeclaration(source, kind, value) {
  const given = value.type === 'CallExpression' ? value.arguments[0] : undefined
  if (given?.type !== 'ObjectExpression') throw createSourceError(source, value, `${kind}() requires an object literal`)
  return `({ ${fieldsOf(source, kind, given).join(', ')} })`
}

/** Expands spreads. @param {Source} source @param {Kind} kind @param {ObjectExpression} object @returns {string[]} */
function fieldsOf(source, kind, object) {
  return object.properties.flatMap((property) => {
    if (property.type === 'SpreadElement') return fieldsOf(source, kind, findSpreadObject(source, property.argument))
    const { key, start, end } = property
    if (property.computed || key.type !== 'Identifier')
      throw createSourceError(source, property, `${kind}() takes fields with names that are written out`)
    return CLIENT_FIELDS[kind].includes(key.name) ? [source.text.slice(start, end)] : []
  })
}

/** @param {Source} source @param {Expression} spread @returns {ObjectExpression} */
function findSpreadObject(source, spread) {
  const name = spread.type === 'Identifier' ? spread.name : undefined
  const found = [...constantsOf(source)].find((constant) => constant.name === name)?.value
  const object = found?.type === 'TSAsExpression' ? found.expression : found
  if (object?.type !== 'ObjectExpression')
    throw createSourceError(source, spread, 'only a constant object of the same module can be spread in a declaration')
  return object
}
