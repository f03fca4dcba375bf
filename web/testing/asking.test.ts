import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  closeHints,
  accessibilityFaults,
  hasBrowser,
  load,
  openWindow,
  signInByCookie,
  type WindowOptions,
} from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, createChannel, say, type Team } from './team.ts'
import { layoutFaults } from './usable.ts'

const { browser, makeTeam } = useTeam()

declare global {
  interface Window {
    /** For each permission request, whether it followed a click. */
    permissionRequests: boolean[]
  }
}

/** Opens a page as the owner, in a browser whose notification permission is undecided. */
async function openUndecidedPage({ owner }: Team, path: string, options: WindowOptions = {}): Promise<Page> {
  const context = await openWindow(browser(), options)
  await context.addInitScript(() => {
    const permissionRequests: boolean[] = []
    class FakeNotification extends EventTarget {
      static permission = 'default'
      static async requestPermission(): Promise<string> {
        if (FakeNotification.permission === 'default') permissionRequests.push(navigator.userActivation.isActive)
        FakeNotification.permission = 'granted'
        return Promise.resolve('granted')
      }
      close(): void {}
    }
    Object.assign(window, { Notification: FakeNotification, permissionRequests })
  })
  await closeHints(owner)
  const page = await context.newPage()
  await signInByCookie(page, owner)
  await load(page, owner, path)
  return page
}

const question = (page: Page) => page.getByRole('group', { name: 'Notifications' })
const permissionRequests = async (page: Page): Promise<boolean[]> => page.evaluate(() => window.permissionRequests)

/** Changes the permission, as the browser's settings or another tab would. */
async function setPermission(page: Page, permission: NotificationPermission): Promise<void> {
  await page.evaluate((value) => {
    Object.assign(Notification, { permission: value })
    window.dispatchEvent(new StorageEvent('storage'))
  }, permission)
}

async function sendDirect({ owner, friend }: Team, content: string): Promise<void> {
  await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content })
}

/** Sends direct messages until the page has announced one and had time to ask about notifications. */
async function receiveDirect(page: Page, team: Team, content: string): Promise<void> {
  const announced = page.getByRole('status').filter({ hasText: content })
  const receive = async (): Promise<number> => {
    await sendDirect(team, content)
    return announced.count()
  }
  // Sends again, because announcements begin a while after the first paint.
  await expect.poll(receive, { interval: 500 }).toBeGreaterThan(0)
  await page.evaluate(
    async () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve())
      }),
  )
}

async function doOverlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (a === null || b === null) throw new Error('not shown')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe.skipIf(!hasBrowser)('the question about notifications', () => {
  it('asks about notifications on the first direct message without disturbing typing', async () => {
    const team = await makeTeam()
    await say(team.friend, team.channelId, 'beans', 'For everyone')
    const page = await openUndecidedPage(team, `/c/${team.channelId}/t/beans`)
    await list(page).getByText('For everyone').waitFor()
    await composer(page).focus()
    await page.keyboard.type('I write ')
    expect(await question(page).count()).toBe(0)
    const before = await composer(page).boundingBox()
    await sendDirect(team, 'Hello')
    await question(page).getByText('Fred Friend sent you a direct message. Get notified of the next one?').waitFor()
    await page.keyboard.type('on')
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await composer(page).inputValue()).toBe('I write on')
    expect(await composer(page).boundingBox()).toEqual(before)
    expect(await doOverlap(question(page), page.getByRole('main').getByRole('feed'))).toBe(false)
    expect(await doOverlap(question(page), composer(page))).toBe(false)
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []])
    expect(await permissionRequests(page)).toEqual([])
    await question(page).getByRole('button', { name: 'Turn on notifications' }).click()
    await page.getByText('Notifications turned on').waitFor()
    expect(await permissionRequests(page)).toEqual([true])
    expect(await question(page).count()).toBe(0)
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await receiveDirect(page, team, 'Hello again')
    expect(await question(page).count()).toBe(0)
  })

  it('offers notifications when there are unread messages, and once more two weeks after “Not now”', async () => {
    const team = await makeTeam()
    await say(team.friend, team.channelId, 'beans', '@**Olivia Owner** Have a look')
    const page = await openUndecidedPage(team, '/inbox')
    const refuse = async (reason: string): Promise<void> => {
      await question(page).getByText(reason).waitFor()
      await question(page).getByRole('button', { name: 'Not now' }).click()
      await question(page).waitFor({ state: 'detached' })
    }
    const after = async (days: number): Promise<void> => {
      await page.clock.setFixedTime(Date.now() + days * 86_400_000)
      await load(page, team.owner, '/inbox')
    }
    await refuse('Fred Friend mentioned you. Get notified next time?')
    await receiveDirect(page, team, 'Hello')
    expect(await question(page).count()).toBe(0)
    await after(13)
    await receiveDirect(page, team, 'Hello after 13 days')
    expect(await question(page).count()).toBe(0)
    await after(15)
    await refuse('Fred Friend sent you a direct message. Get notified of the next one?')
    await after(100)
    await receiveDirect(page, team, 'Hello after 100 days')
    expect(await question(page).count()).toBe(0)
    expect(await permissionRequests(page)).toEqual([])
  })

  it('waits until the pointer leaves the sidebar before asking about notifications', async () => {
    const team = await makeTeam()
    const page = await openUndecidedPage(team, '/inbox')
    const sidebar = page.getByRole('navigation', { name: 'Conversations' })
    await sidebar.getByRole('button', { name: 'Invite people' }).hover()
    await receiveDirect(page, team, 'Hello')
    expect(await question(page).count()).toBe(0)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).hover()
    await question(page).waitFor()
    await sidebar.getByRole('button', { name: 'Invite people' }).scrollIntoViewIfNeeded()
    expect(await doOverlap(question(page), sidebar.getByRole('button', { name: 'Invite people' }))).toBe(false)
    await setPermission(page, 'granted')
    await question(page).waitFor({ state: 'detached' })
    await setPermission(page, 'default')
    await sidebar.getByRole('button', { name: 'Invite people' }).hover()
    await receiveDirect(page, team, 'Hello again')
    expect(await question(page).count()).toBe(0)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).hover()
    await question(page).waitFor()
  })

  it('asks about notifications on a phone only in the inbox', async () => {
    const team = await makeTeam()
    const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
    const page = await openUndecidedPage(team, `/c/${team.channelId}/t/beans`, phone)
    await composer(page).waitFor()
    await receiveDirect(page, team, 'Hello')
    expect(await question(page).count()).toBe(0)
    await page.getByRole('link', { name: /^Inbox/ }).tap()
    await question(page).getByRole('button', { name: 'Not now' }).waitFor()
    expect([await accessibilityFaults(page), await layoutFaults(page)]).toEqual([[], []])
    await question(page).getByRole('button', { name: 'Turn on notifications' }).tap()
    await question(page).waitFor({ state: 'detached' })
    expect(await permissionRequests(page)).toEqual([true])
  })

  it('never asks about notifications after bot notices or notes to oneself, or if notifications are off', async () => {
    const team = await makeTeam()
    const { owner } = team
    const page = await openUndecidedPage(team, '/inbox')
    await owner.call('PATCH', '/settings', { enable_desktop_notifications: false })
    await receiveDirect(page, team, 'Hello')
    await owner.call('PATCH', '/settings', { enable_desktop_notifications: true })
    await owner.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'A note' })
    await createChannel(team.friend, 'orchard', [owner], { send_new_subscription_messages: true })
    await page.getByRole('status').filter({ hasText: 'orchard' }).waitFor()
    await say(team.friend, team.channelId, 'beans', 'For everyone')
    await page.getByRole('main').getByRole('link', { name: /beans/ }).waitFor()
    expect(await question(page).count()).toBe(0)
    await sendDirect(team, 'Hello again')
    await question(page).waitFor()
  })
})
