import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import {
  accessibilityFaults,
  hasBrowser,
  load,
  LOCAL_DOMAIN,
  openAs,
  show,
  signInByCookie,
  useBrowser,
} from './browser.ts'
import { list, say, createTeamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

async function openReportsAs(page: Page, user: TestUser): Promise<void> {
  await page.context().clearCookies()
  await signInByCookie(page, user)
  await load(page, user, '/settings/reports')
}

describe.skipIf(!hasBrowser)('message reports', () => {
  it('posts reports in the chosen channel, and shows them to the members of the channel', async () => {
    const { owner, friend, user, channelId } = await createTeamOn(server())
    const admin = await user('Ada Admin', { role: 200 })
    const moderator = await user('Mo Moderator', { role: 300 })
    await owner.subscribe(['desk'], { invite_only: true, principals: [owner.id, moderator.id] })
    const page = await openAs(browser(), owner, '/settings/reports')
    const chooser = page.getByLabel('Channel for message reports')
    // Channels that everyone can read are not offered.
    await expect.poll(() => chooser.getByRole('option').allTextContents()).toEqual(['No channel', '#desk'])
    await chooser.selectOption('#desk')
    await page.getByText('No reports yet').waitFor()
    const id = await say(owner, channelId, 'beans', 'Buy beans now')
    await friend.call('POST', `/messages/${id}/report`, { report_type: 'spam', description: 'Only beans' })
    await show(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await show(page, '/settings/reports')
    const latest = page.getByRole('list', { name: 'Latest reports' })
    await latest.getByRole('link', { name: /Fred Friend.*Spam.*Only beans.*Buy beans now/s }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await openReportsAs(page, moderator)
    await page.getByRole('link', { name: /Buy beans now/ }).click()
    await list(page).getByText('Only beans').waitFor()
    await openReportsAs(page, admin)
    await page.getByText('Only people in #desk can read reports. You aren’t in it.').waitFor()
    await page.getByRole('link', { name: 'Go to channel' }).waitFor()
    await openReportsAs(page, friend)
    await page.getByText('Page not found').first().waitFor()
  })
})
