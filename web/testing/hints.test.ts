import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { say, createTeamOn, type Team } from './team.ts'
import { faultsInThemes } from './usable.ts'
import { isTooTall, isTooWide } from './views.ts'

const { server, browser, openPage } = useTeam()
const team = async (): Promise<Team> => createTeamOn(server())

const INBOX_HINT = 'grouped by topic'
const TOPIC_HINT = 'goes to this topic'
const RESOLVE_HINT = 'Done? Mark the topic'

const hint = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const closeHint = async (page: Page): Promise<void> => page.getByRole('button', { name: 'Got it' }).click()

async function fetchPendingHints(user: TestUser): Promise<string[]> {
  const { onboarding_steps: steps } = await user.call('POST', '/register', { fetch_event_types: ['onboarding_steps'] })
  return steps.map(({ name }) => name)
}

async function isOnTop(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + x * width, top + y * height]))
    return points.every(([x = 0, y = 0]) => element.contains(document.elementFromPoint(x, y)))
  })
}

describe.skipIf(!hasBrowser)('hints for new people', () => {
  it('shows hints one at a time, and never shows a closed hint again', async () => {
    const { owner, friend, channelId } = await team()
    await say(owner, channelId, 'beans', 'They sprout')
    const page = await openPage(friend, `/c/${channelId}/t/beans`, { hasHints: true })
    await hint(page, `${INBOX_HINT}. Press N`).waitFor()
    expect(await page.getByRole('button', { name: 'Got it' }).count()).toBe(1)
    expect(await accessibilityFaults(page)).toEqual([])
    await closeHint(page)
    await hint(page, TOPIC_HINT).waitFor()
    expect(await page.getByRole('combobox', { name: 'Topic' }).isVisible()).toBe(true)
    await closeHint(page)
    await hint(page, RESOLVE_HINT).waitFor()
    await closeHint(page)
    await hint(page, RESOLVE_HINT).waitFor({ state: 'detached' })
    await expect
      .poll(async () => fetchPendingHints(friend))
      .not.toEqual(expect.arrayContaining(['intro_resolve_topic']))
    const left = await fetchPendingHints(friend)
    for (const step of ['intro_inbox_view_modal', 'jump_to_conversation_banner']) expect(left).not.toContain(step)
    await page.reload()
    await page.getByRole('heading', { name: /beans/ }).waitFor()
    const other = await openPage(friend, `/c/${channelId}/t/beans`, { hasHints: true })
    await other.getByRole('article').filter({ hasText: 'They sprout' }).waitFor()
    for (const one of [page, other]) expect(await one.getByRole('button', { name: 'Got it' }).count()).toBe(0)
  })

  it('hides a hint in every window when the control it explains is used, and keeps the focus', async () => {
    const { friend, channelId } = await team()
    const page = await openPage(friend, '/recent', { hasHints: true })
    const other = await openPage(friend, '/recent', { hasHints: true })
    for (const one of [page, other]) await hint(one, INBOX_HINT).waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('.hint') ?? null)).toBe(null)
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^Inbox/ })
      .click()
    for (const one of [page, other]) await hint(one, INBOX_HINT).waitFor({ state: 'detached' })
    // The other hints appear only in topics.
    expect(await page.getByRole('button', { name: 'Got it' }).count()).toBe(0)
    await show(page, `/c/${channelId}/t/beans`)
    await hint(page, TOPIC_HINT).waitFor()
  })

  it('keeps hints within a phone screen', async () => {
    const { friend, channelId } = await team()
    const viewport = { width: 320, height: 700 }
    const page = await openPage(friend, `/c/${channelId}/t/beans`, { hasHints: true, viewport })
    for (const text of [INBOX_HINT, TOPIC_HINT]) {
      await hint(page, text).waitFor()
      // Phones have no keys.
      expect(await hint(page, text).getByText('Press').count()).toBe(0)
      const box = await hint(page, text).boundingBox()
      expect(box).not.toBe(null)
      if (box === null) continue
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 320 && box.y + box.height <= 700).toBe(true)
      expect([await isTooWide(page), await isTooTall(page)]).toEqual([false, false])
      expect(await accessibilityFaults(page)).toEqual([])
      await closeHint(page)
    }
  })

  it("hides hints only while settings, a dialog, or a phone's channel list is open", async () => {
    const { friend, channelId } = await team()
    const viewport = { width: 320, height: 700 }
    const page = await openPage(friend, `/c/${channelId}/t/beans`, { hasHints: true, viewport })
    const waitForHintGone = async (): Promise<void> => hint(page, INBOX_HINT).waitFor({ state: 'detached' })
    await hint(page, INBOX_HINT).waitFor()
    await show(page, '/settings/appearance')
    await waitForHintGone()
    await page.getByLabel('Language').waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await hint(page, INBOX_HINT).waitFor()
    const regions = page.getByRole('navigation', { name: 'Main navigation' })
    await regions.getByRole('button', { name: 'Channels' }).click()
    await waitForHintGone()
    await regions.getByRole('button', { name: 'Channels' }).click()
    await hint(page, INBOX_HINT).waitFor()
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').waitFor()
    await expect.poll(async () => isOnTop(page, '.hint')).toBe(false)
    await page.keyboard.press('Escape')
    await expect.poll(async () => isOnTop(page, '.hint')).toBe(true)
  })

  it('shows no hints to long-time members', async () => {
    const { owner, friend } = await team()
    const page = await openAs(browser(), friend, '/', { hasHints: true })
    await page.clock.setSystemTime(Date.now() + 40 * 86_400_000)
    await show(page, '/recent')
    await page.reload()
    await page.getByRole('heading', { name: 'Recent', exact: true }).waitFor()
    const other = await openPage(owner, '/recent', { hasHints: true })
    await hint(other, INBOX_HINT).waitFor()
    expect(await page.getByRole('button', { name: 'Got it' }).count()).toBe(0)
  })

  it('shows the first steps accessibly and without scrolling in every theme and width', async () => {
    const { owner, friend } = await team()
    for (const [person, name] of [
      [owner, 'First steps'],
      [friend, 'Welcome to Hill & Valley'],
    ] as const) {
      const page = await openPage(person, '/inbox', { hasHints: true })
      await page.getByRole('region', { name }).waitFor()
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect([name, width, await faultsInThemes(page)]).toEqual([name, width, []])
      }
    }
  })
})
