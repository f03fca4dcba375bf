/* Tests the rules of testing/architecture/migrations.ts with seeded violations and valid cases. */
import { expect, it } from 'vitest'
import { capabilities } from './capabilities.ts'
import type { Migration } from './kernel/tables.ts'
import { allMigrations } from './platform/db/migrations/index.ts'
import { LANDED, LANDED_FILE, RETIREMENTS } from './testing/architecture/landed.ts'
import { digestOf, landedText, migrationViolations, type Retirement } from './testing/architecture/migrations.ts'
import { BREAKING_SQL, HARMLESS_SQL } from './testing/architecture/planted-migrations.ts'

it('keeps merged migrations unchanged and compatible with the previous release', async () => {
  const migrations = allMigrations(capabilities)
  // Runs before the list is updated, so that an update cannot accept a changed migration.
  expect(migrationViolations(migrations, LANDED, RETIREMENTS)).toEqual([])
  await expect(landedText(migrations, LANDED)).toMatchFileSnapshot(LANDED_FILE)
})

const ROOMS = 'create table rooms (id int, size int); create unique index rooms_key on rooms (id)'
const rooms = { name: '2026-01-02-rooms', sql: ROOMS }
const digests = (...migrations: readonly Migration[]): Record<string, string> =>
  Object.fromEntries(migrations.map((migration) => [migration.name, digestOf(migration)]))
const RELEASED_DIGESTS = digests(rooms)

function problemsOf(sql: string, retirements: readonly Retirement[] = []): string[] {
  const added = { name: '2026-01-03-planted', sql }
  return migrationViolations([rooms, added], { inReleaseBefore: RELEASED_DIGESTS, since: digests(added) }, retirements)
}

it.each(HARMLESS_SQL)('accepts a migration that is compatible with the previous release: %s', (sql) => {
  expect(problemsOf(sql)).toEqual([])
})

it.each(BREAKING_SQL)('detects a migration that breaks the previous release: %s: %s', (caught, sql) => {
  expect(problemsOf(sql)).toEqual([`2026-01-03-planted ${caught}`])
})

it('lets a migration drop only columns listed as retired, and rejects list entries that are not needed', () => {
  const retirement = { migration: '2026-01-03-planted', what: 'drops rooms.size', reason: 'unused since 0.2.0' }
  expect(problemsOf('alter table rooms drop column size', [retirement])).toEqual([])
  expect(problemsOf('alter table rooms drop column id', [retirement])).toHaveLength(2)
  expect(problemsOf('select 1', [retirement])).toEqual([
    expect.stringContaining('needs no exception for: drops rooms.size'),
  ])
})

it("sorts the list of new migrations by name, and keeps the previous release's list unchanged", () => {
  const [early, late] = [
    { name: '2026-01-03-early', sql: 'select 1' },
    { name: '2026-01-04-late', sql: 'select 2' },
  ]
  const text = landedText([rooms, late, early], { inReleaseBefore: RELEASED_DIGESTS })
  expect(text).toBe(`${JSON.stringify({ inReleaseBefore: RELEASED_DIGESTS, since: digests(early, late) }, null, 2)}\n`)
})

it.each([
  [
    'has changed since it was merged',
    [{ ...rooms, sql: `${ROOMS};` }],
    { inReleaseBefore: RELEASED_DIGESTS, since: {} },
  ],
  ['was merged and is missing', [], { inReleaseBefore: RELEASED_DIGESTS, since: {} }],
  ['is listed twice', [rooms], { inReleaseBefore: RELEASED_DIGESTS, since: RELEASED_DIGESTS }],
  [
    'is dated before the newest',
    [{ ...rooms, name: '2026-01-01-late' }, rooms],
    { inReleaseBefore: RELEASED_DIGESTS, since: digests({ ...rooms, name: '2026-01-01-late' }) },
  ],
])('detects a migration that %s', (caught, migrations, landed) => {
  expect(migrationViolations(migrations, landed, [])).toEqual([expect.stringContaining(caught)])
})
