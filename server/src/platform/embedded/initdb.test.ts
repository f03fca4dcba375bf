import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startEmbeddedPostgres } from './start.ts'
import { withClient } from './server.ts'

const NAMELESS_ACCOUNT = { uid: 54_321, gid: 0 }

it.runIf(process.geteuid?.() === 0)(
  'initializes data under a UID that has no user name, or names the missing system package',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-nameless-'))
    const home = join(directory, 'postgres')
    await mkdir(home)
    await chown(home, NAMELESS_ACCOUNT.uid, NAMELESS_ACCOUNT.gid)
    const libraries = await promisify(execFile)('ldconfig', ['-p'])
    const outcome = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined }).then(
      async (running) => {
        const { rows } = await withClient(running.connection, async (client) =>
          client.query<{ answer: string }>(`select 'it runs' as answer`),
        )
        await running.stop()
        return rows[0]?.answer
      },
      (error: unknown) => /Install [\w-]+/.exec(String(error))?.[0],
    )
    expect(outcome).toBe(libraries.stdout.includes('libnss_wrapper.so') ? 'it runs' : 'Install libnss-wrapper')
    expect(await readdir(home)).not.toContainEqual(expect.stringContaining('names'))
    await rm(directory, { recursive: true, force: true })
  },
  60_000,
)
