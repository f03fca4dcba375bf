import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, openAs, show, useBrowser } from './browser.ts'
import { list, say, teamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** What the server keeps as a setting of a person. */
async function settingOf(user: TestUser, name: string): Promise<unknown> {
  const { user_settings } = await user.call('POST', '/register', { fetch_event_types: ['user_settings'] })
  return (user_settings as Record<string, unknown>)[name]
}

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])

describe.skipIf(!hasBrowser)('the settings', () => {
  it('are pages, of which a phone shows one at a time', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings', { viewport: { width: 320, height: 640 } })
    const sections = page.getByRole('navigation', { name: 'Parts of the settings' })
    await sections.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('heading', { name: 'Notifications' }).waitFor()
    expect(await sections.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'All settings' }).click()
    await sections.getByRole('link', { name: 'Appearance' }).click()
    await page.getByLabel('Theme').waitFor()
    await page.goto(addressOf(owner, '/settings/nothing'))
    await page.getByText('There is nothing here').first().waitFor()
  })

  it('count at once, say so, and follow to other tabs and browsers', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance')
    const tab = await page.context().newPage()
    await tab.goto(addressOf(owner, '/inbox'))
    const elsewhere = await openAs(browser(), owner, '/inbox')
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Saved').first().waitFor()
    expect(await settingOf(owner, 'color_scheme')).toBe(2)
    for (const other of [page, tab, elsewhere]) await expect.poll(() => themeOf(other)).toBe('dark')
  })

  it('are changed back where the server refuses, and say why', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance')
    await page.route('**/api/v1/settings', async (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }),
    )
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Not today.').waitFor()
    expect(await themeOf(page)).toBeUndefined()
    expect(await page.getByLabel('Theme').inputValue()).toBe('1')
  })

  it('wait for a connection', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance')
    await page.getByLabel('Theme').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Will be saved once there is a connection').first().waitFor()
    expect(await themeOf(page)).toBe('dark')
    await page.context().setOffline(false)
    await expect.poll(() => settingOf(owner, 'color_scheme')).toBe(2)
  })

  it('are found in the palette, each of them', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('24-hour')
    await page.getByRole('option', { name: /24-hour clock/ }).click()
    const clock = page.getByRole('switch', { name: '24-hour clock' })
    await expect.poll(() => clock.evaluate((element) => element === document.activeElement)).toBe(true)
    await show(page, '/inbox')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('>reading')
    await page.getByRole('option', { name: /Reading/ }).click()
    await page.getByRole('heading', { name: 'Reading' }).waitFor()
  })
})

describe.skipIf(!hasBrowser)('the appearance', () => {
  it('is what the person chose, whoever chose it: the client or another program', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance')
    const root = page.locator('html')
    await page.getByRole('switch', { name: 'More contrast' }).check()
    await page.getByLabel('Density').selectOption('Compact')
    await page.getByRole('switch', { name: 'Less motion' }).check()
    await page.getByLabel('Saturation').selectOption('50 %')
    await page.getByLabel('Line spacing').selectOption('160 %')
    await owner.call('PATCH', '/settings', { web_font_size_px: 17 })
    await expect.poll(() => page.getByLabel('Font size').inputValue()).toBe('17')
    for (const [name, value] of [
      ['data-contrast', 'more'],
      ['data-density', 'compact'],
      ['data-motion', 'less'],
      ['style', /--saturation: 0.5;/],
      ['style', /--leading: 1.6;/],
      ['style', /--size: 17px;/],
    ] as const) {
      await expect.poll(() => root.getAttribute(name)).toMatch(value)
    }
    expect(await settingOf(owner, 'high_contrast_mode')).toBe(true)
    expect(await settingOf(owner, 'web_line_height_percent')).toBe(160)
    const elsewhere = await openAs(browser(), owner, '/inbox')
    await expect.poll(() => elsewhere.locator('html').getAttribute('data-density')).toBe('compact')
  })

  it('is undone by the key', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance')
    await page.getByLabel('Density').selectOption('Compact')
    await page.getByText('Saved').first().waitFor()
    await page.getByRole('heading', { name: 'Appearance' }).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('html').getAttribute('data-density')).toBe(null)
    await expect.poll(async () => (await owner.call('GET', '/preferences'))['preferences']).toEqual({})
  })

  it('is there before anything is shown, also before it is known who is signed in', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/appearance', { colorScheme: 'light' })
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Aussehen' }).waitFor()
    await page.context().clearCookies()
    await page.route('**/api/**', () => undefined)
    await page.goto(addressOf(owner, '/login'), { waitUntil: 'commit' })
    await page.locator('#app > *').first().waitFor()
    expect(await themeOf(page)).toBe('dark')
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  })
})

describe.skipIf(!hasBrowser)('the keys', () => {
  const press = async (page: Page, key: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Keyboard' }).click()
    await page.keyboard.press(key)
  }

  it('are recorded, clash aloud, are undone and reset, and follow to other browsers', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/keys')
    await page.getByRole('searchbox', { name: 'Find a key or what it does' }).fill('open')
    await page.getByRole('button', { name: 'Change the key: Open the inbox' }).click()
    // What one needs to get out is refused, and Escape leaves it as it was.
    await page.keyboard.press('Enter')
    await page.getByText('Enter is needed elsewhere. Press another key').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change the key: Open the inbox' }).click()
    await page.keyboard.press('t')
    await page.getByText('T is also the key of “Open recent conversations”.').waitFor()
    await page.getByRole('button', { name: 'Change the key: Open the inbox' }).click()
    await page.keyboard.press('Alt+Shift+b')
    await expect.poll(() => page.getByText(/is also the key of/).count()).toBe(0)
    const elsewhere = await openAs(browser(), owner, '/recent')
    await elsewhere.getByRole('heading', { name: 'Recent' }).waitFor()
    await elsewhere.keyboard.press('i')
    await elsewhere.keyboard.press('Alt+Shift+b')
    await elsewhere.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: 'Reset the key: Open the inbox' }).click()
    await press(page, 'i')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('come in presets, with actions of messages, and can do without single letters', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    const id = await say(friend, channelId, 'beans', 'Grow')
    const page = await openAs(browser(), owner, '/settings/keys')
    await page.getByLabel('Keys like those of').selectOption('Slack')
    await page.getByText('Saved').first().waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await list(page).getByText('Grow').waitFor()
    const isStarred = async (): Promise<boolean> =>
      ((await owner.call('GET', `/messages/${id}`))['message'] as { flags: string[] }).flags.includes('starred')
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await expect.poll(isStarred).toBe(true)
    await show(page, '/settings/keys')
    await page.getByRole('switch', { name: 'Keys of one letter' }).uncheck()
    await show(page, `/c/${channelId}/t/beans`)
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await page.keyboard.press('i')
    // The keys of the preset that are none of one letter go on.
    await page.keyboard.press('Control+Shift+a')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await isStarred()).toBe(true)
  })

  it('are looked up in a map, which has those of the person', async () => {
    const { owner } = await teamOn(server())
    const preferences = { 'web.keys.own': JSON.stringify({ 'go.recent': ['Ctrl+Alt+r'] }), 'web.density': 'nonsense' }
    await owner.call('PATCH', '/preferences', { preferences })
    const page = await openAs(browser(), owner)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('?')
    const map = page.getByRole('dialog', { name: 'Keyboard' })
    await map.getByRole('searchbox').fill('recent')
    await map.getByText('Ctrl+Alt+R').waitFor()
    expect(await map.getByRole('term').allTextContents()).toEqual(['Open recent conversations'])
    await map.getByRole('link', { name: 'Change keys' }).click()
    await page.getByRole('heading', { name: 'Each key' }).waitFor()
    expect(await map.isVisible()).toBe(false)
  })
})
