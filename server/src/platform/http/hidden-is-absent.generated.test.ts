import { expect, it } from 'vitest'
import { testHiddenIsAbsent, unclearNames } from '../../testing/hidden-is-absent.ts'

testHiddenIsAbsent(['outsider', 'former', 'latecomer'])

it('has a word about everything that a request can name', () => {
  expect(unclearNames()).toEqual([])
})
