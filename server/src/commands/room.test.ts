import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OWNER_ENVIRONMENT, useCommandLine } from '../testing/command-line.ts'
import { upload } from '../testing/files.ts'
import { useProgram } from '../testing/program.ts'

const commandLine = useCommandLine()
const program = useProgram()
/** Limits files to less than the size of the uploaded file and of a new database's first tables. */
const SMALL_FILES_ONLY = { fileKibibytes: 64 }

it('reports too little disk space for a backup, export, or verification, and cleans up', async () => {
  const parley = await commandLine()
  const server = await parley.stay('start', OWNER_ENVIRONMENT)
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'])
  await upload(server.user('owner@localhost', key.trim()), 'large.bin', 'x'.repeat(200_000))
  const real = await program(parley.settings)
  const target = join(real.directory, 'copies/new')
  for (const command of ['backup', 'export']) {
    const { code, stdout, stderr } = await real.run([command, target], { limits: SMALL_FILES_ONLY })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^(?:.* \.{3}\n)*parley: No space left in \S+\/copies\/new: EFBIG: .*\. Nothing was left behind\.\n$/,
    )
    expect(await readdir(join(target, '..'))).toEqual([])
  }
  expect((await parley.run(['backup', target])).code).toBe(0)
  const { code, stderr } = await real.run(['verify', target], { limits: SMALL_FILES_ONLY })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Comparing checksums \.{3}\nparley: PostgreSQL cannot create its data in \S+\/parley-verify-\S+: could not write .*: File too large\n$/,
  )
  expect(await readdir(real.directory)).toEqual(['copies'])
})

it('reports too little disk space or a missing folder for an import, and stores nothing', async () => {
  const parley = await commandLine()
  await parley.stay('start', OWNER_ENVIRONMENT)
  const real = await program(parley.settings)
  const folder = join(real.directory, 'slack')
  await mkdir(join(folder, 'general'), { recursive: true })
  const files = {
    'users.json': [{ id: 'U1', name: 'olga', is_owner: true, profile: { email: 'olga@example.com' } }],
    'channels.json': [{ id: 'C1', name: 'general', created: 1_700_000_000, members: ['U1'] }],
    'general/2023-11-14.json': Array.from({ length: 300 }, (_, index) => ({
      type: 'message',
      user: 'U1',
      ts: `${1_700_000_000 + index}.000100`,
      text: 'Long words. '.repeat(80),
    })),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content))
  const args = ['import', 'slack', folder, '--organization', 'north']
  const { code, stdout, stderr } = await real.run(args, { limits: SMALL_FILES_ONLY })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/\nparley: No space left in \S+ \(TMPDIR\): EFBIG: .*\. Nothing was stored\.\n$/)
  expect(await readdir(real.directory)).toEqual(['slack'])

  // Paths that do not exist are reported before the conversion.
  const nowhere = join(real.directory, 'nowhere')
  const temporary = await real.run([...args, '--dry-run'], { environment: { TMPDIR: nowhere } })
  expect([temporary.code, temporary.stderr]).toEqual([
    1,
    expect.stringMatching(/^parley: The temporary folder \S+\/nowhere \(TMPDIR\) cannot be used: ENOENT: .*\n$/),
  ])
  const ids = await parley.run([...args, '--ids', join(nowhere, 'ids')])
  expect([ids.code, ids.stderr]).toEqual([
    1,
    expect.stringMatching(/^parley: Cannot write the list of IDs: ENOENT: .*\. Choose another file with --ids\.\n$/),
  ])
  expect((await parley.run(['organization', 'list'])).stdout.split('\n')).toHaveLength(2)

  // Without PARLEY_ROOT_DOMAIN, the organization has no URL.
  const imported = await parley.run(args)
  expect([imported.code, imported.stdout]).toEqual([
    0,
    expect.stringContaining('\n  Served at (not available: set PARLEY_ROOT_DOMAIN)\n'),
  ])
  const shown = await parley.run(['organization', 'show', '--organization', 'north'])
  expect(shown.stdout).toContain('\nServed at  (not available: set PARLEY_ROOT_DOMAIN)\n')
})
