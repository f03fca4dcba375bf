import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { newcomer, NILS, NORA, useFirstDay } from './first-day.ts'

const playFirstDay = await useFirstDay()

describe.skipIf(!hasBrowser)('a new server', () => {
  it(
    'is set up by the link that it prints, and people come, are told what they miss, get a role, and leave',
    { timeout: 180_000 },
    async () => {
      const newcomers = [
        NORA,
        NILS,
        newcomer('Lena Late', 'by link', 'password', 'Guest'),
        newcomer('Pia Provided', 'by provider', 'provider'),
      ]
      expect(await playFirstDay(newcomers)).toBe(newcomers.length)
    },
  )
})
