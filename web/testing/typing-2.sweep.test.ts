import { describe } from 'vitest'
import { hasBrowser } from './browser.ts'
import { defineTypingTest } from './typing.ts'

const INTERLEAVINGS = 170

describe.skipIf(!hasBrowser)('typing, seed 2', () => {
  defineTypingTest(INTERLEAVINGS, { react: 2, tab: 1, reload: 1 }, 2)
})
