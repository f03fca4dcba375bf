import { expect, it } from 'vitest'
import { refuseOldPostgres } from './migrate.ts'

it('rejects PostgreSQL versions older than 15', () => {
  expect(() => refuseOldPostgres(149_999)).toThrow('it is PostgreSQL 14, but Parley needs 15 or newer')
  expect(() => refuseOldPostgres(150_000)).not.toThrow()
})
