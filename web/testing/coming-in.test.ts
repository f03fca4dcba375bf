import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { newcomer, NILS, NORA, useFirstDay } from './first-day.ts'

const playFirstDay = await useFirstDay()

describe.skipIf(!hasBrowser)('a new server', () => {
  it(
    'is set up by the link that it prints, and people come, are told what they miss, get a role, and leave',
    { timeout: 180_000 },
    async () => {
      // Each way to come, each way to sign in, and each role that is given.
      const newcomers = [NORA, NILS, newcomer('Pia Provided', 'by provider', 'provider', 'Guest')]
      expect(await playFirstDay(newcomers)).toBe(newcomers.length)
    },
  )
})
