import { describe } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { hasBrowser } from './browser.ts'
import { defineTypingTest } from './typing.ts'

const INTERLEAVINGS = 50
/** Two other files run this many each, so all sweeps together run 510. */
const INTERLEAVINGS_IN_SWEEPS = 170

describe.skipIf(!hasBrowser)('typing', () => {
  defineTypingTest(Math.max(INTERLEAVINGS, effort(INTERLEAVINGS_IN_SWEEPS)), { react: 2, tab: 1, reload: 1 })
})
