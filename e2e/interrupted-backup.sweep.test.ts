/* Guarantee for administrators: an interrupted backup is never accepted as complete. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { effort } from '../server/src/testing/effort.ts'
import { upload } from '../server/src/testing/files.ts'
import { startParleyCommand, TEST_TIMEOUT_MILLISECONDS, runUnderLoad } from './backup/scene.ts'
import { retryUntilSuccess } from './crash/requests.ts'

const KILLS = effort(12)

it(
  'never accepts an interrupted backup, and runs no command on a partly restored data directory',
  async () =>
    runUnderLoad(async (scene) => {
      const { server, folder, random, owner, patience, silence } = scene
      await upload(owner, 'large.bin', Buffer.alloc(20_000_000, 'large'))
      const whole = join(folder, 'whole')
      const begun = performance.now()
      expect(await startParleyCommand(['backup', whole], server.dataDirectory, folder).ended).toMatchObject({ code: 0 })
      const longest = performance.now() - begun
      let cut = 0
      for (let count = 0; count < KILLS; count += 1) {
        const place = join(folder, `kill-${count}`)
        await mkdir(place)
        const { child, ended } = startParleyCommand(['backup', join(place, 'backup')], server.dataDirectory, folder)
        await Promise.race([sleep(random.between(0.3 * longest, longest)), ended])
        child.kill('SIGKILL')
        const { code } = await ended
        const names = await readdir(place)
        if (code !== 0) cut += 1
        for (const name of names) {
          const { code: verified, stderr } = await startParleyCommand(
            ['verify', join(place, name)],
            server.dataDirectory,
            folder,
          ).ended
          // If the process was killed after the manifest was written, the backup is complete.
          const isWhole = existsSync(join(place, name, 'manifest.json'))
          expect({ isWhole, verified, isPartial: name.startsWith('backup.partial-') || isWhole }).toEqual({
            isWhole,
            verified: isWhole ? 0 : 3,
            isPartial: true,
          })
          expect(isWhole || stderr.includes('Was the backup interrupted?')).toBe(true)
        }
      }
      process.stdout.write(`backup test: ${KILLS} backups killed, ${cut} before completion, 0 accepted as complete\n`)
      expect(cut).toBeGreaterThan(0)
      await silence()
      expect(await startParleyCommand(['verify', whole], server.dataDirectory, folder).ended).toMatchObject({ code: 0 })

      await server.restart(async (data) => {
        await rename(data, join(folder, 'broken'))
        const { child, ended, stderr } = startParleyCommand(['restore', whole], data, folder)
        await expect.poll(stderr).toContain('Restoring the rows')
        child.kill('SIGKILL')
        await ended
        for (const args of [
          ['start'],
          ['organization', 'list'],
          ['restore', whole],
          ['backup', join(folder, 'none')],
        ]) {
          const { code, stderr: told } = await startParleyCommand(args, data, folder).ended
          expect([args, code, told]).toEqual([args, 1, expect.stringContaining('A backup is being restored into')])
        }
        for (const pid of server.databaseProcesses()) process.kill(pid, 'SIGKILL')
        await rm(data, { recursive: true, maxRetries: 10 })
        expect(await startParleyCommand(['restore', whole], data, folder).ended).toMatchObject({ code: 0 })
      })
      await retryUntilSuccess(owner, 'GET', '/users/me', {}, patience)
    }),
  TEST_TIMEOUT_MILLISECONDS,
)
