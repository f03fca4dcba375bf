import { randomUUID } from 'node:crypto'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { pathOfFile, pathOfTable } from '../server/src/platform/moving/manifest.ts'
import {
  exportOrganization,
  createFullOrganization,
  newFolder,
  runParley,
  queryRows,
  useMovingServer,
} from './moving/moved.ts'
import { readImportReport } from './moving/reports.ts'

/* An import rejects a damaged archive unless asked to skip the damaged parts. */

vi.setConfig({ testTimeout: 300_000 })

useMovingServer()

const attachment = z.object({ id: z.number(), name: z.string(), files: z.object({ original: z.string() }) })

it('rejects an archive with damaged files unless told to skip them', async () => {
  const { organization } = await createFullOrganization()
  const whole = await exportOrganization(organization)
  const folder = join(await newFolder(), 'damaged')
  await cp(whole, folder, { recursive: true })
  const lines = (await readFile(join(folder, pathOfTable('attachments')), 'utf8')).trimEnd().split('\n')
  const files = lines.map((line) => attachment.parse(JSON.parse(line)))
  const pathOf = (name: string): string => pathOfFile(files.find((file) => file.name === name)?.files.original ?? '')
  const bytes = await readFile(join(folder, pathOf('note.txt')))
  await writeFile(join(folder, pathOf('note.txt')), Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')]))
  await rm(join(folder, pathOf('pixel.png')))
  const subdomain = `i${randomUUID().slice(0, 8)}`
  const command = ['import', 'parley', folder, '--json', '--organization', subdomain]
  for (const more of [['--dry-run'], []]) {
    const { code, stdout, stderr } = await runParley(...command, ...more)
    expect([code, stdout]).toEqual([3, ''])
    const [said = ''] = stderr.split('\n').filter((line) => line.startsWith('parley: '))
    expect(said).toMatch(/^parley: Files of this archive are missing or damaged: .* with --skip-damaged-files\.$/)
    for (const { id, name } of files) expect(said).toContain(`${pathOf(name)} (attachments, id ${id})`)
  }
  expect(
    await queryRows(`select id from organizations where string_id = $1 or string_id like '?%'`, [subdomain]),
  ).toEqual([])
  for (const more of [['--dry-run'], []]) {
    const { code, stdout } = await runParley(...command, '--skip-damaged-files', ...more)
    const { left_out: leftOut } = readImportReport(stdout)
    expect([
      code,
      leftOut.find(({ what }) => what.startsWith('files of attachments: missing from the archive')),
    ]).toMatchObject([0, { count: 2 }])
  }
  const [row] = await queryRows('select id from organizations where string_id = $1', [subdomain])
  expect(await queryRows('select id from attachments where organization_id = $1', [row?.['id']])).toEqual([])
})
