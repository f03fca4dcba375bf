import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { defineNewcomer, NILS, NORA, useFirstDay } from './first-day.ts'

const playFirstDay = await useFirstDay()

describe.skipIf(!hasBrowser)('first day of a server', () => {
  it('lets ten people join a new server in every supported way on its first day', { timeout: 300_000 }, async () => {
    const newcomers = [
      NORA,
      NILS,
      defineNewcomer('Ella East', 'by mail', 'password'),
      defineNewcomer('Emil Ost', 'by mail', 'provider'),
      defineNewcomer('Sara South', 'by mail', 'password'),
      defineNewcomer('Lena Late', 'by link', 'password', 'Guest'),
      defineNewcomer('Lars Lang', 'by link', 'passkey'),
      defineNewcomer('Wanda West', 'by link', 'password'),
      defineNewcomer('Will Weit', 'by link', 'provider'),
      defineNewcomer('Pia Provided', 'by provider', 'provider'),
    ]
    expect(await playFirstDay(newcomers)).toBe(newcomers.length)
  })
})
