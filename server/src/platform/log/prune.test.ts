import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { LOG_RETENTION_SECONDS } from './prune.ts'

const server = useTestServer()

async function positionsOf(organizationId: number): Promise<number[]> {
  const rows = await server()
    .parley.database.kysely.selectFrom('events')
    .select('position')
    .where('organization_id', '=', organizationId)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.position)
}

async function ageEvents(organizationId: number, which: (position: number) => boolean): Promise<void> {
  const old = Math.floor(Date.now() / 1000) - LOG_RETENTION_SECONDS - 60
  await server()
    .parley.database.kysely.updateTable('events')
    .set({ recorded_at: old })
    .where('organization_id', '=', organizationId)
    .where('position', 'in', (await positionsOf(organizationId)).filter(which))
    .execute()
}

it('prunes only the oldest events, even if a clock went backward', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['general'])
  for (let round = 0; round < 6; round += 1) await owner.send('general', 'talk', `Message ${round}`)
  const before = await positionsOf(id)
  const kept = before.at(-4) ?? 0
  await ageEvents(id, (position) => position < kept || position === before.at(-2))
  await server().parley.logs.prune()
  expect(await positionsOf(id)).toEqual(before.slice(-4))
})

it('never prunes the newest event of a log, whatever its age', async () => {
  const { id, owner } = await server().organization()
  await ageEvents(id, () => true)
  await server().parley.logs.prune()
  const { organization } = await server().parley.logs.of(id)
  expect(await positionsOf(id)).toEqual([organization.position])
  const queue = await owner.register()
  expect(await queue.events()).toEqual([])
})
