import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startTestPushService, POLL_OPTIONS } from '../../server/src/capabilities/web-push/testing/scene.ts'
import { createSignal } from '../../server/src/testing/http.ts'
import type { PushDevice } from '../../server/src/testing/push-receiver.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { subscribeAs } from './devices.ts'
import { createTeamOn, type Team } from './team.ts'

const server = useTestServer({ ...LOCAL_DOMAIN, PARLEY_OUTSIDE_ALLOW: 'localhost' })
const browser = useBrowser()
const team = async (): Promise<Team> => createTeamOn(server())

async function openNotificationSettings({ owner }: Team): Promise<{ page: Page; device: PushDevice }> {
  const device = (await startTestPushService()).device()
  const page = await openAs(browser(), owner, '/', { serviceWorkers: 'allow' })
  await subscribeAs(page.context(), device)
  await page.goto(addressOf(owner, '/settings/notifications'))
  await page.evaluate(async () => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: 'Turn on for this device' }).click()
  await page.getByRole('button', { name: /^Turn off for/ }).waitFor()
  return { page, device }
}

describe.skipIf(!hasBrowser)('push notifications', () => {
  it('turns push notifications on and off, and tests them, for each device', async () => {
    const place = await team()
    const { owner } = place
    const other = (await startTestPushService()).device()
    await owner.call('POST', '/push_subscriptions', { ...other.subscription })
    const { page, device } = await openNotificationSettings(place)
    const devices = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Send test to/ }) })
    await expect.poll(() => devices.count()).toBe(2)
    const here = devices.filter({ hasText: 'This device' })
    await here.getByRole('button', { name: /^Send test to/ }).click()
    await page.getByText('Test sent').waitFor()
    await expect.poll(() => device.payloads(), POLL_OPTIONS).toEqual([{ type: 'test', language: 'en' }])
    // Changes show immediately, even if the list of subscriptions arrives late.
    const late = createSignal()
    await page.route('**/api/v1/push_subscriptions', async (route) => {
      if (route.request().method() === 'GET') await late.given
      await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Pause notifications during certain hours' }).check()
    await page.getByLabel('From', { exact: true }).fill('21:30')
    await page.getByRole('checkbox', { name: 'Show message text' }).uncheck()
    late.give()
    const settings = async (): Promise<unknown> => {
      const { quiet_hours, shows_content } = await owner.call('GET', '/push_subscriptions')
      return { quiet_hours, shows_content }
    }
    await expect.poll(settings).toEqual({ quiet_hours: { start: 1_290, end: 420 }, shows_content: false })
    await here.getByRole('button', { name: /^Turn off for/ }).click()
    await page.getByRole('button', { name: 'Turn on for this device' }).waitFor()
    expect(await devices.count()).toBe(1)
    expect(other.pushes()).toEqual([])
  })

  it('turns on push notifications from the question asked after the first direct message', async () => {
    const { owner, friend } = await team()
    const device = (await startTestPushService()).device()
    const page = await openAs(browser(), owner, '/', { serviceWorkers: 'allow' })
    await subscribeAs(page.context(), device)
    // Replaces the browser's permission question, which a test cannot answer.
    await page.context().addInitScript(() => {
      let permission = 'default'
      Object.defineProperty(Notification, 'permission', { get: () => permission })
      Notification.requestPermission = async () => {
        permission = 'granted'
        return Promise.resolve('granted')
      }
    })
    await page.goto(addressOf(owner, '/inbox'))
    await page.evaluate(async () => navigator.serviceWorker.ready)
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Hello' })
    await page.getByText('Fred Friend sent you a direct message. Get notified of the next one?').waitFor()
    const subscriptions = async (): Promise<number> =>
      (await owner.call('GET', '/push_subscriptions'))['push_subscriptions'].length
    expect(await subscriptions()).toBe(0)
    await page.getByRole('button', { name: 'Turn on notifications' }).click()
    await expect.poll(subscriptions).toBe(1)
  })
})
