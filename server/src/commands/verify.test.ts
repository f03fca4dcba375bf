import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { OWNED } from '../testing/command-line.ts'
import { PROGRAM, useProgram } from '../testing/program.ts'

vi.setConfig({ testTimeout: 120_000 })

const program = useProgram()
const POLL = { timeout: 60_000, interval: 20 }

it('takes away what one that was killed has left, with its database server, and nothing that others use', async () => {
  const parley = await program()
  await (await parley.stay('start', OWNED)).stop()
  const folder = join(parley.directory, 'backup')
  expect(await parley.run(['backup', folder])).toMatchObject({ code: 0 })
  const left = async (): Promise<string[]> =>
    (await readdir(parley.directory)).filter((name) => name.startsWith('parley-verify-'))

  const killed = spawn(process.execPath, [PROGRAM, 'verify', folder], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: parley.directory, ...parley.settings },
    stdio: 'ignore',
  })
  const database = await vi.waitFor(async () => {
    const [name = ''] = await left()
    const [pid] = (await readFile(join(parley.directory, name, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')
    return Number(pid)
  }, POLL)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  expect(await left()).toEqual([`parley-verify-${killed.pid}-${(await left())[0]?.slice(-6)}`])
  expect(() => process.kill(database, 0)).not.toThrow()

  // Of a process that lives: it has only just begun, or is of a version that left no number.
  const others = [`parley-verify-${process.pid}-others`, 'parley-verify-older']
  for (const name of others) await mkdir(join(parley.directory, name))
  expect(await parley.run(['verify', folder])).toMatchObject({ code: 0 })
  expect((await left()).toSorted()).toEqual(others.toSorted())
  await vi.waitFor(() => expect(() => process.kill(database, 0)).toThrow('ESRCH'), POLL)
})
