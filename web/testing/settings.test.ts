import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createLoginLink, signIn } from '../../server/src/testing/browser.ts'
import { anyNumber } from '../../server/src/testing/expected.ts'
import type { UserSettingName } from '../../server/src/capabilities/users/contract/settings.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, openAnotherTab, hasBrowser, openWindow, show } from './browser.ts'
import { hasRead, list, createNewcomer, say, createTeamOn } from './team.ts'
import { useTeam } from './shared.ts'

const { server, browser, team, visit, openPage } = useTeam()

async function fetchSetting(user: TestUser, name: UserSettingName): Promise<unknown> {
  const { user_settings } = await user.call('POST', '/register', { fetch_event_types: ['user_settings'] })
  return user_settings[name]
}

async function expectFocused(control: Locator): Promise<void> {
  await control.waitFor()
  await expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(async () => isInViewport(control)).toBe(true)
}

const isInViewport = async (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

const boxOf = async (control: Locator) => (await control.boundingBox()) ?? { x: -1, y: -1, width: -1, height: -1 }

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])

describe.skipIf(!hasBrowser)('settings', () => {
  it('shows one settings page at a time on a phone', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings', { viewport: { width: 320, height: 640 } })
    const sections = page.getByRole('navigation', { name: 'Settings sections' })
    await sections.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('heading', { name: 'Notifications', exact: true, level: 2 }).waitFor()
    expect(await sections.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Back' }).click()
    await sections.getByRole('link', { name: 'Appearance' }).click()
    await page.getByLabel('Theme').waitFor()
    await show(page, '/settings/nothing')
    await page.getByText('Page not found').first().waitFor()
  })

  it('finds settings by name, description, synonym, or misspelling, and focuses the chosen setting', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings')
    await page.getByRole('heading', { name: 'Your profile', level: 2 }).waitFor()
    const field = page.getByRole('searchbox', { name: 'Find a setting' })
    const found = page.getByRole('navigation', { name: 'Settings sections' })
    for (const typed of ['satur', 'Sätur', 'affect images', 'vivid', 'satruation']) {
      await field.fill(typed)
      await found
        .getByRole('group', { name: 'Appearance' })
        .getByRole('link', { name: /^Saturation/ })
        .waitFor()
      expect(await found.getByRole('link', { name: /^Density/ }).count()).toBe(0)
    }
    await field.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('combobox', { name: 'Saturation' }))
    await field.fill('xylophone')
    await found.getByText('No matches').waitFor()
    await field.fill('send welcome')
    await found.getByRole('group', { name: /Joining and accounts.*Organization/ }).waitFor()
    await field.press('Escape')
    await found.getByRole('link', { name: 'Your profile' }).waitFor()
  })

  it('opens the best matching setting with Enter, even if its control loads later', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('do not disturb')
    await page.getByRole('link', { name: /^Quiet hours/ }).waitFor()
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('checkbox', { name: 'Pause notifications during certain hours' }))
  })

  it('finds a setting on a phone, and returns to the search', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings', { viewport: { width: 320, height: 640 } })
    const field = page.getByRole('searchbox', { name: 'Find a setting' })
    await field.fill('24 hour')
    await page
      .getByRole('link', { name: /^24-hour clock/ })
      .first()
      .click()
    await expectFocused(page.getByRole('switch', { name: '24-hour clock' }))
    expect(await field.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await field.inputValue()).toBe('24 hour')
  })

  it('aligns setting controls beside their labels, and puts the controls below the labels on phones', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/profile', { viewport: { width: 768, height: 900 } })
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    const label = page.getByText('Time zone', { exact: true })
    await zone.waitFor()
    const [of, at, text] = [await boxOf(name), await boxOf(zone), await boxOf(label)]
    expect([of.x, of.width]).toEqual([at.x, at.width])
    expect(text.x + text.width).toBeLessThanOrEqual(at.x)
    expect(text.y).toBeLessThan(at.y + at.height)
    await page.setViewportSize({ width: 320, height: 900 })
    await expect.poll(async () => (await boxOf(label)).y - (await boxOf(zone)).y).toBeLessThan(-20)
    expect((await boxOf(zone)).x).toBeLessThanOrEqual((await boxOf(label)).x)
  })

  it("offers the browser's time zone until it is chosen, and then focuses the selection", async () => {
    const owner = await createNewcomer(await team())
    const page = await openPage(owner, '/settings/profile', { timezoneId: 'America/New_York' })
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    const button = page.getByRole('button', { name: 'Use America/New York', exact: true })
    await button.click()
    await button.waitFor({ state: 'detached' })
    await expectFocused(zone)
    expect(await zone.inputValue()).toBe('America/New_York')
    const timezone = async () => (await owner.call('GET', '/users/me')).timezone
    await expect.poll(timezone).toBe('America/New_York')
    await zone.selectOption('Europe/Berlin')
    await button.waitFor()
    await expect.poll(timezone).toBe('Europe/Berlin')
  })

  it('scrolls the list of settings pages to the open page', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/deactivation', { viewport: { width: 1280, height: 600 } })
    const sections = page.getByRole('navigation', { name: 'Settings sections' })
    const isInView = (name: string) => async () =>
      sections.getByRole('link', { name, exact: true }).evaluate((link) => {
        const { top, bottom } = link.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await expect.poll(isInView('Deactivation')).toBe(true)
    await show(page, '/settings/appearance')
    await expect.poll(isInView('Appearance')).toBe(true)
  })

  it('saves a changed theme and applies it in other tabs and browsers', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    const tab = await openAnotherTab(page, '/inbox')
    const elsewhere = await openPage(owner, '/inbox')
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Saved').first().waitFor()
    expect(await fetchSetting(owner, 'color_scheme')).toBe(2)
    for (const other of [page, tab, elsewhere]) await expect.poll(() => themeOf(other)).toBe('dark')
    await page.getByLabel('Theme').selectOption('System')
    for (const other of [page, tab, elsewhere]) await expect.poll(() => themeOf(other)).toBeUndefined()
    await expect.poll(() => fetchSetting(owner, 'color_scheme')).toBe(1)
  })

  it('reverts a setting and shows the reason if the server refuses it', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    await page.route('**/api/v1/settings', async (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }),
    )
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Not today.').waitFor()
    expect(await themeOf(page)).toBeUndefined()
    expect(await page.getByLabel('Theme').inputValue()).toBe('1')
  })

  it('saves a setting that was changed offline once the connection returns', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    await page.getByLabel('Theme').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Will be saved when you reconnect').first().waitFor()
    expect(await themeOf(page)).toBe('dark')
    await page.context().setOffline(false)
    await expect.poll(() => fetchSetting(owner, 'color_scheme')).toBe(2)
    await owner.call('PATCH', '/settings', { color_scheme: 1 })
    await expect.poll(() => themeOf(page)).toBeUndefined()
  })

  it('opens a setting and a settings page from the palette', async () => {
    const { owner } = await team()
    const page = await visit(owner)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('24-hour')
    // The palette lists the personal setting before the default for new people.
    await page
      .getByRole('option', { name: /24-hour clock/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Appearance', level: 2 }).waitFor()
    const clock = page.getByRole('switch', { name: '24-hour clock' })
    await expect.poll(() => clock.evaluate((element) => element === document.activeElement)).toBe(true)
    await show(page, '/inbox')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('>reading')
    await page
      .getByRole('option', { name: /^Reading/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Reading' }).waitFor()
  })
})

describe.skipIf(!hasBrowser)('appearance', () => {
  it('applies appearance settings changed in this or another client', async () => {
    const { friend } = await team()
    const page = await visit(friend, '/settings/appearance')
    const root = page.locator('html')
    await page.getByRole('switch', { name: 'High contrast' }).check()
    await page.getByLabel('Density').selectOption('Compact')
    await page.getByRole('switch', { name: 'Reduce motion' }).check()
    await page.getByLabel('Saturation').selectOption('50%')
    await page.getByLabel('Line spacing').selectOption('160%')
    await friend.call('PATCH', '/settings', { web_font_size_px: 17 })
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
    expect(await fetchSetting(friend, 'high_contrast_mode')).toBe(true)
    expect(await fetchSetting(friend, 'web_line_height_percent')).toBe(160)
    const elsewhere = await openPage(friend, '/inbox')
    await expect.poll(() => elsewhere.locator('html').getAttribute('data-density')).toBe('compact')
  })

  it('redraws message times when the clock setting changes', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Tall beans')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const row = page.getByRole('article').filter({ hasText: 'Tall beans' })
    await row.getByText(/^\d+:\d\d [AP]M$/).waitFor()
    await owner.call('PATCH', '/settings', { twenty_four_hour_time: true })
    await expect.poll(() => row.getByText(/^\d+:\d\d$/).count()).toBe(1)
    await owner.call('PATCH', '/settings', { twenty_four_hour_time: false })
    await row.getByText(/^\d+:\d\d [AP]M$/).waitFor()
  })

  it('undoes a changed appearance setting by keyboard', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    await page.getByLabel('Density').selectOption('Compact')
    await page.getByText('Saved').first().waitFor()
    await page.getByRole('heading', { name: 'Appearance' }).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('html').getAttribute('data-density')).toBe(null)
    await expect
      .poll(async () => (await owner.call('GET', '/preferences'))['preferences'])
      .not.toHaveProperty(['web.density'])
  })

  it('applies theme and language before the server identifies the person', async () => {
    const owner = await createNewcomer(await team())
    const page = await openPage(owner, '/settings/appearance', { colorScheme: 'light' })
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Darstellung' }).waitFor()
    await page.context().clearCookies()
    await page.route('**/api/**', () => undefined)
    await page.goto(addressOf(owner, '/login'), { waitUntil: 'commit' })
    await page.locator('#app > *').first().waitFor()
    expect(await themeOf(page)).toBe('dark')
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  })
})

/** Records the font size in each frame with text, from the first frame of each page. */
const RECORD_FONT_SIZES_SCRIPT = `
  window.sizes = []
  const note = () => {
    if (document.body?.innerText) sizes.push(getComputedStyle(document.documentElement).fontSize)
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
`

describe.skipIf(!hasBrowser)('font size', () => {
  it('shows text in the chosen size, or else in 16 px, from the first frame', async () => {
    const { owner, channelId } = await createTeamOn(server())
    await say(owner, channelId, 'beans', 'There')
    const sizesAt = async (page: Page, path: string): Promise<unknown> => {
      await page.goto(addressOf(owner, path))
      await list(page).getByText('There').waitFor()
      return page.evaluate('[...new Set(sizes)]')
    }
    const context = await openWindow(browser())
    const page = await context.newPage()
    await page.addInitScript(RECORD_FONT_SIZES_SCRIPT)
    await page.goto(addressOf(owner, `/login#link=${await createLoginLink(owner)}`))
    await page.locator('#main').waitFor()
    expect(await page.evaluate('[...new Set(sizes)]')).toEqual(['16px'])
    const topic = `/c/${channelId}/t/beans`
    expect(await sizesAt(page, topic)).toEqual(['16px'])
    await show(page, '/settings/appearance')
    await page.getByLabel('Font size').selectOption('20 px')
    await page.getByText('Saved').first().waitFor()
    expect(await sizesAt(page, topic)).toEqual(['20px'])
  })
})

describe.skipIf(!hasBrowser)('devices', () => {
  it('signs out one device, or all devices except this one', async () => {
    const owner = await createNewcomer(await team())
    const second = await signIn(owner)
    const third = await openPage(owner)
    const page = await openPage(owner, '/settings/devices')
    const devices = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => devices.count()).toBe(3)
    expect(await devices.filter({ hasText: 'This device' }).count()).toBe(1)
    await devices
      .getByRole('button', { name: /^Sign out: / })
      .first()
      .click()
    await expect.poll(() => devices.count()).toBe(2)
    const other = devices.getByRole('button', { name: /^Sign out: / }).first()
    await expect.poll(() => other.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('You aren’t signed in anywhere else.').waitFor()
    await third.getByLabel('Password').waitFor()
    expect((await second.try('GET', '/users/me')).status).toBe(401)
    expect(await owner.call('GET', '/sessions')).toMatchObject({ sessions: [{ id: anyNumber }] })
  })
})

describe.skipIf(!hasBrowser)('reading settings', () => {
  it('depending on the settings, marks messages as read in conversations only, in conversations and feeds, or never', async () => {
    const { owner, friend, channelId } = await team()
    const page = await visit(friend, '/settings/reading')
    const choose = async (policy: string): Promise<void> => {
      await show(page, '/settings/reading')
      await page.getByLabel('Mark messages as read').selectOption(policy)
      await page.getByText('Saved').first().waitFor()
    }
    const see = async (path: string, text: string): Promise<void> => {
      await show(page, path)
      await list(page)
        .or(page.getByRole('region', { name: 'Messages' }))
        .getByText(text)
        .waitFor()
      await page.mouse.move(600, 300)
      await page.mouse.wheel(0, 1)
    }
    await choose('3')
    const first = await say(owner, channelId, 'carrots', 'First')
    await see(`/c/${channelId}/t/carrots`, 'First')
    await choose('2')
    await see('/feed', 'First')
    await say(owner, channelId, 'leeks', 'Second')
    await page.getByRole('region', { name: 'Messages' }).getByText('Second').waitFor()
    expect(await hasRead(friend, first)).toBe(false)
    await see(`/c/${channelId}/t/carrots`, 'First')
    await expect.poll(() => hasRead(friend, first)).toBe(true)
    await show(page, '/settings/reading')
    await page.getByRole('switch', { name: 'Also mark messages in feeds and searches as read' }).check()
    await page.getByText('Saved').first().waitFor()
    const third = await say(owner, channelId, 'leeks', 'Third')
    await see('/feed', 'Third')
    await expect.poll(() => hasRead(friend, third)).toBe(true)
  })
})
