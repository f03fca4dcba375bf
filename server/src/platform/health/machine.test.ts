import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkDataDirectory, checkDescriptors, checkDisk, checkMemory } from './machine.ts'

const isLinux = (await stat('/proc/self/limits').catch(() => undefined)) !== undefined

it.runIf(isLinux)('reports a low descriptor limit, and a limit that is nearly used up', async () => {
  const look = async (script: string): Promise<unknown> => {
    const child = spawn('bash', ['-c', `${script}; echo ready; read`], { stdio: ['pipe', 'pipe', 'ignore'] })
    await once(child.stdout, 'data')
    const found = await checkDescriptors(child.pid ?? 0)
    child.stdin.end()
    await once(child, 'exit')
    return found
  }
  expect(await look('ulimit -n 300')).toMatchObject({ state: 'notice', trouble: 'descriptors_few', value: 300 })
  const many = 'ulimit -n 20; for fd in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do eval "exec $fd</dev/null"; done'
  expect(await look(many)).toMatchObject({ state: 'wrong', trouble: 'descriptors_nearly_used' })
  expect(await checkDescriptors('self')).toMatchObject({ check: 'descriptors' })
  expect(await checkDescriptors(2 ** 30)).toBeUndefined()
})

it("checks the disk and the memory of the server's machine", async () => {
  expect(await checkDisk(tmpdir())).toMatchObject({ check: 'disk' })
  await expect(checkDisk(join(tmpdir(), 'nothing/of/that'))).rejects.toThrow('ENOENT')
  expect((await checkMemory()) !== undefined).toBe(isLinux)
})

it('reports a data directory that another user owns or can write to', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const { uid } = await stat(directory)
  expect(await checkDataDirectory(directory, uid)).toMatchObject({ state: 'ok' })
  expect(await checkDataDirectory(directory, 0)).toMatchObject({ state: 'ok' })
  expect(await checkDataDirectory(directory, uid + 1)).toMatchObject({
    trouble: 'data_directory_of_another',
    value: uid,
  })
  await chmod(directory, 0o770)
  expect(await checkDataDirectory(directory, uid)).toMatchObject({ trouble: 'data_directory_open' })
  await rm(directory, { recursive: true })
})
