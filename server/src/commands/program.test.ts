import { spawn } from 'node:child_process'
import pg from 'pg'
import { expect, it } from 'vitest'
import { OWNER_ENVIRONMENT, useCommandLine } from '../testing/command-line.ts'
import { textLike } from '../testing/expected.ts'
import { PROGRAM, useProgram } from '../testing/program.ts'

/*
 * Tests every command as a separate process. Tests next to this file cover `start`, `demo`, `doctor`, and other long
 * commands.
 */

const commandLine = useCommandLine()
const program = useProgram()
const ADA = 'ada@example.com'

interface Expectation {
  readonly input?: string
  readonly code?: number
  readonly stdout?: RegExp
  readonly stderr?: RegExp
}

const COMMAND_RUNS: readonly (readonly [line: string, expected: Expectation])[] = [
  ['user list', { stdout: /^owner@localhost .*\nada@example\.com .*\n$/ }],
  [
    `user password ${ADA} --password-stdin`,
    { input: 'seven purple elephants\n', stdout: /^Changed the password/, stderr: /^Replaced the API key\.\n$/ },
  ],
  [`user role ${ADA} moderator`, { stdout: /moderator/ }],
  [
    `user remove-second-factor ${ADA}`,
    { code: 1, stderr: /^parley: ada@example\.com does not use two-factor authentication\.\n$/ },
  ],
  [`user deactivate ${ADA}`, { stdout: /^Deactivated ada/ }],
  [`user reactivate ${ADA}`, { stdout: /^Reactivated ada/ }],
  ['stats', { stdout: /My organization\n/ }],
  ['prune', { stdout: /^Removed:\n/ }],
  ['files move folder', { code: 2, stderr: /^parley: FROM and TO are the same store\.\nUsage: parley files move/ }],
  ['organization list', { stdout: /^- .* My organization\n$/ }],
  ['organization show', { stdout: /^My organization\n/ }],
  ['organization deactivate', { stdout: /^Deactivated My organization\.\n$/ }],
  ['organization reactivate', { stdout: /^Reactivated My organization\.\n$/ }],
  ['import parley /nowhere --organization north --dry-run', { code: 1, stderr: /parley: .*\/nowhere/ }],
  ['import mattermost /nowhere --organization north --dry-run', { code: 1, stderr: /parley: .*\/nowhere/ }],
  ['import zulip /nowhere --organization north --dry-run', { code: 1, stderr: /parley: .*\/nowhere/ }],
  ['upgrade-database', { code: 1, stderr: /Upgrade it with its own tools/ }],
]

it('prints the output of each command to stdout and errors to stderr, and sets the exit code', async () => {
  const parley = await commandLine()
  await (await parley.stay('start', OWNER_ENVIRONMENT)).stop()
  await parley.run(['user', 'create', ADA, '--name', 'Ada'])
  const real = await program(parley.settings)
  for (const [line, { input = '', code = 0, stdout = /^$/, stderr = /^$/ }] of COMMAND_RUNS) {
    const outcome = await real.run(line.split(' '), { input })
    expect({ line, ...outcome }).toEqual({
      line,
      code,
      stdout: textLike(stdout),
      stderr: textLike(stderr),
    })
  }
  const remove = ['organization', 'delete']
  expect(await real.interrupt(remove, 'Type its name to confirm:')).toEqual({
    code: 1,
    stdout: '',
    stderr: textLike(/\nparley: Stopped\. Nothing was deleted\.\n$/),
  })
  const named = { input: 'My organization\n' }
  expect(await real.run(remove, named)).toMatchObject({ code: 0, stdout: 'Deleted My organization.\n' })
})

it('finishes a command after Ctrl-C and exits with 130 after a second Ctrl-C', async () => {
  const parley = await commandLine()
  await (await parley.stay('start', OWNER_ENVIRONMENT)).stop()
  const lock = new pg.Client(parley.database)
  await lock.connect()
  await lock.query('begin; lock table users in access exclusive mode')
  const child = spawn(process.execPath, [PROGRAM, 'user', 'list'], { env: { ...parley.settings } })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const waiting = `select from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await lock.query(waiting)).rowCount).toBeGreaterThan(0)
  child.kill('SIGINT')
  await expect.poll(() => stderr).toBe('Finishing. Press Ctrl-C again to abort.\n')
  expect(child.exitCode).toBe(null)
  // A second signal within this time counts as the same key press.
  const press = (): number | null => {
    child.kill('SIGINT')
    return child.exitCode
  }
  await expect.poll(press).toBe(130)
  await lock.end()
})
