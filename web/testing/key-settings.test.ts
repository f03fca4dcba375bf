import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, newcomer, say } from './team.ts'

const { team, visit, openPage } = useTeam()

describe.skipIf(!hasBrowser)('shortcut settings', () => {
  const press = async (page: Page, key: string): Promise<void> => {
    await page.getByRole('heading', { name: 'Keyboard' }).click()
    await page.keyboard.press(key)
  }

  it('changes a shortcut in all browsers, reports a conflict, and resets it', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/keys')
    await page.getByRole('searchbox', { name: 'Find a shortcut' }).fill('open')
    await page.getByRole('button', { name: 'Change shortcut: Open inbox' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('Enter is reserved. Press another key.').waitFor()
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

  it('applies a shortcut preset, even without single-key shortcuts', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(owner, channelId, 'peas', 'Grow')
    const page = await visit(friend, '/settings/keys')
    await page.getByLabel('Preset').selectOption('Slack')
    await page.getByText('Saved').first().waitFor()
    await page.goto(addressOf(friend, `/c/${channelId}/t/peas`))
    await list(page).getByText('Grow').waitFor()
    const isStarred = async (): Promise<boolean> =>
      (await friend.call('GET', `/messages/${id}`)).message.flags.includes('starred')
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await expect.poll(isStarred).toBe(true)
    await show(page, '/settings/keys')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
    await show(page, `/c/${channelId}/t/peas`)
    await page.getByRole('article').last().focus()
    await page.keyboard.press('a')
    await page.keyboard.press('i')
    await page.keyboard.press('Control+Shift+a')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await isStarred()).toBe(true)
  })

  it('lists changed shortcuts in the shortcut overview', async () => {
    const person = await newcomer(await team())
    const preferences = { 'web.keys.own': JSON.stringify({ 'go.recent': ['Ctrl+Alt+r'] }), 'web.density': 'nonsense' }
    await person.call('PATCH', '/preferences', { preferences })
    const page = await openPage(person)
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
