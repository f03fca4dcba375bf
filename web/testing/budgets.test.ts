import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const BUILT = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web')

/** What the first screen may take, compressed by gzip. */
const BUDGETS = { js: 110_000, css: 20_000 }

it('the first screen is small', () => {
  const shell = readFileSync(join(BUILT, 'shell.html'), 'utf8')
  const named = [...shell.matchAll(/"\/assets\/([\w-]+\.(js|css))"/g)]
  expect(new Set(named.map(([, , kind]) => kind))).toEqual(new Set(['css', 'js']))
  for (const [, name = '', kind] of named) {
    const bytes = readFileSync(join(BUILT, `${name}.gz`)).length
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(kind === 'js' ? BUDGETS.js : BUDGETS.css)
  }
})
