import { expect, it } from 'vitest'
import { unexplainedParameters } from '../../testing/hidden-is-absent.ts'

it('knows for every request parameter whether it can refer to a hidden object', () => {
  expect(unexplainedParameters()).toEqual([])
})
