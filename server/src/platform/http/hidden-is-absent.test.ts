import { expect, it } from 'vitest'
import { unexplainedParameters } from '../../testing/hidden-is-absent.ts'

it('classifies every request parameter by whether it can refer to a hidden object', () => {
  expect(unexplainedParameters()).toEqual([])
})
