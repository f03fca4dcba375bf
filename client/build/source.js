import { readFileSync } from 'node:fs'

/** @typedef {import('rolldown/utils').ESTree.Program} Program */
/** @typedef {import('rolldown/utils').ESTree.Expression} Expression */
/** @typedef {{ readonly path: string, readonly text: string, readonly program: Program }} Source */
/** @typedef {(path: string) => Source} Read */
/** @typedef {{ readonly start: number, readonly end: number, readonly text: string }} Edit */

/** Imports the parser late: scripts load this module before dependencies are installed. @returns {Promise<Read>} */
export async function createSourceReader() {
  const { parseAst } = await import('rolldown/parseAst')
  return (path) => {
    const text = readFileSync(path, 'utf8')
    return { path, text, program: parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path) }
  }
}

/** @param {Source} source @param {readonly Edit[]} edits in order, without overlaps */
export function applyEdits({ text }, edits) {
  let [result, done] = ['', 0]
  for (const edit of edits) {
    result += text.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return result + text.slice(done)
}

/** Uses esbuild's format. @param {Source} source @param {{ readonly start: number }} node @param {string} problem */
export function createSourceError({ path, text }, { start }, problem) {
  return new Error(`${path}:${text.slice(0, start).split('\n').length}: ${problem}`)
}

/** @param {Source} source */
export function* constantsOf({ program }) {
  for (const statement of program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init !== null) yield { name: id.name, value: init, isExported }
    }
  }
}
