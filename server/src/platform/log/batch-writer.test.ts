import { expect, it, vi } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { BatchKind } from './batch-writer.ts'
import type { OrganizationLog } from './organization-log.ts'

const server = useTestServer()

async function openTestLog(): Promise<OrganizationLog> {
  const { id } = await server().organization()
  return server().parley.logs.of(id)
}

function controlledKind(): { kind: BatchKind<string, string>; sent: string[][]; answer: (index: number) => void } {
  const sent: string[][] = []
  const answers: (() => void)[] = []
  const kind: BatchKind<string, string> = {
    name: 'answered',
    maxItems: 10,
    minAhead: 2,
    async write(_, organization, items) {
      sent.push([...items])
      const { position } = organization
      await new Promise<void>((resolve) => {
        answers.push(resolve)
      })
      return { base: position, head: position, rows: [], results: items.map((item) => item.toUpperCase()) }
    },
  }
  return { kind, sent, answer: (index) => answers[index]?.() }
}

it('sends a batch while another batch of equal size is in flight, and keeps the order of results', async () => {
  const log = await openTestLog()
  const { kind, sent, answer } = controlledKind()
  const results: string[] = []
  const push = async (item: string): Promise<void> => {
    results.push(await log.batch(kind, item))
  }
  const first = [push('a'), push('b')]
  await expect.poll(() => sent).toEqual([['a', 'b']])
  const second = [push('c')]
  await new Promise(setImmediate)
  expect(sent).toHaveLength(1)
  second.push(push('d'))
  await expect
    .poll(() => sent)
    .toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  const third = [push('e'), push('f'), push('g')]
  await new Promise(setImmediate)
  expect(sent).toHaveLength(2)
  answer(1)
  await new Promise(setImmediate)
  expect(results).toEqual([])
  answer(0)
  await Promise.all([...first, ...second])
  expect(results).toEqual(['A', 'B', 'C', 'D'])
  expect(sent[2]).toEqual(['e', 'f', 'g'])
  answer(2)
  await Promise.all(third)
})

it('holds a small batch until the previous batch finishes', async () => {
  const log = await openTestLog()
  const { kind, sent, answer } = controlledKind()
  const first = log.batch(kind, 'a')
  await expect.poll(() => sent).toEqual([['a']])
  const second = log.batch(kind, 'b')
  await new Promise(setImmediate)
  expect(sent).toEqual([['a']])
  answer(0)
  await first
  await expect.poll(() => sent).toEqual([['a'], ['b']])
  answer(1)
  expect(await second).toBe('B')
})

it('sends no batch ahead of a waiting action', async () => {
  const log = await openTestLog()
  const { kind, sent, answer } = controlledKind()
  const first = log.batch(kind, 'a')
  await expect.poll(() => sent).toEqual([['a']])
  const order: string[] = []
  const action = log.write(async () => Promise.resolve(order.push('action')))
  const second = Promise.all(['b', 'c'].map((item) => log.batch(kind, item))).finally(() => order.push('batch'))
  await new Promise(setImmediate)
  expect(sent).toEqual([['a']])
  answer(0)
  await Promise.all([first, action])
  await expect.poll(() => sent).toEqual([['a'], ['b', 'c']])
  answer(1)
  await second
  expect(order).toEqual(['action', 'batch'])
})

it('retries the items of a failed batch one by one', async () => {
  const log = await openTestLog()
  const { database } = server().parley
  await database.pool.query('create table test_numbers (number bigint primary key)')
  const kind: BatchKind<number, number> = {
    name: 'numbers',
    maxItems: 2,
    minAhead: 2,
    async write(connection, organization, items) {
      await connection.rows('test_numbers', 'insert into test_numbers select * from unnest($1::bigint[])', [items])
      return { base: organization.position, head: organization.position, rows: [], results: items }
    },
  }
  const write = vi.spyOn(kind, 'write')
  const all = await Promise.allSettled([1, 1, 2, 3, 4, 4].map((number) => log.batch(kind, number)))
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(write.mock.calls.slice(0, 2).map(([, , items]) => items)).toEqual([
    [1, 1],
    [2, 3],
  ])
  const { rows } = await database.pool.query<{ number: number }>('select number from test_numbers order by number')
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4])
})
