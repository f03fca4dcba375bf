import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, load, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say } from './team.ts'

const { browser, team, visit } = useTeam()

const main = (page: Page) => page.getByRole('main')

describe.skipIf(!hasBrowser)('view that throws', () => {
  it('replaces only the broken view with a message, and shows the view again on retry', async () => {
    const { owner, friend, channelId } = await team()
    for (const text of ['Hello', 'All well']) await say(friend, channelId, 'broken', text)
    const page = await openAs(browser(), owner, '/inbox', { expectedError: /planted fault/ })
    const inbox = main(page).getByRole('heading', { name: 'Inbox', level: 1 })
    await inbox.waitFor()
    await page.evaluate(() => {
      Object.assign(Date.prototype, {
        toDateString(this: Date): string {
          if (!('isRepaired' in window)) throw new Error('planted fault')
          return this.toISOString().slice(0, 10)
        },
      })
    })
    await show(page, `/c/${channelId}/t/broken`)
    const failure = main(page).getByText('Something went wrong. Try again.')
    await failure.waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await show(page, '/inbox')
    await inbox.waitFor()
    expect(await failure.count()).toBe(0)
    await page.goBack()
    await failure.waitFor()
    expect(await main(page).getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Parley'])
    await page.evaluate(() => Object.assign(window, { isRepaired: true }) === window)
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await list(page).getByText('All well').waitFor()
    expect(await failure.count()).toBe(0)
  })
})

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
