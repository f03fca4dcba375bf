import { expect, it } from 'vitest'
import { unclearNames } from '../../testing/hidden-is-absent.ts'

it('has a word about everything that a request can name', () => {
  expect(unclearNames()).toEqual([])
})
