import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import {
  accessibilityFaults,
  hasBrowser,
  load,
  LOCAL_DOMAIN,
  openAs,
  pressShortcut,
  show,
  signInByCookie,
  useBrowser,
} from './browser.ts'
import { composer, createTeamOn, list, say } from './team.ts'

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
    const id = await say(admin, channelId, 'beans', 'Buy beans now')
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

  it('lets moderators handle reports with keys, while others see each change', async () => {
    const { owner, friend, user, channelId } = await createTeamOn(server())
    const moderator = await user('Mo Moderator', { role: 300 })
    await owner.subscribe(['desk'], { invite_only: true })
    const { stream_id: desk } = await owner.call('GET', '/get_stream_id', { stream: 'desk' })
    await owner.call('PATCH', '/realm', { moderation_request_channel_id: desk })
    const page = await openAs(browser(), moderator, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    for (const text of ['Buy beans now', 'Sell beans now']) {
      const id = await say(friend, channelId, 'beans', text)
      await owner.call('POST', `/messages/${id}/report`, { report_type: 'spam', description: 'Only beans' })
    }
    await page.getByRole('link', { name: /^Reports.*2/ }).click()
    const [first, second] = ['Buy beans now', 'Sell beans now'].map((text) =>
      page.getByRole('article').filter({ hasText: text }),
    )
    if (first === undefined || second === undefined) throw new Error('there are two reports')
    await first.waitFor()
    await pressShortcut(page, 'j')
    expect(await first.evaluate((row) => row === document.activeElement)).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    await pressShortcut(page, 'Shift+T')
    await first.getByText('Taken by Mo Moderator').waitFor()
    await pressShortcut(page, 'w')
    const dialog = page.getByRole('dialog', { name: 'Add note' })
    await dialog.getByLabel('Note').fill('Warned before')
    await dialog.getByRole('button', { name: 'Save note' }).click()
    await first.getByRole('button', { name: 'History' }).click()
    const history = first.getByRole('list', { name: 'History' })
    await expect
      .poll(() => history.getByRole('listitem').allTextContents())
      .toEqual([
        expect.stringMatching(/^Olivia Owner reported: Spam.*Only beans$/),
        expect.stringMatching(/^Mo Moderator took the report/),
        expect.stringMatching(/^Mo Moderator added a note.*Warned before$/),
      ])
    await first.focus()
    await pressShortcut(page, 'e')
    await first.waitFor({ state: 'detached' })
    expect(await second.evaluate((row) => row === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await first.getByText('Taken by Mo Moderator').waitFor()
    await second.hover()
    const { reports } = await owner.call('GET', '/message_reports')
    const [latest] = reports
    const change = { state: 'dismissed', old_state: 'new', old_assignee_id: null }
    await owner.call('PATCH', `/message_reports/${latest?.report_id ?? 0}`, change)
    // The list keeps its order while the pointer is in it, but another moderator has changed the report.
    await second.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('This changed in the meantime').waitFor()
    await page.getByRole('tab', { name: 'Dismissed' }).click()
    await second.getByText(/Dismissed by/).waitFor()
    await second.getByRole('button', { name: 'Reopen' }).click()
    await second.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Open' }).click()
    await second.getByRole('link').click()
    await list(page).getByText('Sell beans now').waitFor()
  })

  it('shows a held message as waiting to its author until a moderator approves or rejects it', async () => {
    const { owner, friend, user, channelId } = await createTeamOn(server())
    const moderator = await user('Mo Moderator', { role: 300 })
    const settings = await openAs(browser(), owner, '/settings/reports')
    const words = settings.getByRole('textbox', { name: 'Words that hold messages for review' })
    await words.fill('casino')
    await settings.getByRole('button', { name: 'Save words' }).click()
    await settings.getByText('Saved').first().waitFor()
    const page = await openAs(browser(), friend, `/c/${channelId}/t/beans`)
    const url = await upload(friend, 'plan.txt', 'Beans')
    const withFile = `Another casino: [plan.txt](${url})`
    for (const text of ['A casino', withFile, 'The last casino']) {
      await composer(page).fill(text)
      await page.keyboard.press('Control+Enter')
    }
    const waiting = page.getByRole('article', { name: /Waiting for review/ })
    await expect.poll(() => waiting.count()).toBe(3)
    await waiting.filter({ hasText: 'The last casino' }).getByRole('button', { name: 'Withdraw' }).click()
    await expect.poll(() => waiting.count()).toBe(2)
    await expect.poll(() => composer(page).inputValue()).toBe('The last casino')
    const desk = await openAs(browser(), moderator, '/reports')
    const queue = desk.getByRole('list', { name: 'Waiting for review' })
    await expect.poll(() => queue.getByRole('article').count()).toBe(2)
    await desk.locator('article:focus').filter({ hasText: 'A casino' }).waitFor()
    await pressShortcut(desk, 'e')
    await desk.getByText('Message sent').waitFor()
    await expect.poll(() => queue.getByRole('article').count()).toBe(1)
    await expect.poll(() => waiting.count()).toBe(1)
    await list(page).getByText('A casino').waitFor()
    expect(await queue.getByRole('link', { name: 'plan.txt' }).getAttribute('href')).toBe(url)
    await queue.getByRole('button', { name: 'Reject' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Reject message' })
    await dialog.getByLabel('Reason (optional)').fill('No ads')
    expect(await accessibilityFaults(desk)).toEqual([])
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await desk.getByText('No reports').waitFor()
    await waiting.waitFor({ state: 'detached' })
    const { drafts } = await friend.call('GET', '/drafts')
    expect(drafts.map(({ content }) => content)).toContain(withFile)
  })
})
