import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const BUILD_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web')

/** Size limits of the first screen, in bytes of the compressed files that the server sends. */
const FIRST_SCREEN_BUDGETS = { js: 110_000, css: 20_000 }

function compressedBytes(file: string | Buffer): number {
  return gzipSync(file, { level: 9 }).length
}

it('keeps the first screen within its size limits', () => {
  const shell = readFileSync(join(BUILD_FOLDER, 'shell.html'), 'utf8')
  const named = [...shell.matchAll(/"\/assets\/([\w-]+\.(js|css))"/g)]
  expect(new Set(named.map(([, , kind]) => kind))).toEqual(new Set(['css', 'js']))
  for (const kind of ['js', 'css'] as const) {
    const files = named.filter(([, , of]) => of === kind)
    const bytes = files.reduce((sum, [, name = '']) => sum + compressedBytes(readFileSync(join(BUILD_FOLDER, name))), 0)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(FIRST_SCREEN_BUDGETS[kind])
  }
})

/** Size limit of each script and data file outside the first screen except KaTeX, in bytes after gzip. */
const LAZY_SCRIPT_BUDGET = 50_000
/** KaTeX is a single file, loaded with the first formula. */
const KATEX_BUDGET = 80_000

it('splits the message renderer into small scripts outside the first screen', () => {
  const shell = readFileSync(join(BUILD_FOLDER, 'shell.html'), 'utf8')
  const worker = readFileSync(join(BUILD_FOLDER, 'sw.js'), 'utf8')
  const [, entry = ''] = /"\/assets\/(renderer-\w+\.js)"/.exec(worker) ?? []
  const parts = new Set([entry])
  for (const part of parts) {
    const imported = readFileSync(join(BUILD_FOLDER, part), 'utf8').matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)
    for (const [, name = ''] of imported) parts.add(name)
  }
  const sizes = [...parts]
    .map((name) => compressedBytes(readFileSync(join(BUILD_FOLDER, name))))
    .toSorted((a, b) => b - a)
  const [formulas, ...others] = sizes
  expect(others.length).toBeGreaterThanOrEqual(3)
  expect(formulas).toBeLessThan(KATEX_BUDGET)
  expect(Math.max(...others)).toBeLessThan(LAZY_SCRIPT_BUDGET)
  for (const name of parts) expect(shell).not.toContain(name)
})

it('keeps each script and data file that loads after the first screen within the size limit', () => {
  const shell = readFileSync(join(BUILD_FOLDER, 'shell.html'), 'utf8')
  const worker = readFileSync(join(BUILD_FOLDER, 'sw.js'), 'utf8')
  const later = [...worker.matchAll(/"\/assets\/([\w-]+\.(?:js|css|txt))"/g)]
    .map(([, name = '']) => name)
    .filter((name) => !shell.includes(`/assets/${name}`))
  const sizes = later
    .map((name) => readFileSync(join(BUILD_FOLDER, name)))
    .filter((script) => !script.includes('KaTeX parse error'))
    .map(compressedBytes)
  expect(sizes.length).toBeGreaterThan(20)
  expect(Math.max(...sizes)).toBeLessThan(LAZY_SCRIPT_BUDGET)
})

it('loads integration texts after the first screen, and ships no sample requests', () => {
  const shell = readFileSync(join(BUILD_FOLDER, 'shell.html'), 'utf8')
  const worker = readFileSync(join(BUILD_FOLDER, 'sw.js'), 'utf8')
  const names = [...worker.matchAll(/"\/assets\/([\w-]+\.js)"/g)].map(([, name = '']) => name)
  const containing = (text: string): string[] =>
    names.filter((name) => readFileSync(join(BUILD_FOLDER, name), 'utf8').includes(text))
  const texts = containing('Install the Notification plugin.')
  expect(texts).toHaveLength(1)
  expect(shell).not.toContain(texts[0])
  // This text occurs in GitHub's sample request.
  expect(containing('nothing was pushed')).toEqual([])
})
