import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prepare, refuseOldNode, ROOT } from './prepare.js'

const LOADER = pathToFileURL(join(ROOT, 'tools/load.cjs')).href

const MANIFEST = { name: 'small', version: '1.0.0', workspaces: ['lib'] }
const LIB = { name: 'lib', version: '1.0.0' }
const LOCK = {
  ...MANIFEST,
  lockfileVersion: 3,
  packages: { '': MANIFEST, lib: LIB, 'node_modules/lib': { resolved: 'lib', link: true } },
}

let clone = ''
/** @type {string[]} */
let printed = []

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'parley-prepare-'))
  write('package.json', JSON.stringify(MANIFEST))
  write('lib/package.json', JSON.stringify(LIB))
  write('package-lock.json', JSON.stringify(LOCK))
  write('server/src/main.ts', "import { word } from './word.ts'\nconsole.log(word satisfies string)\n")
  write('server/src/word.ts', "export const word: string = 'hello'\n")
  printed = []
  vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(clone, { recursive: true, force: true })
})

describe('prepare', () => {
  it('installs packages once, and again only after package-lock.json changes', async () => {
    await prepare({ root: clone, build: false })
    expect(printed).toEqual([expect.stringContaining('installing')])
    await prepare({ root: clone, build: false })
    expect(printed).toHaveLength(1)
    write('package.json', JSON.stringify({ ...MANIFEST, scripts: { hello: 'echo' } }))
    await prepare({ root: clone, build: false })
    expect(printed).toHaveLength(1)
    write('package-lock.json', JSON.stringify({ ...LOCK, version: '1.0.1' }))
    await prepare({ root: clone, build: false })
    expect(printed).toHaveLength(2)
  })

  it('accepts packages installed by npm', async () => {
    execFileSync('npm', ['install', '--silent'], { cwd: clone, shell: process.platform === 'win32' })
    await prepare({ root: clone, build: false })
    expect(printed).toEqual([])
  })

  it('builds the program once, and again only after a source file changes', async () => {
    await installedClone()
    await prepare({ root: clone })
    expect(start()).toBe('hello\n')
    await prepare({ root: clone })
    expect(printed).toHaveLength(1)
    write('server/src/word.ts', "export const word: string = 'good day'\n")
    await prepare({ root: clone })
    expect(start()).toBe('good day\n')
    write('server/src/word.test.ts', '')
    await prepare({ root: clone })
    expect(printed).toHaveLength(2)
    write('server/src/words/other.ts', "export const other: string = 'good night'\n")
    write('server/src/word.ts', "export { other as word } from './words/other.ts'\n")
    await prepare({ root: clone })
    expect(start()).toBe('good night\n')
    write('server/src/words/more.ts', '')
    await prepare({ root: clone })
    expect(printed).toHaveLength(4)
    rmSync(join(clone, 'server/src/words/more.ts'))
    await prepare({ root: clone })
    expect(printed).toHaveLength(5)
  })

  it('keeps Unicode regular expressions as literals in the built program', async () => {
    await installedClone()
    write('server/src/word.ts', "export const word: string = /^\\p{L}+$/u.test('hello') ? 'letters' : 'none'\n")
    await prepare({ root: clone })
    expect(start()).toBe('letters\n')
    expect(readFileSync(join(clone, 'dist/main.cjs'), 'utf8')).toContain('/^\\p{L}+$/u.test(')
  })

  it("turns the helper calls that define markdown-it's fields into plain assignments", async () => {
    await installedClone()
    write(
      'node_modules/markdown-it/package.json',
      JSON.stringify({ name: 'markdown-it', version: '1.0.0', exports: './dist/markdown-it.mjs' }),
    )
    write(
      'node_modules/markdown-it/dist/markdown-it.mjs',
      `function _defineProperty(on, name, value) { on[name] = value }
      var Token = class { constructor() {
        _defineProperty(
          this,
          /**
           * A \\*comment* with ")" in it…
           */
          "content",
          "…"
        );
        _defineProperty(this, "list", []);
        _defineProperty(this, "made", String(1));
      } };
      export default Token`,
    )
    write(
      'server/src/word.ts',
      "import Token from 'markdown-it'\nexport const word: string = JSON.stringify(new Token())\n",
    )
    await prepare({ root: clone })
    expect(start()).toBe('{"content":"…","list":[],"made":"1"}\n')
    const program = readFileSync(join(clone, 'dist/main.cjs'), 'latin1')
    expect(program).toContain('this.content="\\u2026";this.list=[];_defineProperty(this,"made",String(1))')
  })

  it('builds once for two concurrent starts', async () => {
    await installedClone()
    await Promise.all([prepare({ root: clone }), prepare({ root: clone })])
    expect(printed).toHaveLength(1)
    expect(start()).toBe('hello\n')
  })

  it('recovers after an earlier preparation was killed', async () => {
    await installedClone()
    write('dist/.preparing', String(2 ** 30))
    await prepare({ root: clone })
    expect(start()).toBe('hello\n')
  })

  it('reports the required Node version', () => {
    expect(() => refuseOldNode('20.18.3')).toThrow('Parley needs Node 20.19 or newer; this is Node 20.18.3.')
    expect(() => refuseOldNode('18.20.0')).toThrow('20.19')
    refuseOldNode('20.19.0')
    refuseOldNode('24.0.0')
  })
})

/** Installs packages, and links the builder instead of downloading it. */
async function installedClone() {
  await prepare({ root: clone, build: false })
  symlinkSync(join(ROOT, 'node_modules/esbuild'), join(clone, 'node_modules/esbuild'))
  printed = []
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(join(clone, path, '..'), { recursive: true })
  writeFileSync(join(clone, path), text)
}

function start() {
  const script = `import { load } from ${JSON.stringify(LOADER)}; load(${JSON.stringify(join(clone, 'dist/main.cjs'))})`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
}
