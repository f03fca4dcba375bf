import { describe, expect, it } from 'vitest'
import { createLoginLink } from '../../server/src/testing/browser.ts'
import { accessibilityFaults, addressOf, hasBrowser, openAs, openWindow, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { say, createTeamOn, list } from './team.ts'

const { server, browser } = useTeam()

declare global {
  interface Window {
    /** Notifications that the fake `Notification` of a test has shown. */
    shown: string[]
    /** Runs the callbacks that wait until the browser is idle. */
    becomeIdle: () => void
  }
}

describe.skipIf(!hasBrowser)('notifications', () => {
  it('shows notifications for the messages that the settings select', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const context = await openWindow(browser())
    await context.addInitScript(() => {
      const shown: string[] = []
      class FakeNotification extends EventTarget {
        static readonly permission = 'granted'
        constructor(title: string, { body }: { body: string }) {
          super()
          shown.push(`${title} | ${body}`)
        }
        close(): void {}
      }
      Object.assign(window, { Notification: FakeNotification, shown })
      document.hasFocus = () => false
      const waiting: IdleRequestCallback[] = []
      const runWhenIdle = window.requestIdleCallback.bind(window)
      window.requestIdleCallback = (run) => waiting.push(run)
      window.becomeIdle = () => {
        window.requestIdleCallback = runWhenIdle
        for (const run of waiting) runWhenIdle(run)
      }
    })
    const page = await context.newPage()
    await page.goto(addressOf(owner, `/login#link=${await createLoginLink(owner)}`))
    await page.locator('#main').waitFor()
    const shown = async (): Promise<unknown> => page.evaluate(() => window.shown)
    await say(friend, channelId, 'beans', 'Only said')
    await say(friend, channelId, 'beans', '@**all** For everybody')
    await page.getByRole('main').getByRole('link', { name: /beans/ }).waitFor()
    await page.evaluate(() => window.becomeIdle())
    const expected = ['Fred Friend, beans in garden | @all For everybody']
    await expect.poll(shown).toEqual(expected)
    await owner.call('PATCH', '/settings', {
      wildcard_mentions_notify: false,
      pm_content_in_desktop_notifications: false,
    })
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'beans', visibility_policy: 3 })
    await show(page, '/settings/notifications')
    await expect.poll(() => page.getByRole('switch', { name: /^Treat @all/ }).isChecked()).toBe(false)
    await say(friend, channelId, 'peas', '@**all** Not for me')
    await say(friend, channelId, 'beans', 'In a topic that I follow')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Secret' })
    expected.push('Fred Friend, beans in garden | In a topic that I follow', 'Fred Friend | New message')
    await expect.poll(shown).toEqual(expected)
    await page.getByRole('switch', { name: 'All messages in your channels', exact: true }).check()
    await page.getByText('Saved').first().waitFor()
    await say(friend, channelId, 'peas', 'In a channel of mine')
    expected.push('Fred Friend, peas in garden | In a channel of mine')
    await expect.poll(shown).toEqual(expected)
  })

  it('shows a banner for a message to the person who works elsewhere, until they open the conversation', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const write = async (content: string): Promise<unknown> =>
      friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content })
    const page = await openAs(browser(), owner, `/c/${channelId}`)
    const banner = page.getByRole('main').getByRole('status')
    await write('Can you look at ticket 2231?')
    await banner.getByText('Fred Friend: Can you look at ticket 2231?').waitFor()
    const [toast, form] = await Promise.all([banner.boundingBox(), page.getByRole('form').boundingBox()])
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(form?.y ?? 0)
    expect(await accessibilityFaults(page)).toEqual([])
    await say(friend, channelId, 'beans', 'For nobody')
    await say(friend, channelId, 'beans', '@**Olivia Owner** come')
    await banner.getByText('Fred Friend, beans in garden: @Olivia Owner come').waitFor()
    expect(await banner.getByText('ticket 2231').count()).toBe(0)
    expect(await banner.getByText('For nobody').count()).toBe(0)
    await banner.getByRole('button', { name: 'Go to conversation' }).click()
    await list(page).getByText('come').waitFor()
    await write('Still there?')
    await banner.getByText('Still there?').waitFor()
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^Fred Friend/ })
      .click()
    await list(page).getByText('Still there?').waitFor()
    await expect.poll(async () => banner.getByText('Still there?').count()).toBe(0)
    await owner.call('PATCH', '/preferences', { preferences: { 'web.pausedUntil': '4000000000' } })
    await show(page, `/c/${channelId}/t/beans`)
    await write('While paused')
    await page.getByText('Fred Friend: While paused').waitFor({ state: 'attached' })
    expect(await banner.getByText('While paused').count()).toBe(0)
  })

  it('shows one notification for all tabs, but none in a focused tab or for old messages', async () => {
    const { owner, friend } = await createTeamOn(server())
    const context = await openWindow(browser())
    await context.addInitScript(() => {
      class FakeNotification extends EventTarget {
        static readonly permission = 'granted'
        constructor(_title: string, { body, tag }: { body: string; tag: string }) {
          super()
          localStorage.setItem('shown', `${localStorage.getItem('shown') ?? ''}${body} ${tag}\n`)
        }
        close(): void {}
      }
      Object.assign(window, { Notification: FakeNotification })
      document.hasFocus = () => false
    })
    const write = async (content: string): Promise<number> =>
      (await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content }))['id']
    const page = await context.newPage()
    await page.goto(addressOf(owner, `/login#link=${await createLoginLink(owner)}`))
    await page.locator('#main').waitFor()
    const other = await context.newPage()
    await other.goto(addressOf(owner, '/inbox'))
    const row = other.getByRole('main').getByRole('link', { name: /^Fred Friend/ })
    const isThere = async (text: string): Promise<void> => row.filter({ hasText: text }).waitFor()
    const shown = async (): Promise<string[]> =>
      page.evaluate(() => (localStorage.getItem('shown') ?? '').split('\n').slice(0, -1))
    const first = await write('First')
    await isThere('First')
    await expect.poll(shown).toEqual([`First ${first}`])
    await other.evaluate(() => {
      document.hasFocus = () => true
    })
    await write('While one reads')
    await isThere('While one reads')
    await other.evaluate(() => {
      document.hasFocus = () => false
    })
    // Simulates a computer that wakes after a weekend and receives old events.
    for (const one of [page, other]) await one.clock.setFixedTime(Date.now() + 86_400_000)
    await write('Long ago')
    await isThere('Long ago')
    for (const one of [page, other]) await one.clock.setFixedTime(Date.now())
    const last = await write('Last')
    await isThere('Last')
    await expect.poll(shown).toEqual([`First ${first}`, `Last ${last}`])
  })
})
