import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import {
  OWNER_ENVIRONMENT,
  runHere,
  useCommandLine,
  type CommandLine,
  type CommandLineHere,
} from '../testing/command-line.ts'
import { expectDocumented } from '../testing/documented.ts'
import { textLike } from '../testing/expected.ts'
import { upload } from '../testing/files.ts'
import { TestUser } from '../testing/user.ts'

const commandLine = useCommandLine()
const ROOT = { PARLEY_ROOT_DOMAIN: 'parley.localhost' }
const NORTH = 'north.parley.localhost'

async function makeNorth(parley: CommandLine, port: string): Promise<TestUser> {
  const owner = ['--owner-email', 'nora@example.com', '--owner-name', 'Nora']
  const made = await parley.run(['organization', 'create', 'north', '--name', 'The North', ...owner])
  const apiKey = /API key +(\w+)/.exec(made.stdout)?.[1] ?? ''
  const nora = new TestUser(`http://127.0.0.1:${port}`, NORTH, 'nora@example.com', apiKey, 0)
  await expect.poll(async () => (await nora.try('GET', '/users/me')).status).toBe(200)
  return nora
}

async function listFiles(parley: CommandLine): Promise<string[]> {
  const folder = join(parley.settings['PARLEY_DATA_DIR'] ?? '', 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

async function countOtherRows({ database }: CommandLineHere, kept: number): Promise<Record<string, number>> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns where column_name = 'organization_id' and table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(50)
    const counts: Record<string, number> = {}
    for (const { name, column } of [
      ...tables.map((table) => ({ ...table, column: 'organization_id' })),
      { name: 'organizations', column: 'id' },
    ]) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int from ${pg.escapeIdentifier(name)} where ${column} <> $1`,
        [kept],
      )
      if ((rows[0]?.count ?? 0) > 0) counts[name] = rows[0]?.count ?? 0
    }
    return counts
  } finally {
    await client.end()
  }
}

it("deletes an organization's rows and files, but nothing of other organizations", async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', { ...ROOT, ...OWNER_ENVIRONMENT })
  const { port } = new URL(server.url)
  const key = (await parley.run(['user', 'api-key', 'owner@localhost'])).stdout.trim()
  const owner = new TestUser(`http://127.0.0.1:${port}`, 'parley.localhost', 'owner@localhost', key, 0)
  await upload(owner, 'words.txt', 'many words')
  const queue = await owner.register()
  const kept = await listFiles(parley)
  const nora = await makeNorth(parley, port)
  await nora.send('general', 'hello', 'Anybody here?')
  await upload(nora, 'words.txt', 'many words')
  const noras = await nora.register({ event_types: ['realm'] })
  const parked = nora.try('GET', '/events', { queue_id: noras.id, last_event_id: noras.lastEventId })
  expect(Object.keys(await countOtherRows(parley, 1))).toEqual(
    expect.arrayContaining(['organizations', 'messages', 'users', 'attachments']),
  )

  const remove = ['organization', 'delete', '--organization', 'north']
  for (const [args, input] of [
    [[...remove, '--yes', 'North'], ''],
    [remove, 'north\n'],
    [remove, ''],
  ] as const) {
    const { code, stdout, stderr } = await parley.run(args, { input })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(
      'parley: The name does not match. The organization is called The North. Nothing was deleted.\n',
    )
  }
  expect(await parley.interrupt(remove, 'Type its name to confirm:')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: textLike(/\nparley: Stopped\. Nothing was deleted\.\n$/),
  })
  const yes = [...remove, '--yes', 'The North']
  expect(await runHere(yes, parley.settings, { stopped: AbortSignal.abort() })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'parley: Stopped. Nothing was deleted.\n',
  })
  expect((await nora.try('GET', '/users/me')).status).toBe(200)

  const { code, stdout } = await parley.run(remove, { input: 'The North\n' })
  expect([code, stdout]).toEqual([0, 'Deleted The North.\n'])
  expect((await parked).body['events']).toMatchObject([{ type: 'realm', op: 'deactivated' }])
  const nowhere = await nora.try('GET', '/users/me')
  expect(nowhere.status).toBe(404)
  expect(await countOtherRows(parley, 1)).toEqual({})
  expect(await listFiles(parley)).toEqual(kept)
  expect(await queue.events()).toEqual([])
  expect((await parley.run(['organization', 'list'])).stdout).not.toContain('North')
  expect(await parley.run(remove)).toMatchObject({
    code: 1,
    stderr: "parley: No organization has the subdomain 'north'.\n",
  })

  // The running server learns immediately that the subdomain is free, and old keys are invalid.
  const again = await makeNorth(parley, port)
  expect((await nora.try('GET', '/users/me')).status).toBe(401)
  expect(await again.call('GET', '/users/me')).toMatchObject({ full_name: 'Nora' })
  const { messages } = await again.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  expect(JSON.stringify(messages)).not.toContain('Anybody here?')
  await server.stop()
  const deleted = await parley.run([...remove, '--yes', 'The North', '--json'])
  expect([deleted.code, deleted.stderr]).toEqual([0, ''])
  expectDocumented('organization delete', JSON.parse(deleted.stdout))
  expect((await parley.run(['organization', 'list'])).stdout).toMatch(/^- .* My organization\n$/)
})

it('warns if the next start would recreate the deleted organization', async () => {
  const parley = await commandLine()
  await (await parley.stay('start', OWNER_ENVIRONMENT)).stop()
  const remove = ['organization', 'delete', '--yes', 'My organization']
  const told =
    'PARLEY_OWNER_PASSWORD is set: the next `parley start` will create a new organization without a subdomain. Unset it to prevent this.\n'
  expect(await parley.run(remove, { environment: OWNER_ENVIRONMENT })).toEqual({
    code: 0,
    stdout: 'Deleted My organization.\n',
    stderr: told,
  })
  const again = await parley.stay('start', OWNER_ENVIRONMENT)
  expect(again.stdout()).toContain('Created organization My organization')
  await again.stop()
  expect(await parley.run(remove)).toMatchObject({ code: 0, stderr: '' })
  const owner = ['--name', 'The Root', '--owner-email', 'ruth@example.com', '--owner-name', 'Ruth']
  expect((await parley.run(['organization', 'create', '', ...owner])).code).toBe(0)
  expect((await parley.run(['organization', 'list'])).stdout).toMatch(/^- .* The Root\n$/)
  const other = ['--name', 'The North', '--owner-email', 'nora@example.com', '--owner-name', 'Nora']
  await parley.run(['organization', 'create', 'north', ...other], { environment: ROOT })
  const north = ['organization', 'delete', '--organization', 'north', '--yes', 'The North']
  expect(await parley.run(north, { environment: OWNER_ENVIRONMENT })).toMatchObject({ code: 0, stderr: '' })
})
