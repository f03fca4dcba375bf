import { describe, expect, it } from 'vitest'
import { makeMissedMessagesDue, createPerson } from '../../server/src/capabilities/missed-messages/testing/scene.ts'
import { linksIn, useMailServer } from '../../server/src/testing/mail-server.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'
import { createTeamOn } from './team.ts'
import { isTooTall, isTooWide } from './views.ts'

const mails = await useMailServer()
const server = useTestServer({ ...LOCAL_DOMAIN, PARLEY_SMTP_URL: mails.url })
const browser = useBrowser()

describe.skipIf(!hasBrowser)('notification emails', () => {
  it('unsubscribes by an email link without signing in, after confirmation', async () => {
    const organization = await createTeamOn(server())
    const ann = await createPerson(organization, 'Ann')
    await organization.owner.sendTo([ann.id], 'Hello')
    await makeMissedMessagesDue(server(), organization)
    const address = linksIn(await mails.next(ann.email)).find((link) => link.includes('/unsubscribe#')) ?? ''
    const page = await (await openWindow(browser())).newPage()
    await page.goto(address)
    await page.getByRole('heading', { name: 'Unsubscribe' }).waitFor()
    const settings = async (): Promise<unknown> => (await ann.register()).state['user_settings']
    expect(await settings()).toMatchObject({ enable_offline_email_notifications: true })
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor()
    await page.getByRole('link', { name: 'Choose which emails you get' }).waitFor()
    expect(await settings()).toMatchObject({ enable_offline_email_notifications: false })
    await page.goto(`${address.replace('#', '?again=1#')}x`)
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  })

  it('shows the unsubscribe page accessibly and without scrolling in every theme and width', async () => {
    const { owner } = await createTeamOn(server())
    for (const theme of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
      for (const width of [320, 1440]) {
        const page = await (await openWindow(browser(), { ...theme, viewport: { width, height: 900 } })).newPage()
        await page.goto(addressOf(owner, `/unsubscribe#1-personal-${'x'.repeat(43)}`))
        await page.getByRole('heading', { name: 'Unsubscribe' }).waitFor()
        expect([await accessibilityFaults(page), await isTooWide(page), await isTooTall(page)]).toEqual([
          [],
          false,
          false,
        ])
        await page.context().close()
      }
    }
  })

  it('saves the settings for notification emails', async () => {
    const { friend } = await createTeamOn(server())
    const page = await openAs(browser(), friend, '/settings/notifications')
    await page.getByRole('switch', { name: 'Email for direct messages and mentions' }).uncheck()
    await page.getByRole('combobox', { name: 'Send emails after' }).selectOption('1 hour')
    await page
      .getByRole('combobox', { name: 'Include the organization’s name in subject lines' })
      .selectOption('Always')
    const settings = async (): Promise<unknown> => (await friend.register()).state['user_settings']
    await expect.poll(settings).toMatchObject({
      enable_offline_email_notifications: false,
      email_notifications_batching_period_seconds: 3_600,
      realm_name_in_email_notifications_policy: 2,
    })
    expect(page.url()).toBe(addressOf(friend, '/settings/notifications'))
  })
})
