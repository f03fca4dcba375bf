/* Runs the file that prepare.js built, and stores the compiled code: compiling takes a fifth of a start's CPU time. */
const fs = require('node:fs')
const { createRequire, SourceMap } = require('node:module')
const path = require('node:path')
const { inspect } = require('node:util')
const { cachedDataVersionTag } = require('node:v8')
const vm = require('node:vm')

/** @param {string} file @param {number} [keepAfter] milliseconds before storing the code that the next start needs */
function load(file, keepAfter) {
  process.on('uncaughtException', printAndExit)
  // prepare.js builds pure ASCII, and Latin-1 is read three times as fast.
  const source = fs.readFileSync(file, 'latin1')
  nameSources(file)
  const kept = compiledCodePath(file, source)
  const cachedData = fs.existsSync(kept) ? fs.readFileSync(kept) : undefined
  const script = new vm.Script(source, { filename: file, cachedData })
  if (keepAfter !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    setTimeout(() => storeCompiledCode(script, kept), keepAfter).unref()
  }
  const module = { exports: {} }
  /** @type {(...values: readonly unknown[]) => void} */
  const program = script.runInThisContext()
  program(module.exports, createRequire(file), module, file)
}

/** Omits the source line, which is extremely long in the built file. @param {unknown} error */
function printAndExit(error) {
  fs.writeSync(process.stderr.fd, `parley: ${inspect(error)}\n`)
  process.exit(1)
}

/**
 * Path of code compiled from this build by this V8 and its options. V8 itself only compares the length of the source.
 * @param {string} file @param {string} source starts with a comment that is unique to the build
 */
function compiledCodePath(file, source) {
  const build = /^\/\* (\w+) \*\//.exec(source)?.[1]?.slice(0, 16) ?? ''
  return `${file.replace(/\.cjs$/, '')}-${build}-${cachedDataVersionTag().toString(16)}.code`
}

/** Stores the compiled code, including functions compiled later. @param {vm.Script} script @param {string} kept */
function storeCompiledCode(script, kept) {
  const draft = `${kept}.${process.pid}`
  try {
    fs.writeFileSync(draft, script.createCachedData())
    fs.renameSync(draft, kept)
  } catch {
    // The folder is not writable, or no longer exists.
  }
}

/**
 * Makes stack traces refer to the TypeScript sources. Unlike Node, reads the source map only for the first stack trace.
 * @param {string} file also covers other files in its folder
 */
function nameSources(file) {
  const folder = path.dirname(file)
  /** @type {Map<string, SourceMap | null>} */
  const maps = new Map()
  /** @param {NodeJS.CallSite & { toString(): string }} call */
  const place = (call) => {
    const [name, line, column] = [call.getFileName(), call.getLineNumber(), call.getColumnNumber()]
    if (!name || path.dirname(name) !== folder || line === null || column === null) return call.toString()
    const map = maps.has(name) ? maps.get(name) : mapOf(name)
    maps.set(name, map ?? null)
    const origin = map?.findEntry(line - 1, column - 1)
    if (origin === undefined || !('originalSource' in origin)) return call.toString()
    const source = path.join(folder, origin.originalSource)
    return call
      .toString()
      .replace(`${name}:${line}:${column}`, `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`)
  }
  Error.prepareStackTrace = (error, calls) =>
    [Error.prototype.toString.call(error), ...calls.map((call) => `    at ${place(call)}`)].join('\n')
}

/** @param {string} file @returns {SourceMap | null} null if the map is missing */
function mapOf(file) {
  try {
    return new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return null
  }
}

module.exports = { load }
