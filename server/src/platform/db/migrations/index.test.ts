import { expect, it } from 'vitest'
import { capabilities } from '../../../capabilities.ts'
import { allMigrations } from './index.ts'

const names = allMigrations(capabilities).map(({ name }) => name)

it('each migration has a name of its own, which begins with its day', () => {
  expect(names.filter((name) => !/^20\d\d-[01]\d-[0-3]\d(-[a-z]+)+$/.test(name))).toEqual([])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('a new database gets them by their days, and of one day in the order of those that have them', () => {
  const days = names.map((name) => name.slice(0, 10))
  expect(days).toEqual(days.toSorted())
  expect(names[0]).toBe('2026-11-21-beginning')
  const later = { migrations: [{ name: '2999-01-02-a', sql: '' }] }
  const first = { migrations: ['2999-01-02-c', '2999-01-02-b', '2999-01-03-a'].map((name) => ({ name, sql: '' })) }
  const last = allMigrations([first, later]).map(({ name }) => name)
  expect(last.slice(-4)).toEqual(['2999-01-02-c', '2999-01-02-b', '2999-01-02-a', '2999-01-03-a'])
})
