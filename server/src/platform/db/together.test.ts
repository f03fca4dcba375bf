import { expect, it } from 'vitest'
import type { Db } from '../../kernel/transaction.ts'
import { useTestServer } from '../../testing/server.ts'
import { batchQueries } from './together.ts'

const server = useTestServer()

let countingDbs = 0

function countingDb(): { db: Db; asked: string[] } {
  const { reads } = server().parley.database
  const asked: string[] = []
  const test = (countingDbs += 1)
  const rows: Db['rows'] = async (name, text, values) => {
    asked.push(name)
    // The server's connection already has prepared statements, so each test uses other names.
    return reads.rows(`test_${test}_${name}`, text, values)
  }
  return { db: { rows }, asked }
}

const NUMBERS_QUERY =
  'select n::bigint as "organizationId", $2::text as id from generate_series(1, $1::int) n order by n desc'

it('answers concurrent queries in one statement, each with its own rows', async () => {
  const { db, asked } = countingDb()
  const looks = batchQueries(db)
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all([
      looks.rows('numbers', NUMBERS_QUERY, [3, 'a']),
      looks.rows('none', 'select 1 as one where $1', [false]),
      looks.rows('more_numbers', NUMBERS_QUERY, [2, 'b']),
    ])
    expect(answers).toEqual([
      [3, 2, 1].map((organizationId) => ({ organizationId, id: 'a' })),
      [],
      [2, 1].map((organizationId) => ({ organizationId, id: 'b' })),
    ])
  }
  expect(asked).toHaveLength(3)
  expect(new Set(asked).size).toBe(1)
})

it('prepares one statement for equal sets of queries, in whatever order they arrive', async () => {
  const { db, asked } = countingDb()
  const looks = batchQueries(db)
  const one = (): Promise<unknown[]> => looks.rows('one', 'select 1 as one', [])
  const queryTwo = (): Promise<unknown[]> => looks.rows('two', 'select 2 as two', [])
  expect(await Promise.all([one(), queryTwo()])).toEqual([[{ one: 1 }], [{ two: 2 }]])
  expect(await Promise.all([queryTwo(), one()])).toEqual([[{ two: 2 }], [{ one: 1 }]])
  expect(new Set(asked).size).toBe(1)
})

it('runs an unbatched query under its own name', async () => {
  const { db, asked } = countingDb()
  expect(await batchQueries(db).rows('alone', NUMBERS_QUERY, [1, 'c'])).toEqual([{ organizationId: 1, id: 'c' }])
  expect(asked).toEqual(['alone'])
})

it('answers the other queries of a batch when one query fails, and rejects the failed query', async () => {
  const { db } = countingDb()
  const looks = batchQueries(db)
  const [good, bad, other] = await Promise.allSettled([
    looks.rows('good', NUMBERS_QUERY, [1, 'd']),
    looks.rows('bad', 'select 1 / $1::int as nothing', [0]),
    looks.rows('other', NUMBERS_QUERY, [1, 'e']),
  ])
  expect(good).toMatchObject({ status: 'fulfilled', value: [{ id: 'd' }] })
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
  expect(other).toMatchObject({ status: 'fulfilled', value: [{ id: 'e' }] })
})

it('fails a batch once without retrying while the database is unreachable', async () => {
  let asked = 0
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const rows: Db['rows'] = async () => {
    asked += 1
    return Promise.reject(away)
  }
  const looks = batchQueries({ rows })
  const answers = await Promise.allSettled([looks.rows('a', 'select 1', []), looks.rows('b', 'select 1', [])])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(asked).toBe(1)
})
