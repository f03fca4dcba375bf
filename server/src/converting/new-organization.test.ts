import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROLE } from '../kernel/actor.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import { ArchiveWriter } from '../platform/moving/writer.ts'
import { IdList } from './id-list.ts'
import { NewOrganization } from './new-organization.ts'

it('rejects an export with more people or channels than fit in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const [writer, ids] = [await ArchiveWriter.begin(folder, []), new IdList(join(folder, 'ids'))]
  onTestFinished(async () => {
    await ids.close()
    await rm(folder, { recursive: true, force: true })
  })
  const organization = new NewOrganization({ writer, ids }, 'slack', { people: 2, channels: 2 })
  const addPerson = (there: string): unknown =>
    organization.addAccount({
      there,
      email: undefined,
      fullName: there,
      role: ROLE.member,
      isActive: true,
      isBot: false,
    })
  for (const there of ['U1', 'U2']) addPerson(there)
  expect(() => addPerson('U3')).toThrow(new DamagedArchive('The export has more than 2 people.'))
  const addChannel = (name: string): unknown =>
    organization.addChannel(
      { there: name, name, description: '', isPrivate: false, isArchived: false, isDefault: false, createdAt: 0 },
      new Map(),
    )
  for (const name of ['general', 'random']) addChannel(name)
  expect(() => addChannel('third')).toThrow(new DamagedArchive('The export has more than 2 channels.'))
})
