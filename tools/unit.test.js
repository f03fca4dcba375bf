// Checks that the systemd unit in docs/operating/ is as restricted as documented.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const OPERATING_FOLDER = new URL('../docs/operating/', import.meta.url)
const ANALYZE_PROGRAM = '/usr/bin/systemd-analyze'
/** Different versions of systemd calculate different scores. */
const TOLERANCE = 0.2

it.runIf(existsSync(ANALYZE_PROGRAM))('validates the systemd unit and its documented exposure level', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  try {
    const unit = join(folder, 'parley.service')
    const text = await readFile(new URL('parley.service', OPERATING_FOLDER), 'utf8')
    // Node's path depends on the machine.
    await writeFile(unit, text.replace('/usr/bin/node', process.execPath))
    const analyze = promisify(execFile)
    // systemd-analyze succeeds even with warnings.
    const { stdout, stderr } = await analyze(ANALYZE_PROGRAM, ['verify', '--man=no', unit])
    expect(`${stdout}${stderr}`).not.toContain('parley.service')
    const { stdout: table } = await analyze(ANALYZE_PROGRAM, ['security', '--offline=true', '--no-pager', unit])
    const level = Number(/exposure level for parley\.service: ([\d.]+)/.exec(table)?.[1])
    const page = await readFile(new URL('installing.md', OPERATING_FOLDER), 'utf8')
    const said = Number(/`systemd-analyze security parley` rates it ([\d.]+) of 10/.exec(page)?.[1])
    expect(Math.abs(level - said)).toBeLessThanOrEqual(TOLERANCE)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
