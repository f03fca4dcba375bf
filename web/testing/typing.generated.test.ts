import { describe } from 'vitest'
import { hasBrowser } from './browser.ts'
import { typingTest } from './typing.ts'

const INTERLEAVINGS = 50

describe.skipIf(!hasBrowser)('typing', () => {
  typingTest(INTERLEAVINGS, { react: 2, tab: 1, reload: 1 })
})
