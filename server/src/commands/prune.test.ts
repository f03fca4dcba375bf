import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { OWNER_ENVIRONMENT, runHere, useCommandLine } from '../testing/command-line.ts'
import { askDatabase } from '../testing/databases.ts'
import { expectDocumented } from '../testing/documented.ts'
import { fetchAs, PIXEL, sendFiles, upload } from '../testing/files.ts'
import { parseObject } from '../testing/json.ts'
import type { Body } from '../testing/user.ts'

const commandLine = useCommandLine()

const STATISTICS = z.object({
  organizations: z.array(z.looseObject({ messages: z.number(), position: z.number(), events: z.number() })),
  database: z.object({ bytes: z.number() }),
})

it('counts people, channels, messages, files, and queues per organization', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'])
  const owner = server.user('owner@localhost', key.trim())
  await parley.run(['user', 'create', 'bert@example.com', '--name', 'Bert', '--bot'])
  await parley.run(['user', 'create', 'ada@example.com', '--name', 'Ada'])
  await parley.run(['user', 'deactivate', 'ada@example.com'])
  await upload(owner, 'words.txt', 'many words')
  await owner.send('general', 'hello', 'Anybody here?')
  await owner.register({ event_types: ['message'] })
  const asked = await parley.run(['stats', '--json'])
  const answer = parseObject(asked.stdout)
  expectDocumented('stats', answer)
  const { organizations, database } = STATISTICS.parse(answer)
  expect(organizations).toMatchObject([
    {
      subdomain: '',
      name: 'My organization',
      people: 1,
      bots: 1,
      deactivated_accounts: 1,
      channels: 1,
      archived_channels: 0,
      files: 1,
      file_bytes: 10,
      queues: 1,
      work: 0,
    },
  ])
  const [organization] = organizations
  expect(organization?.messages).toBeGreaterThan(0)
  expect(organization?.position).toBeGreaterThan(Number(organization?.events) - 1)
  expect(database.bytes).toBeGreaterThan(1_000_000)
  const { stdout } = await parley.run(['stats'])
  expect(stdout).toMatch(/^ORGANIZATION +PEOPLE +BOTS +DEACTIVATED +CHANNELS +ARCHIVED .* NAME$/m)
  expect(stdout).toMatch(/^- +1 +1 +1 +1 +0 .* 10 B .* My organization$/m)
})

it('removes unused data and half-deleted organizations, except in a dry run', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const { stdout: apiKey } = await parley.run(['user', 'api-key', 'owner@localhost'])
  const owner = server.user('owner@localhost', apiKey.trim())
  const files = join(parley.settings['PARLEY_DATA_DIR'] ?? '', 'files')
  const address = await upload(owner, 'words.txt', 'many words')
  const picture = await upload(owner, 'pixel.png', PIXEL)
  for (const [path, method] of [
    ['/users/me/avatar', 'POST'],
    ['/realm/icon', 'POST'],
    ['/realm/emoji/dot', 'POST'],
  ] as const) {
    expect((await sendFiles(owner, path, [{ name: 'a.png', content: PIXEL, type: 'image/png' }], method)).status).toBe(
      200,
    )
  }
  // Incoming files are deleted after the response.
  await expect.poll(async () => readdir(join(files, 'incoming'))).toEqual([])
  const all = async (): Promise<string[]> => {
    const entries = await readdir(files, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
  }
  const age = async (path: string): Promise<void> => utimes(path, new Date(0), new Date(0))
  for (const path of await all()) await age(path)
  const kept = await all()
  const put = async (key: string): Promise<string> => {
    const path = join(files, key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'abc')
    return path
  }
  for (const key of ['uploads/1/ab/cdefgh', 'avatars/1/orphan.png', 'exports/1/orphan-1', 'uploads/99/ab/cdefgh'])
    await age(await put(key))
  const young = await put('uploads/1/ab/young')
  await askDatabase(
    parley.database,
    `insert into organizations (id, string_id) overriding system value values (77, '!77')`,
    `insert into setup_links (string_id, digest, name, made_at, expires_at) values ('x', '\\x01', '', 1, 2)`,
  )

  const pruned = (dry: boolean): Body => ({
    dry_run: dry,
    pruned: [
      { what: 'organizations', count: 1, bytes: 0 },
      { what: 'files', count: 4, bytes: 12 },
      { what: 'setup_links', count: 1, bytes: 0 },
    ],
  })
  const dry = parseObject((await parley.run(['prune', '--dry-run', '--json'])).stdout)
  expectDocumented('prune', dry)
  expect(dry).toEqual(pruned(true))
  expect(await all()).toHaveLength(kept.length + 5)
  for (const [more, rest] of [
    [['--dry-run'], 'Nothing was removed.'],
    [[], 'Run the command again to remove the rest.'],
  ] as const) {
    const stopped = await runHere(['prune', ...more], parley.settings, { stopped: AbortSignal.abort() })
    expect(stopped).toEqual({ code: 1, stdout: '', stderr: `parley: Stopped. ${rest}\n` })
    expect(await all()).toHaveLength(kept.length + 5)
  }
  expect(JSON.parse((await parley.run(['prune', '--json'])).stdout)).toEqual(pruned(false))
  expect(await all()).toEqual([...kept, young].toSorted())
  const left = await askDatabase(
    parley.database,
    `select (select count(*) from organizations)::int + (select count(*) from setup_links)::int as count`,
  )
  expect(left).toEqual([{ count: 1 }])
  for (const one of [address, picture]) expect((await fetchAs(owner, one)).status).toBe(200)
  expect((await parley.run(['prune'])).stdout).toBe(
    'Removed:\n0    Partly deleted organizations\n0    Unreferenced files\n0    Expired setup links\n',
  )
})
