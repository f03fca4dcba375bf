import { expect, it } from 'vitest'
import { unclearNames } from '../../testing/hidden-is-absent.ts'

it('classifies every parameter name that a request can contain', () => {
  expect(unclearNames()).toEqual([])
})
