import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { list, say, teamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('the reports', () => {
  it('go to a channel that is chosen, and are read from the administration', async () => {
    const { owner, friend, user, channelId } = await teamOn(server())
    const admin = await user('Ada Admin', { role: 200 })
    const moderator = await user('Mo Moderator', { role: 300 })
    await owner.subscribe(['desk'], { invite_only: true, principals: [owner.id, moderator.id] })
    const page = await openAs(browser(), owner, '/settings/reports')
    const chooser = page.getByLabel('Reports of messages go to')
    // Reports are for some: what everybody can read is not offered.
    await expect.poll(() => chooser.getByRole('option').allTextContents()).toEqual(['No channel', '#desk'])
    await chooser.selectOption('#desk')
    await page.getByText('Nothing was reported yet').waitFor()
    const id = await say(owner, channelId, 'beans', 'Buy beans now')
    await friend.call('POST', `/messages/${id}/report`, { report_type: 'spam', description: 'Only beans' })
    await page.reload()
    const latest = page.getByRole('list', { name: 'Latest reports' })
    await latest.getByRole('link', { name: /Fred Friend.*Spam.*Only beans.*Buy beans now/s }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const other = await openAs(browser(), moderator, '/settings/reports')
    await other.getByRole('link', { name: /Buy beans now/ }).click()
    await list(other).getByText('Only beans').waitFor()
    const outside = await openAs(browser(), admin, '/settings/reports')
    await outside.getByText('Reports are read by those who are in #desk. You are not in it.').waitFor()
    await outside.getByRole('link', { name: 'Go to the channel' }).waitFor()
    const none = await openAs(browser(), friend, '/settings/reports')
    await none.getByText('There is nothing here').first().waitFor()
  })
})
