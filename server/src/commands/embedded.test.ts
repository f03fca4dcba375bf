import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OWNER_ENVIRONMENT, runHere } from '../testing/command-line.ts'
import { findingsIn } from '../testing/doctor.ts'
import { expectDocumented } from '../testing/documented.ts'
import { parseObject } from '../testing/json.ts'
import { useProgram, type Program, type RunningProgram } from '../testing/program.ts'

/* Tests commands on an embedded database, which a running server owns and which commands otherwise start. */

const program = useProgram(afterAll)

/** Shared by all tests, because creating a database takes seconds. */
let parley: Program
let server: RunningProgram
beforeAll(async () => {
  parley = await program()
  server = await parley.stay('start', OWNER_ENVIRONMENT)
})

it('diagnoses a running, frozen, and stopped server with an embedded database', async () => {
  const running = await parley.run(['doctor'])
  expect([running.code, running.stderr]).toEqual([0, ''])
  const titles = [
    'Data directory',
    'Disk',
    'Descriptors',
    'Memory',
    'Clock',
    'Database',
    'Schema',
    'Indexes',
    'Files',
    'Backup',
    'Email',
    'Address',
  ]
  for (const title of titles) expect(running.stdout).toMatch(new RegExp(`^(ok|notice) +${title} `, 'm'))
  expect(running.stdout).toContain('the server is reachable at')
  const asked = await runHere(['doctor', '--json'], parley.settings)
  const answer = parseObject(asked.stdout)
  expect(answer['is_well']).toBe(true)
  expectDocumented('doctor', answer)
  await examineFrozen(parley, server)
  await server.stop()

  // Simulates the record that a killed server leaves behind.
  const note = join(parley.settings['PARLEY_DATA_DIR'] ?? '', 'served.json')
  await writeFile(note, JSON.stringify({ PARLEY_URL: server.url }))
  const stopped = await parley.run(['doctor'])
  expect([stopped.code, stopped.stderr]).toEqual([0, ''])
  expect(stopped.stdout).toContain('no server is running')
})

it('creates users while the server is stopped', async () => {
  await server.stop()
  const command = ['user', 'create', 'bob@example.com', '--name', 'Bob', '--password-stdin']
  const bob = await parley.run(command, { input: 'hunter2hunter2\n' })
  expect(bob).toMatchObject({ code: 0, stderr: '' })
  expect(bob.stdout).not.toContain('hunter2hunter2')
  const key = /API key +(\w+)/.exec(bob.stdout)?.[1] ?? ''
  const apiKey = await parley.run(['user', 'api-key', 'bob@example.com'])
  expect(apiKey).toEqual({ code: 0, stdout: `${key}\n`, stderr: '' })

  const again = await parley.stay('start', OWNER_ENVIRONMENT)
  const login = { username: 'bob@example.com', password: 'hunter2hunter2' }
  const { body } = await again.user('bob@example.com', '').try('POST', '/fetch_api_key', login)
  expect(body).toMatchObject({ api_key: key })
  await again.stop()
})

/** Suspends the database, but not the server. */
async function examineFrozen({ settings }: Program, { url }: RunningProgram): Promise<void> {
  const file = join(settings['PARLEY_DATA_DIR'] ?? '', 'postgres/data/postmaster.pid')
  const database = Number((await readFile(file, 'utf8')).split('\n')[0])
  process.kill(database, 'SIGSTOP')
  try {
    const { code, stdout } = await runHere(['doctor', '--json'], settings)
    const findings = findingsIn(stdout)
    const found = findings.find(({ check }) => check === 'database')
    expect([code, found?.trouble]).toEqual([1, 'database_unreachable'])
    expect(found?.message).toContain('but its database is not responding')
    const address = findings.find(({ check }) => check === 'address')
    expect([address?.state, address?.message]).toEqual(['ok', `OK: the server is reachable at ${url}.`])
  } finally {
    process.kill(database, 'SIGCONT')
  }
}
