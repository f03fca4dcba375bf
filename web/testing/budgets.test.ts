import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const BUILT = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web')

/** What the first screen may take, compressed by gzip. */
const BUDGETS = { js: 110_000, css: 20_000 }

it('the first screen is small', () => {
  const shell = readFileSync(join(BUILT, 'shell.html'), 'utf8')
  const named = [...shell.matchAll(/"\/assets\/([\w-]+\.(js|css))"/g)]
  expect(new Set(named.map(([, , kind]) => kind))).toEqual(new Set(['css', 'js']))
  for (const kind of ['js', 'css'] as const) {
    const files = named.filter(([, , of]) => of === kind)
    // Those of less than a packet are not compressed.
    const bytes = files.reduce((sum, [, name = '']) => sum + gzipSync(readFileSync(join(BUILT, name))).length, 0)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(BUDGETS[kind])
  }
})
