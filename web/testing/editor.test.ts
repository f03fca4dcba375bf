import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { anotherTab, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, contentsIn, contentsOf, list, say, type Team, teamOn, withChannel } from './team.ts'

const { server, browser, team, visit } = useTeam()
const garden = async (): Promise<Team> => withChannel(await team())

const rowOf = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const editors = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })

describe.skipIf(!hasBrowser)('message editor', () => {
  it('keeps edits while another message is edited or another conversation is open', async () => {
    const { owner, friend, channelId } = await garden()
    await say(owner, channelId, 'beans', 'First bean')
    await say(owner, channelId, 'beans', 'Second bean')
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'First bean').focus()
    await page.keyboard.press('e')
    await expect
      .poll(() =>
        editors(page)
          .first()
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.type(' is tall')
    await rowOf(page, 'Second bean').focus()
    await page.keyboard.press('e')
    await expect.poll(() => editors(page).count()).toBe(2)
    await expect
      .poll(() =>
        editors(page)
          .last()
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.type(' is short')
    await show(page, `/c/${channelId}/t/peas`)
    await rowOf(page, 'A pea').waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => editors(page).count()).toBe(2)
    expect(await editors(page).first().inputValue()).toBe('First bean is tall')
    expect(await editors(page).last().inputValue()).toBe('Second bean is short')
    expect(await editors(page).evaluateAll((all) => all.some((one) => one === document.activeElement))).toBe(false)
    await editors(page).last().press('Escape')
    await editors(page).press('Control+Enter')
    await expect.poll(() => contentsIn(friend, channelId, 'beans')).toContain('<p>First bean is tall</p>')
    await rowOf(page, 'Second bean').waitFor()
    expect(await editors(page).count()).toBe(0)
  })

  it('restores a discarded edit on undo', async () => {
    const { owner, channelId } = await garden()
    await say(owner, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'A bean').focus()
    await page.keyboard.press('e')
    await editors(page).press('Escape')
    await expect.poll(() => editors(page).count()).toBe(0)
    expect(await page.getByText('Edit discarded').count()).toBe(0)
    await page.keyboard.press('e')
    await editors(page).fill('A bean of many words')
    await editors(page).press('Escape')
    await page.getByText('Edit discarded', { exact: true }).waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => editors(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await editors(page).inputValue()).toBe('A bean of many words')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => contentsIn(owner, channelId, 'beans')).toEqual(['<p>A bean of many words</p>'])
  })

  it('follows the Enter setting, and returns the focus to the edited message', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    await say(owner, channelId, 'beans', 'A bean')
    await say(friend, channelId, 'beans', 'Another')
    await owner.call('PATCH', '/settings', { enter_sends: false })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { viewport: { width: 320, height: 640 } })
    await composer(page).waitFor()
    const row = rowOf(page, 'A bean')
    const hasFocus = async (): Promise<boolean> => row.evaluate((element) => element === document.activeElement)
    await row.focus()
    await page.keyboard.press('e')
    await expect.poll(() => editors(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await editors(page).getAttribute('dir')).toBe('auto')
    await page.keyboard.press('Escape')
    await expect.poll(hasFocus).toBe(true)
    await page.keyboard.press('e')
    await expect.poll(() => editors(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.type('and a pea')
    expect(await editors(page).inputValue()).toBe('A bean\nand a pea')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await contentsOf(friend))[0]).toMatch(/A bean<br>\s*and a pea/)
    await expect.poll(hasFocus).toBe(true)
    await page.keyboard.press('j')
    await expect.poll(() => rowOf(page, 'Another').evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('message edited in two tabs', () => {
  it('shows the text of the first save before the second replaces it', async () => {
    const { owner, friend, channelId } = await garden()
    await say(owner, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const tab = await anotherTab(page, `/c/${channelId}/t/beans`)
    const begin = async (one: Page, text: string): Promise<void> => {
      await rowOf(one, 'bean').focus()
      await one.keyboard.press('e')
      await editors(one).fill(text)
    }
    await begin(page, 'A tall bean')
    await begin(tab, 'A short bean')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => contentsIn(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    await tab.keyboard.press('Control+Enter')
    const changed = tab.getByRole('alert').filter({ hasText: 'This message changed since you started editing.' })
    await changed.getByText('A tall bean', { exact: true }).waitFor()
    expect(await editors(tab).inputValue()).toBe('A short bean')
    expect(await contentsIn(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    await tab.getByRole('button', { name: 'Save anyway' }).click()
    await expect.poll(() => contentsIn(friend, channelId, 'beans')).toEqual(['<p>A short bean</p>'])
    await expect.poll(() => editors(tab).count()).toBe(0)
    await tab.getByText('Message edited', { exact: true }).waitFor()
    await tab.keyboard.press('Control+z')
    await expect.poll(() => contentsIn(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    // Two equal texts are no conflict.
    await begin(page, 'A bean')
    await begin(tab, 'A bean')
    for (const one of [page, tab]) {
      await one.keyboard.press('Control+Enter')
      await expect.poll(() => editors(one).count()).toBe(0)
    }
    expect(await contentsIn(friend, channelId, 'beans')).toEqual(['<p>A bean</p>'])
  })
})
