import { describe } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { hasBrowser } from './browser.ts'
import { typingTest } from './typing.ts'

const RUNS_AT_LEAST = 50
const RUNS_IN_SWEEPS = 170

describe.skipIf(!hasBrowser)('typing', () => {
  typingTest(Math.max(RUNS_AT_LEAST, effort(RUNS_IN_SWEEPS)), { react: 1, tab: 1, reload: 1 })
})
