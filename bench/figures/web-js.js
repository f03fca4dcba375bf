import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatNumber } from '../figure.js'
import { BUILT_CLIENT } from '../parts/web.js'

const MAX_CSS_KB = 20
const MAX_CHUNK_KB = 50
const MAX_TOTAL_KB = 300
const MAX_RENDERER_KB = 200

/** @type {import('../figure.js').Figure} */
export const webJs = {
  id: 'web-js',
  name: "compressed scripts of the web client's first screen",
  unit: 'KB',
  goal: { atMost: 110 },
  async measure() {
    const shell = readFileSync(join(BUILT_CLIENT, 'shell.html'), 'utf8')
    const first = importedFiles([...shell.matchAll(/\/assets\/([\w-]+\.(?:js|css))/g)].map(([, name = '']) => name))
    const all = importedFiles(first, ANY_IMPORT)
    const lazy = all.filter((name) => !first.includes(name))
    const js = totalKilobytes(first.filter((name) => name.endsWith('.js')))
    const css = totalKilobytes(first.filter((name) => name.endsWith('.css')))
    const largest = Math.max(0, ...lazy.map(compressedKilobytes))
    // The client loads the renderer in a worker, and only when the user starts writing.
    const worker = readFileSync(join(BUILT_CLIENT, 'sw.js'), 'utf8')
    const renderer = importedFiles(
      [...worker.matchAll(/\/assets\/(renderer-\w+\.js)/g)].map(([, name = '']) => name),
      ANY_IMPORT,
    )
    return {
      value: js,
      holds:
        css <= MAX_CSS_KB &&
        largest <= MAX_CHUNK_KB &&
        js + totalKilobytes(lazy) <= MAX_TOTAL_KB &&
        totalKilobytes(renderer) <= MAX_RENDERER_KB,
      notes: [
        `styles of the first screen: ${formatNumber(css)} KB, at most ${MAX_CSS_KB}`,
        `${lazy.length} lazily loaded parts, the largest ${formatNumber(largest)} KB, at most ${MAX_CHUNK_KB}`,
        `everything except the message renderer: ${formatNumber(js + totalKilobytes(lazy))} KB, at most ${MAX_TOTAL_KB}`,
        `message renderer, loaded for writing: ${formatNumber(totalKilobytes(renderer))} KB, at most ${MAX_RENDERER_KB}; largest part, for formulas: ${formatNumber(Math.max(0, ...renderer.map(compressedKilobytes)))} KB`,
      ],
    }
  },
}

/** Static imports in bundled files: `from"./chunk-A.js"`, `import"./chunk-A.js"`. */
const STATIC_IMPORT = /(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g
const ANY_IMPORT = /["'`]\.\/([\w-]+\.(?:js|css))["'`]/g

/** @param {readonly string[]} names @param {RegExp} [imports] */
function importedFiles(names, imports = STATIC_IMPORT) {
  const found = [...names]
  for (let index = 0; index < found.length; index += 1) {
    const text = readFileSync(join(BUILT_CLIENT, found[index] ?? ''), 'utf8')
    for (const [, name = ''] of text.matchAll(imports)) if (!found.includes(name) && isBuiltFile(name)) found.push(name)
  }
  return found
}

/** @param {string} name */
function isBuiltFile(name) {
  return readdirSync(BUILT_CLIENT).includes(name)
}

/** @param {readonly string[]} names */
function totalKilobytes(names) {
  return names.reduce((total, name) => total + compressedKilobytes(name), 0)
}

/** @param {string} name */
function compressedKilobytes(name) {
  const compressed = join(BUILT_CLIENT, `${name}.gz`)
  return (
    readFileSync(readdirSync(BUILT_CLIENT).includes(`${name}.gz`) ? compressed : join(BUILT_CLIENT, name)).length / 1000
  )
}
