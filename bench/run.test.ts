import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../tools/prepare.js'

it('is read where nothing is installed yet, since it installs what it needs', () => {
  const clone = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  try {
    for (const folder of ['bench', 'tools']) cpSync(join(ROOT, folder), join(clone, folder), { recursive: true })
    const { status, stderr } = spawnSync(process.execPath, ['bench/run.js', 'nothing'], {
      cwd: clone,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^No figure is called nothing; there are send, /)])
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})
