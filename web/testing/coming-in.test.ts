import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { defineNewcomer, NILS, NORA, useFirstDay } from './first-day.ts'

const playFirstDay = await useFirstDay()

describe.skipIf(!hasBrowser)('first day of a server', () => {
  it('sets up a server, and lets people join, get notified, get a role, and leave', { timeout: 180_000 }, async () => {
    // Covers each way to join, each way to sign in, and each assigned role.
    const newcomers = [NORA, NILS, defineNewcomer('Pia Provided', 'by provider', 'provider', 'Guest')]
    expect(await playFirstDay(newcomers)).toBe(newcomers.length)
  })
})
