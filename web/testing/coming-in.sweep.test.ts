import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { newcomer, NILS, NORA, useFirstDay } from './first-day.ts'

const playFirstDay = await useFirstDay()

describe.skipIf(!hasBrowser)('first day of a server', () => {
  it('lets ten people join a new server in every supported way on its first day', { timeout: 300_000 }, async () => {
    const newcomers = [
      NORA,
      NILS,
      newcomer('Ella East', 'by mail', 'password'),
      newcomer('Emil Ost', 'by mail', 'provider'),
      newcomer('Sara South', 'by mail', 'password'),
      newcomer('Lena Late', 'by link', 'password', 'Guest'),
      newcomer('Lars Lang', 'by link', 'passkey'),
      newcomer('Wanda West', 'by link', 'password'),
      newcomer('Will Weit', 'by link', 'provider'),
      newcomer('Pia Provided', 'by provider', 'provider'),
    ]
    expect(await playFirstDay(newcomers)).toBe(newcomers.length)
  })
})
