import { describe } from 'vitest'
import { hasBrowser } from './browser.ts'
import { defineTypingTest } from './typing.ts'

const INTERLEAVINGS = 170

describe.skipIf(!hasBrowser)('typing, seed 3', () => {
  defineTypingTest(INTERLEAVINGS, { react: 1, tab: 2, reload: 2 }, 3)
})
