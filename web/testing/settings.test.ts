import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { linkFor, signIn } from '../../server/src/testing/browser.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, anotherTab, hasBrowser, openAs, openWindow, show } from './browser.ts'
import { newcomer, useOneTeam } from './one-team.ts'
import { useTeam } from './shared.ts'
import { composer, hasRead, list, say, teamOn } from './team.ts'

const { server, browser, openPage } = useTeam()
const { team, visit } = useOneTeam(server, browser)

/** What the server keeps as a setting of a person. */
async function settingOf(user: TestUser, name: string): Promise<unknown> {
  const { user_settings } = await user.call('POST', '/register', { fetch_event_types: ['user_settings'] })
  return (user_settings as Record<string, unknown>)[name]
}

const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])

describe.skipIf(!hasBrowser)('the settings', () => {
  it('are pages, of which a phone shows one at a time', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings', { viewport: { width: 320, height: 640 } })
    const sections = page.getByRole('navigation', { name: 'Settings sections' })
    await sections.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('heading', { name: 'Notifications', exact: true, level: 2 }).waitFor()
    expect(await sections.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'All settings' }).click()
    await sections.getByRole('link', { name: 'Appearance' }).click()
    await page.getByLabel('Theme').waitFor()
    await show(page, '/settings/nothing')
    await page.getByText('Page not found').first().waitFor()
  })

  it('show which page is open, however far down it stands among them', async () => {
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

  it('count at once, say so, and follow to other tabs and browsers', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    const tab = await anotherTab(page, '/inbox')
    const elsewhere = await openPage(owner, '/inbox')
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Saved').first().waitFor()
    expect(await settingOf(owner, 'color_scheme')).toBe(2)
    for (const other of [page, tab, elsewhere]) await expect.poll(() => themeOf(other)).toBe('dark')
    await page.getByLabel('Theme').selectOption('System')
    for (const other of [page, tab, elsewhere]) await expect.poll(() => themeOf(other)).toBeUndefined()
    await expect.poll(() => settingOf(owner, 'color_scheme')).toBe(1)
  })

  it('are changed back where the server refuses, and say why', async () => {
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

  it('wait for a connection', async () => {
    const owner = await newcomer(await team())
    const page = await openPage(owner, '/settings/appearance')
    await page.getByLabel('Theme').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Theme').selectOption('Dark')
    await page.getByText('Will be saved when you reconnect').first().waitFor()
    expect(await themeOf(page)).toBe('dark')
    await page.context().setOffline(false)
    await expect.poll(() => settingOf(owner, 'color_scheme')).toBe(2)
  })

  it('are found in the palette, each of them', async () => {
    const { owner } = await team()
    const page = await visit(owner)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('24-hour')
    // One's own stands before that of new people.
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

describe.skipIf(!hasBrowser)('the appearance', () => {
  it('is what the person chose, whoever chose it: the client or another program', async () => {
    const owner = await newcomer(await team())
    const page = await openPage(owner, '/settings/appearance')
    const root = page.locator('html')
    await page.getByRole('switch', { name: 'High contrast' }).check()
    await page.getByLabel('Density').selectOption('Compact')
    await page.getByRole('switch', { name: 'Reduce motion' }).check()
    await page.getByLabel('Saturation').selectOption('50%')
    await page.getByLabel('Line spacing').selectOption('160%')
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
    const elsewhere = await openPage(owner, '/inbox')
    await expect.poll(() => elsewhere.locator('html').getAttribute('data-density')).toBe('compact')
  })

  it('shows the times of a day anew where one wants 24 hours, or 12 twice', async () => {
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

  it('is undone by the key', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/appearance')
    await page.getByLabel('Density').selectOption('Compact')
    await page.getByText('Saved').first().waitFor()
    await page.getByRole('heading', { name: 'Appearance' }).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('html').getAttribute('data-density')).toBe(null)
    await expect.poll(async () => (await owner.call('GET', '/preferences'))['preferences']).toEqual({})
  })

  it('is there before anything is shown, also before it is known who is signed in', async () => {
    const owner = await newcomer(await team())
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

/** Notes the size of the text in each frame that shows something, from the first one of each page on. */
const NOTE_SIZES = `
  window.sizes = []
  const note = () => {
    if (document.body?.innerText) sizes.push(getComputedStyle(document.documentElement).fontSize)
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
`

describe.skipIf(!hasBrowser)('the size of the text', () => {
  it('is the same from the first frame on, also in a browser in which nobody chose one', async () => {
    const { owner, channelId } = await teamOn(server())
    await say(owner, channelId, 'beans', 'There')
    const sizesAt = async (page: Page, path: string): Promise<unknown> => {
      await page.goto(addressOf(owner, path))
      await list(page).getByText('There').waitFor()
      return page.evaluate('[...new Set(sizes)]')
    }
    const context = await openWindow(browser())
    const page = await context.newPage()
    await page.addInitScript(NOTE_SIZES)
    await page.goto(addressOf(owner, `/login#link=${await linkFor(owner)}`))
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

describe.skipIf(!hasBrowser)('the keys', () => {
  const press = async (page: Page, key: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Keyboard' }).click()
    await page.keyboard.press(key)
  }

  it('are recorded, clash aloud, are undone and reset, and follow to other browsers', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/keys')
    await page.getByRole('searchbox', { name: 'Find a shortcut' }).fill('open')
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    // What one needs to get out is refused, and Escape leaves it as it was.
    await page.keyboard.press('Enter')
    await page.getByText('Enter is reserved. Press another key').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    await page.keyboard.press('t')
    await page.getByText('T is also used for “Open recent conversations”.').waitFor()
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    await page.keyboard.press('Alt+Shift+b')
    await expect.poll(() => page.getByText(/is also used for/).count()).toBe(0)
    const elsewhere = await openPage(owner, '/recent')
    await elsewhere.getByRole('heading', { name: 'Recent' }).waitFor()
    await elsewhere.keyboard.press('i')
    await elsewhere.keyboard.press('Alt+Shift+b')
    await elsewhere.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: 'Reset shortcut: Open inbox' }).click()
    await press(page, 'i')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('come in presets, with actions of messages, and can do without single letters', async () => {
    const { friend, channelId } = await team()
    const owner = await newcomer(await team())
    const id = await say(friend, channelId, 'peas', 'Grow')
    const page = await openPage(owner, '/settings/keys')
    await page.getByLabel('Preset').selectOption('Slack')
    await page.getByText('Saved').first().waitFor()
    // They count from the first load on, too.
    await page.goto(addressOf(owner, `/c/${channelId}/t/peas`))
    await list(page).getByText('Grow').waitFor()
    const isStarred = async (): Promise<boolean> =>
      ((await owner.call('GET', `/messages/${id}`))['message'] as { flags: string[] }).flags.includes('starred')
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await expect.poll(isStarred).toBe(true)
    await show(page, '/settings/keys')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
    await show(page, `/c/${channelId}/t/peas`)
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await page.keyboard.press('i')
    // The keys of the preset that are none of one letter go on.
    await page.keyboard.press('Control+Shift+a')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await isStarred()).toBe(true)
  })

  it('are looked up in a map, which has those of the person', async () => {
    const owner = await newcomer(await team())
    const preferences = { 'web.keys.own': JSON.stringify({ 'go.recent': ['Ctrl+Alt+r'] }), 'web.density': 'nonsense' }
    await owner.call('PATCH', '/preferences', { preferences })
    const page = await openPage(owner)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('?')
    const map = page.getByRole('dialog', { name: 'Keyboard' })
    await map.getByRole('searchbox').fill('recent')
    await map.getByText('Ctrl+Alt+R').waitFor()
    expect(await map.getByRole('term').allTextContents()).toEqual(['Open recent conversations'])
    await map.getByRole('link', { name: 'Customize shortcuts' }).click()
    await page.getByRole('heading', { name: 'All shortcuts' }).waitFor()
    expect(await map.isVisible()).toBe(false)
  })
})

describe.skipIf(!hasBrowser)('the devices', () => {
  it('are listed, and signed out one by one or all but this one', async () => {
    const owner = await newcomer(await team())
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
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('You aren’t signed in anywhere else.').waitFor()
    await third.getByLabel('Password').waitFor()
    expect((await second.try('GET', '/users/me')).status).toBe(401)
    expect(await owner.call('GET', '/sessions')).toMatchObject({ sessions: [{ id: expect.any(Number) as number }] })
  })
})

describe.skipIf(!hasBrowser)('notifications', () => {
  it('come for what the settings say, of the client or of the server', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    const context = await openWindow(browser())
    await context.addInitScript(() => {
      const shown: string[] = []
      class Shown extends EventTarget {
        static readonly permission = 'granted'
        constructor(title: string, { body }: { body: string }) {
          super()
          shown.push(`${title} | ${body}`)
        }
        close(): void {}
      }
      Object.assign(window, { Notification: Shown, shown })
      document.hasFocus = () => false
    })
    const page = await context.newPage()
    await page.goto(addressOf(owner, `/login#link=${await linkFor(owner)}`))
    await page.locator('#main').waitFor()
    const shown = async (): Promise<unknown> => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    await say(friend, channelId, 'beans', 'Only said')
    await say(friend, channelId, 'beans', '@**all** For everybody')
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

  it('come once, from one of the tabs, and neither while another is read nor for what was said long ago', async () => {
    const { owner, friend } = await teamOn(server())
    const context = await openWindow(browser())
    await context.addInitScript(() => {
      class Shown extends EventTarget {
        static readonly permission = 'granted'
        constructor(_title: string, { body, tag }: { body: string; tag: string }) {
          super()
          const shown = JSON.parse(localStorage.getItem('shown') ?? '[]') as string[]
          localStorage.setItem('shown', JSON.stringify([...shown, `${body} ${tag}`]))
        }
        close(): void {}
      }
      Object.assign(window, { Notification: Shown })
      document.hasFocus = () => false
    })
    const write = async (content: string): Promise<number> =>
      Number((await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content }))['id'])
    const page = await context.newPage()
    await page.goto(addressOf(owner, `/login#link=${await linkFor(owner)}`))
    await page.locator('#main').waitFor()
    const other = await context.newPage()
    await other.goto(addressOf(owner, '/inbox'))
    const row = other.getByRole('main').getByRole('link', { name: /^Fred Friend/ })
    const isThere = async (text: string): Promise<void> => row.filter({ hasText: text }).waitFor()
    const shown = async (): Promise<unknown> =>
      page.evaluate(() => JSON.parse(localStorage.getItem('shown') ?? '[]') as unknown)
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
    // As after a weekend, of which the queue tells at once.
    for (const one of [page, other]) await one.clock.setFixedTime(Date.now() + 86_400_000)
    await write('Long ago')
    await isThere('Long ago')
    for (const one of [page, other]) await one.clock.setFixedTime(Date.now())
    const last = await write('Last')
    await isThere('Last')
    await expect.poll(shown).toEqual([`First ${first}`, `Last ${last}`])
  })
})

describe.skipIf(!hasBrowser)('what is seen', () => {
  it('counts as read everywhere, in conversations, or never', async () => {
    const { friend, channelId } = await team()
    const owner = await newcomer(await team())
    const page = await openPage(owner, '/settings/reading')
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
    const first = await say(friend, channelId, 'carrots', 'First')
    await see(`/c/${channelId}/t/carrots`, 'First')
    await choose('2')
    await see('/feed', 'First')
    await say(friend, channelId, 'leeks', 'Second')
    await page.getByRole('region', { name: 'Messages' }).getByText('Second').waitFor()
    expect(await hasRead(owner, first)).toBe(false)
    await see(`/c/${channelId}/t/carrots`, 'First')
    await expect.poll(() => hasRead(owner, first)).toBe(true)
    await show(page, '/settings/reading')
    await page.getByRole('switch', { name: 'Also mark as read in feeds and searches' }).check()
    await page.getByText('Saved').first().waitFor()
    const third = await say(friend, channelId, 'leeks', 'Third')
    await see('/feed', 'Third')
    await expect.poll(() => hasRead(owner, third)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('the numbers of this tab', () => {
  it('say how fast it is for the person, and can be copied', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    await say(friend, channelId, 'beans', 'They sprout')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await list(page).getByText('They sprout').waitFor()
    await show(page, '/settings/speed')
    const numbers = page.getByRole('table')
    const valueOf = (name: RegExp) => numbers.getByRole('row', { name }).getByRole('cell').first()
    await expect.poll(() => valueOf(/Delivering a message/).innerText()).toBe('not measured yet')
    await show(page, `/c/${channelId}/t/beans`)
    await composer(page).fill('So they do')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('So they do').waitFor()
    await show(page, '/settings/speed')
    await numbers.getByRole('row', { name: /Delivering a message.*median of 1 / }).waitFor()
    for (const name of [/Delivering a message/, /Opening the page/, /Server response time/])
      expect(await valueOf(name).innerText()).toMatch(/^\d[\d,]*\sms/)
    await numbers.getByRole('row', { name: /with 2 people and 2 messages/ }).waitFor()
    await page.getByRole('button', { name: 'Copy measurements' }).click()
    await page.getByText('Measurements copied').first().waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^- Opening the page: \d[\d,]*\sms \(≤/)
  })
})
