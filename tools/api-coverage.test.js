import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from './prepare.js'

const TOOL = join(ROOT, 'tools/api-coverage.js')
const LIMITS = 'server/src/testing/promises/limits.json'
const SENDS = 'server/src/a.test.ts > sending > reaches the channel'

let clone = ''

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'parley-api-coverage-'))
  mkdirSync(join(clone, 'server/src/capabilities'), { recursive: true })
  promise([{ promise: 'A message is sent | kept.', tests: [SENDS] }])
  runOf({ title: 'reaches the channel', status: 'passed' })
})

afterEach(() => {
  rmSync(clone, { recursive: true, force: true })
})

describe('api-coverage', () => {
  it('lists the tests of each promise in the API specification', () => {
    expect(tool()).toEqual({ status: 0, stderr: '' })
    expect(document()).toContain(
      [
        '## Limits',
        '',
        '| Promise | Test | File |',
        '| --- | --- | --- |',
        '| A message is sent \\| kept. | sending > reaches the channel | [a.test.ts](../server/src/a.test.ts) |',
      ].join('\n'),
    )
    expect(document().match(/^## /gm)).toHaveLength(1)
  })

  it('rejects a promise without tests, with an unknown test, or with a test that did not pass', () => {
    promise([{ promise: 'A message is sent.', tests: [] }])
    expect(tool().stderr).toContain(`${LIMITS}: no test for “A message is sent.”`)
    promise([{ promise: 'A message is sent.', tests: [SENDS, `${SENDS}s`] }])
    expect(tool().stderr).toBe(`api-coverage: ${LIMITS}: no test is named “${SENDS}s”\n`)
    promise([{ promise: 'A message is sent.', tests: [SENDS] }])
    for (const status of ['failed', 'skipped']) {
      runOf({ title: 'reaches the channel', status })
      expect(tool()).toEqual({ status: 1, stderr: `api-coverage: ${LIMITS}: did not pass: “${SENDS}”\n` })
    }
  })

  it('matches all tests whose names start with the text that precedes a trailing …', () => {
    promise([{ promise: 'A message is sent.', tests: ['server/src/a.test.ts > sending > reaches…'] }])
    runOf({ title: 'reaches one', status: 'passed' }, { title: 'reaches two', status: 'passed' })
    expect(tool().status).toBe(0)
    runOf({ title: 'reaches one', status: 'passed' }, { title: 'reaches two', status: 'failed' })
    expect(tool().stderr).toContain('did not pass')
    runOf({ title: 'goes to one', status: 'passed' })
    expect(tool().stderr).toContain('no test is named')
  })

  it('lists promises of a capability and of the whole service together under one heading', () => {
    write('server/src/capabilities/drafts/testing/promises.json', {
      Limits: [{ promise: 'A draft is kept.', tests: [SENDS] }],
      Drafts: [{ promise: 'A draft is mine.', tests: [] }],
    })
    expect(tool().stderr).toBe(
      'api-coverage: server/src/capabilities/drafts/testing/promises.json: no test for “A draft is mine.”\n',
    )
    const { first, last } = {
      first: document().indexOf('A message is sent'),
      last: document().indexOf('A draft is kept.'),
    }
    expect(first).toBeLessThan(last)
    expect(document().match(/^## .*$/gm)).toEqual(['## Limits', '## Drafts'])
    expect(document()).toContain('Each of these 3 promises')
  })
})

function tool() {
  const { status, stderr } = spawnSync(process.execPath, [TOOL], { cwd: clone, encoding: 'utf8' })
  return { status, stderr }
}

function document() {
  return readFileSync(join(clone, 'coverage/api-coverage.md'), 'utf8')
}

/** @param {{ promise: string, tests: string[] }[]} promises */
function promise(promises) {
  write(LIMITS, { Limits: promises })
}

/** @param {{ title: string, status: string }[]} tests */
function runOf(...tests) {
  const assertionResults = tests.map((test) => ({ ...test, ancestorTitles: ['sending'] }))
  write('coverage/test-results.json', {
    testResults: [{ name: join(clone, 'server/src/a.test.ts'), assertionResults }],
  })
}

/** @param {string} path @param {unknown} value */
function write(path, value) {
  mkdirSync(join(clone, path, '..'), { recursive: true })
  writeFileSync(join(clone, path), JSON.stringify(value))
}
