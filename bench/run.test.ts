import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../tools/prepare.js'
import { commandLineOf, processTree } from './parts/processes.js'

it('runs the benchmark command in a clone without installed packages', () => {
  const clone = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  try {
    for (const folder of ['bench', 'tools']) cpSync(join(ROOT, folder), join(clone, folder), { recursive: true })
    const { status, stderr } = spawnSync(process.execPath, ['bench/run.js', 'nothing'], {
      cwd: clone,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Unknown figure nothing. Figures: send, /)])
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})

it('exits with code 1 and names the failed benchmark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.js', 'idle-memory', '--json'], {
      cwd: ROOT,
      // The product cannot start without a bus.
      env: { ...process.env, TMPDIR: folder, BUS_URL: 'nats://127.0.0.1:1' },
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/✗ idle-memory: FAILED: Error: the server ended/)
    expect([status, stderr.trimEnd().split('\n').at(-1), stdout.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'Failed: idle-memory',
      '[]',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

// `parts/ending.test.ts` covers every signal.
it('leaves no processes or temporary folders behind when interrupted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const run = spawn(process.execPath, ['bench/run.js', 'idle-memory'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  })
  try {
    const ended = once(run, 'exit')
    const processes = (): number[] => processTree(run.pid ?? 0)
    const isDatabase = (pid: number): boolean => commandLineOf(pid).startsWith('postgres: ')
    // Waits until the database, a child of the server, is working. Each check reads all processes.
    await expect.poll(() => processes().some(isDatabase), { interval: 250 }).toBe(true)
    const started = processes()
    expect(readdirSync(folder)).not.toEqual([])
    run.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(started.filter((pid) => commandLineOf(pid) !== '')).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  } finally {
    run.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
