import { dirname, resolve } from 'node:path'
import { kindOf } from './small.js'
import { constantsOf, applyEdits, createSourceError } from './source.js'

/** @import { Kind } from './small.js' @import { Read, Source } from './source.js' */

const CONTRACT = '@parley/server/contract'

/** Maps each capability to its contract's file. @param {Source} contract @returns {Map<string, string>} */
function capabilitiesOf(contract) {
  return new Map(
    contract.program.body.map((statement) => {
      if (statement.type !== 'ExportAllDeclaration' || statement.exported?.type !== 'Identifier')
        throw createSourceError(
          contract,
          statement,
          'the contract only exports the contracts of capabilities, each as a whole',
        )
      return [statement.exported.name, resolve(dirname(contract.path), statement.source.value)]
    }),
  )
}

/** Includes re-exports. @param {Read} read @param {string} path @param {Kind} kind @returns {string[]} */
function namesOfKind(read, path, kind) {
  const source = read(path)
  const own = [...constantsOf(source)].filter(({ value, isExported }) => isExported && kindOf(source, value) === kind)
  const passedOn = source.program.body.flatMap((statement) =>
    statement.type === 'ExportAllDeclaration' && statement.exported === null
      ? namesOfKind(read, resolve(dirname(path), statement.source.value), kind)
      : [],
  )
  return [...own.map(({ name }) => name), ...passedOn]
}

/** Generates a module that replaces `client/src/events.ts` in browsers. @param {Read} read @param {string} contract */
export function eventsModule(read, contract) {
  const capabilities = [...capabilitiesOf(read(contract))]
  return [
    ...capabilities.map(([name, path]) => namespaceImport(name, path)),
    'export const events = [',
    ...capabilities.flatMap(([name, path]) => namesOfKind(read, path, 'event').map((event) => `  ${name}.${event},`)),
    ']',
  ].join('\n')
}

/** @param {Read} read @param {string} contract @param {string} client */
export function fullClientModule(read, contract, client) {
  const capabilities = [...capabilitiesOf(read(contract))]
  return [
    `export * from ${JSON.stringify(client)}`,
    ...capabilities.flatMap(([capability, path]) => [
      namespaceImport(`${capability}Contract`, path),
      `export const ${capability} = {`,
      ...[...namesOfKind(read, path, 'endpoint'), ...namesOfKind(read, path, 'event')].map(
        (name) => `  ${name}: ${capability}Contract.${name},`,
      ),
      '}',
    ]),
  ].join('\n')
}

/** Lets the bundler drop unused exports. @param {Read} read @param {Source} source @param {string} contract */
export function importByCapability(read, source, contract) {
  const edits = source.program.body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') return []
    if (statement.source.value !== CONTRACT) return []
    const { start, end, specifiers } = statement
    const capabilities = capabilitiesOf(read(contract))
    const text = specifiers.map((specifier) => {
      const imported = specifier.type === 'ImportSpecifier' ? specifier.imported : undefined
      const path = imported?.type === 'Identifier' ? capabilities.get(imported.name) : undefined
      if (path === undefined)
        throw createSourceError(source, specifier, 'a client must name the capabilities that it imports')
      return specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'
        ? ''
        : namespaceImport(specifier.local.name, path)
    })
    return [{ start, end, text: text.join('; ') }]
  })
  return applyEdits(source, edits)
}

/** @param {string} name @param {string} path */
function namespaceImport(name, path) {
  return `import * as ${name} from ${JSON.stringify(path)}`
}
