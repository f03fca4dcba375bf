import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, load, show } from './browser.ts'
import { useTeam } from './shared.ts'

const { team, visit } = useTeam()

const main = (page: Page) => page.getByRole('main')

describe.skipIf(!hasBrowser)('unknown addresses', () => {
  const ADDRESSES = ['/c/garden', '/c/999999/t/beans', '/c/1/x/y', '/dm/ann', '/settings/keys/more', '/c/']

  it('shows links to the inbox and search at unknown URLs, and to channels at unknown channel URLs', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    for (const address of ADDRESSES) {
      await load(page, owner, address)
      await main(page).getByRole('heading', { name: 'Page not found' }).waitFor()
      const links = await main(page).locator('.empty').getByRole('link').allTextContents()
      const channels = address.startsWith('/c/') ? ['All channels'] : []
      expect(links).toEqual(['Go to inbox', ...channels, 'Search messages'])
      expect(await main(page).getByRole('form').count()).toBe(0)
    }
    expect(await accessibilityFaults(page)).toEqual([])
    await main(page).getByRole('link', { name: 'All channels' }).click()
    await main(page).getByRole('heading', { name: 'All channels', level: 1 }).waitFor()
    await show(page, '/dm/ann')
    await main(page).getByRole('link', { name: 'Search messages' }).click()
    await page.getByRole('searchbox').first().waitFor()
    await show(page, '/dm/ann')
    await main(page).getByRole('link', { name: 'Go to inbox' }).click()
    await main(page).getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  })
})
