import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { useCommandLine } from '../testing/command-line.ts'
import { textWith } from '../testing/expected.ts'
import { PROGRAM, useProgram } from '../testing/program.ts'

const commandLine = useCommandLine()
const program = useProgram()
const POLL = { timeout: 60_000, interval: 20 }

it('removes folders left by killed or stopped verifications, but no folder in use', async () => {
  const backedUp = await commandLine()
  await mkdir(backedUp.settings['PARLEY_DATA_DIR'] ?? '')
  const folder = join(backedUp.directory, 'backup')
  expect(await backedUp.run(['backup', folder])).toMatchObject({ code: 0 })
  const parley = await program()
  const listLeftovers = async (): Promise<string[]> =>
    (await readdir(parley.directory)).filter((name) => name.startsWith('parley-verify-'))

  const killed = spawn(process.execPath, [PROGRAM, 'verify', folder], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: parley.directory, ...parley.settings },
    stdio: 'ignore',
  })
  const database = await vi.waitFor(async () => {
    const [name = ''] = await listLeftovers()
    const [pid] = (await readFile(join(parley.directory, name, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
    return Number(pid)
  }, POLL)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect(await listLeftovers()).toEqual([`parley-verify-${killed.pid}-${(await listLeftovers())[0]?.slice(-6)}`])
  expect(() => process.kill(database, 0)).not.toThrow()

  // Names of folders of a running process, and of an older version that did not use process IDs.
  const others = [`parley-verify-${process.pid}-others`, 'parley-verify-older']
  for (const name of others) await mkdir(join(parley.directory, name))
  expect(await parley.interrupt(['verify', folder], 'Reading the rows')).toMatchObject({
    code: 1,
    stderr: textWith('Stopped'),
  })
  expect((await listLeftovers()).toSorted()).toEqual(others.toSorted())
  await vi.waitFor(() => expect(() => process.kill(database, 0)).toThrow('ESRCH'), POLL)
})
