import { expect, it } from 'vitest'
import { capabilities } from '../../../capabilities.ts'
import { allMigrations } from './index.ts'

const names = allMigrations(capabilities).map(({ name }) => name)

it('gives each migration a unique name that starts with its date', () => {
  expect(names.filter((name) => !/^20\d\d-[01]\d-[0-3]\d(-[a-z]+)+$/.test(name))).toEqual([])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('sorts migrations by date, and keeps the listed order within a date', () => {
  const days = names.map((name) => name.slice(0, 10))
  expect(days).toEqual(days.toSorted())
  expect(names[0]).toBe('2026-11-21-beginning')
  const later = { migrations: [{ name: '2999-01-02-a', sql: '' }] }
  const first = { migrations: ['2999-01-02-c', '2999-01-02-b', '2999-01-03-a'].map((name) => ({ name, sql: '' })) }
  const last = allMigrations([first, later]).map(({ name }) => name)
  expect(last.slice(-4)).toEqual(['2999-01-02-c', '2999-01-02-b', '2999-01-02-a', '2999-01-03-a'])
})
