import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandLineOf } from './processes.js'

/** Creates a folder and starts a process, whose PID it prints. */
const PROGRAM = `
  import { spawn } from 'node:child_process'
  import { cleanUpOnExit, stopWithProcess, temporaryFolder } from ${JSON.stringify(new URL('ending.js', import.meta.url).href)}
  cleanUpOnExit()
  temporaryFolder()
  console.log(stopWithProcess(spawn('sleep', ['600'])).pid)`

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('stops child processes and removes temporary folders on %s', async (signal, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const program = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const ended = once(program, 'exit')
    const printed: unknown[] = await once(program.stdout, 'data')
    const started = Number(printed[0])
    expect([commandLineOf(started), readdirSync(folder).length]).toEqual([expect.stringContaining('sleep'), 1])
    program.kill(signal)
    expect(await ended).toEqual([code, null])
    expect([commandLineOf(started), readdirSync(folder)]).toEqual(['', []])
  } finally {
    program.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
