import { constantsOf, edited, wrong } from './source.js'

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Expression} Expression */
/** @typedef {import('rolldown/utils').ESTree.ObjectExpression} ObjectExpression */

/** What a client needs of a declaration at run time, by the function that declares it. */
const KEPT = {
  endpoint: ['method', 'path', 'file', 'isWebhook'],
  event: ['type', 'op', 'touches', 'touchesNamed', 'apply'],
}

/** @typedef {keyof typeof KEPT} Kind */

/**
 * The kind of a declaration, where the value of a constant is one.
 * @param {Source} source
 * @param {Expression} value
 * @returns {Kind | undefined}
 */
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
 * A module of the server for clients: of its declarations it keeps what clients need, and every other constant is
 * marked as one that may be left out where nothing names it. The arrow function is what the mark covers, with all
 * that is called in it; esbuild writes its value in its place.
 * @param {Source} source
 */
export function small(source) {
  const edits = [...constantsOf(source)]
    .filter(({ value }) => !isPlain(value))
    .map(({ value }) => {
      const { start, end } = value
      const kind = kindOf(source, value)
      const text =
        kind === undefined
          ? `/* @__PURE__ */ (() => (${source.text.slice(start, end)}))()`
          : keptOf(source, kind, value)
      return { start, end, text }
    })
  return edited(source, edits)
}

/** Whether the builder sees by itself that the value costs nothing, or puts it where it is named. @param {Expression} value */
function isPlain({ type }) {
  return type === 'Literal' || type === 'ArrowFunctionExpression' || type === 'FunctionExpression'
}

/**
 * @param {Source} source
 * @param {Kind} kind
 * @param {Expression} value
 */
function keptOf(source, kind, value) {
  const given = value.type === 'CallExpression' ? value.arguments[0] : undefined
  if (given?.type !== 'ObjectExpression') throw wrong(source, value, `${kind}() takes an object that is written out`)
  return `({ ${fieldsOf(source, kind, given).join(', ')} })`
}

/**
 * The text of each field that is kept, also of objects of the module that are spread.
 * @param {Source} source
 * @param {Kind} kind
 * @param {ObjectExpression} object
 * @returns {string[]}
 */
function fieldsOf(source, kind, object) {
  return object.properties.flatMap((property) => {
    if (property.type === 'SpreadElement') return fieldsOf(source, kind, spreadIn(source, property.argument))
    const { key, start, end } = property
    if (property.computed || key.type !== 'Identifier')
      throw wrong(source, property, `${kind}() takes fields with names that are written out`)
    return KEPT[kind].includes(key.name) ? [source.text.slice(start, end)] : []
  })
}

/**
 * @param {Source} source
 * @param {Expression} spread
 * @returns {ObjectExpression}
 */
function spreadIn(source, spread) {
  const name = spread.type === 'Identifier' ? spread.name : undefined
  const found = [...constantsOf(source)].find((constant) => constant.name === name)?.value
  const object = found?.type === 'TSAsExpression' ? found.expression : found
  if (object?.type !== 'ObjectExpression')
    throw wrong(source, spread, 'only an object that is a constant of the same module can be spread in a declaration')
  return object
}
