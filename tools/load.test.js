import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from './prepare.js'

const LOADER = pathToFileURL(join(ROOT, 'tools/load.cjs')).href

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-load-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('load', () => {
  it('runs the program as CommonJS, with require and __filename', () => {
    program('a', 'console.log(require("node:path").basename(__filename), require("./other.cjs"))')
    write('other.cjs', 'module.exports = "other"')
    expect(run()).toBe('main.cjs other\n')
  })

  it('caches compiled code per build and set of V8 options', () => {
    program('aa', 'console.log("one")')
    run()
    expect(cachedFiles()).toHaveLength(1)
    expect(run()).toBe('one\n')
    expect(cachedFiles()).toHaveLength(1)
    run('--no-opt')
    expect(cachedFiles()).toHaveLength(2)
    program('bb', 'console.log("two")')
    expect(run()).toBe('two\n')
    expect(cachedFiles()).toHaveLength(3)
  })

  it('recompiles the program if its cached compiled code is damaged', () => {
    program('a', 'console.log("whole")')
    run()
    const [name = ''] = cachedFiles()
    const whole = readFileSync(join(folder, name))
    for (const damaged of [whole.subarray(0, -8), Buffer.from('nonsense'), Buffer.alloc(0)]) {
      write(name, damaged)
      expect(run()).toBe('whole\n')
      expect(readFileSync(join(folder, name)).length).toBeGreaterThan(damaged.length)
    }
  })

  it('shows source files in stack traces', () => {
    program('a', 'console.log(new TypeError("odd").stack)')
    // Maps the built line after the comment to the first line of the source.
    const map = { version: 3, sources: ['../server/src/main.ts'], names: [], mappings: ';AAAA' }
    write('main.cjs.map', JSON.stringify(map))
    const [first, second] = run().split('\n')
    expect(first).toBe('TypeError: odd')
    expect(second).toMatch(/^ {4}at .*server\/src\/main\.ts:1:1\)?$/)
  })

  it('prints the source location of an uncaught error and exits', () => {
    for (const faulty of [
      'throw new TypeError("odd")',
      'Promise.reject(new TypeError("odd", { cause: new Error("deep") }))',
    ]) {
      program('a', `${faulty}; setInterval(() => 0, 1000); /* ${'long '.repeat(9)}*/`)
      const { status, stderr } = spawnSync(process.execPath, loading(), { encoding: 'utf8' })
      expect(status).toBe(1)
      expect(stderr).toMatch(/^parley: TypeError: odd\n {4}at .*main\.cjs:2:\d+/)
      expect(stderr).not.toContain('long')
    }
  })

  it('shows the built file in stack traces if there is no source map', () => {
    program('a', 'console.log(new Error("odd").stack)')
    expect(run()).toMatch(/^Error: odd\n {4}at .*main\.cjs:2:13\)?\n/)
  })
})

/** @param {string} build @param {string} text */
const program = (build, text) =>
  write('main.cjs', `/* ${build} */ (function (exports, require, module, __filename) {\n${text}\n})`)

/** @param {string} name @param {string | Uint8Array} contents */
const write = (name, contents) => writeFileSync(join(folder, name), contents)

const cachedFiles = () => readdirSync(folder).filter((name) => name.endsWith('.code'))

/** @param {readonly string[]} options for Node */
const run = (...options) => execFileSync(process.execPath, [...options, ...loading()], { encoding: 'utf8' })

function loading() {
  const script = `import { load } from ${JSON.stringify(LOADER)}; load(${JSON.stringify(join(folder, 'main.cjs'))}, 0); setTimeout(() => {}, 100)`
  return ['--input-type=module', '-e', script]
}
