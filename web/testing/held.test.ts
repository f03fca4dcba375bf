import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openWindow, useBrowser } from './browser.ts'
import { PASSWORD, createTeamOn } from './team.ts'

const LIMIT_SECONDS = 20
const server = useTestServer({
  ...LOCAL_DOMAIN,
  PARLEY_RATE_LIMITS: 'on',
  PARLEY_RATE_LIMIT_ADDRESS: `12/${LIMIT_SECONDS}`,
})
const browser = useBrowser()

describe.skipIf(!hasBrowser)('rate limit of an address', () => {
  it('shows a notice on rate-limited pages, and continues when the limit ends', async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const context = await openWindow(browser())
    const others = await context.newPage()
    await others.goto(addressOf(owner, '/join'))
    const askTooOften = async (): Promise<number> =>
      others.evaluate(async () => {
        for (;;) {
          const response = await fetch('/api/v1/users/me')
          if (response.status === 429) return Number(response.headers.get('retry-after'))
        }
      })
    // Waits until a rate limit has just started, so that the pages open before it ends.
    await expect.poll(askTooOften, { timeout: 3_000 * LIMIT_SECONDS }).toBeGreaterThan(LIMIT_SECONDS - 4)
    const held = 'Too many requests from your network. This page will retry in a moment.'
    const [client, tab, joining] = [await context.newPage(), await context.newPage(), await context.newPage()]
    await Promise.all([
      client.goto(addressOf(owner, '/inbox')),
      tab.goto(addressOf(owner, '/recent')),
      joining.goto(addressOf(owner, `/join#${'a'.repeat(43)}`)),
    ])
    await Promise.all([client, tab, joining].map((page) => page.getByRole('status').getByText(held).waitFor()))
    await joining.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    for (const page of [client, tab]) {
      await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
      expect(await page.getByText(held).count()).toBe(0)
    }
    await client.getByLabel('Email address').fill(owner.email)
    await client.getByLabel('Password').fill(PASSWORD)
    await client.keyboard.press('Enter')
    await client.getByRole('heading', { name: 'Inbox' }).waitFor()
  })
})
