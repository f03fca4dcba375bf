import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Generates declarations for the modules that the client's index exports, keyed by file name. The types of API
 * declarations come from `types.d.ts` and `contract.d.ts`, without schemas.
 * @param {string} root repository root
 */
export async function clientDeclarations(root) {
  const { isolatedDeclarationSync } = await import('rolldown/experimental')
  /** @type {Map<string, string>} */
  const files = new Map()
  const left = [join(root, 'client/src/index.ts')]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const name = nameOf(path)
    if (files.has(name)) continue
    const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, 'utf8'))
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
    const text = code.replace(/(?<= from )"([^"]+)"/g, (_, imported) => {
      const { file, source } = locateModule(root, imported)
      if (source !== undefined) left.push(source)
      return JSON.stringify(`./${file}.js`)
    })
    files.set(name, text)
  }
  return files
}

/** @param {string} path */
function nameOf(path) {
  return path.replace(/^.*\//, '').replace(/\.ts$/, '')
}

/**
 * Finds a module's declaration file in the package, and its source.
 * @param {string} root @param {string} imported import specifier @returns {{ file: string, source?: string }}
 */
function locateModule(root, imported) {
  if (imported === '@parley/server/contract') return { file: 'contract' }
  if (imported === './types.ts') return { file: 'types' }
  const own = /^\.\/([\w-]+)\.ts$/.exec(imported)?.[1]
  if (own !== undefined) return { file: own, source: join(root, `client/src/${own}.ts`) }
  const kernel = /^@parley\/server\/kernel\/([\w-]+)$/.exec(imported)?.[1]
  if (kernel !== undefined) return { file: kernel, source: join(root, `server/src/kernel/${kernel}.ts`) }
  throw new Error(`${imported}: the types of the client name a module that its package does not have`)
}
