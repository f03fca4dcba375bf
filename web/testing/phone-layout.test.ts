import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say } from './team.ts'

const { makeTeam, openPage } = useTeam()

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

const main = (page: Page) => page.getByRole('main')

async function openMoreMenu(page: Page): Promise<void> {
  await main(page).getByRole('button', { name: 'More', exact: true }).first().tap()
  await page.getByRole('menu').waitFor()
}

describe.skipIf(!hasBrowser)('keyboard hints', () => {
  it('shows no keyboard shortcuts in menus and the palette on devices without a keyboard', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const keysIn = async (page: Page): Promise<string[]> => {
      await list(page).getByText('Hello').click({ button: 'right' })
      const shown = await page.getByRole('menu').locator('kbd').allInnerTexts()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /Go to/ }).fill('>inbox')
      await page.getByRole('option', { name: /inbox/ }).first().waitFor()
      return [...shown, ...(await page.getByRole('dialog').locator('kbd').allInnerTexts())]
    }
    const path = `/c/${channelId}/t/beans`
    expect(await keysIn(await openPage(owner, path, PHONE))).toEqual([])
    expect(await keysIn(await openPage(owner, path))).toContain('I')
  })
})

describe.skipIf(!hasBrowser)('layout at 320 px', () => {
  it('fits tabs, buttons, and tables on a screen 320 px wide', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'a topic with a longer name', 'Hello')
    const page = await openPage(owner, `/c/${channelId}`, PHONE)
    const topic = main(page).getByRole('link', { name: /a topic with a longer name/ })
    await topic.getByText('Fred Friend').waitFor()
    expect(await composer(page).getAttribute('placeholder')).toBe('Message')
    expect(await topic.getByText('a topic with').evaluate((element) => element.getClientRects().length)).toBe(1)
    await openMoreMenu(page)
    await page.getByRole('menuitem', { name: 'Channel settings' }).tap()
    const tabs = page.getByRole('tab')
    await tabs.first().waitFor()
    const tops = await tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)))
    expect(tops).toEqual(Array.from({ length: 4 }, () => tops[0]))
    await tabs.getByText('Permissions').tap()
    await expect.poll(async () => (await tabs.last().boundingBox())?.x ?? 320).toBeLessThan(250)
    await tabs.getByText('About').tap()
    const archive = await page.getByRole('button', { name: 'Archive channel' }).boundingBox()
    expect(archive?.width).toBeGreaterThan(250)
    await page.goto(addressOf(owner, '/settings/speed?lang=de'))
    const words = main(page).getByRole('rowheader').first()
    await words.waitFor()
    // Usually 115 px wide, but 8 px less on slow machines, whose measurements have more digits.
    await expect.poll(async () => (await words.boundingBox())?.width).toBeGreaterThan(100)
  })
})

async function markRead(page: Page, name: string): Promise<void> {
  await main(page)
    .getByRole('button', { name: `More: ${name}` })
    .tap()
  await page.getByRole('menuitem', { name: 'Mark as read' }).tap()
}

async function findToast(page: Page) {
  const note = page.getByRole('status').filter({ hasText: 'marked as read' })
  await note.waitFor()
  return note
}

describe.skipIf(!hasBrowser)('toasts', () => {
  it('opens a tapped search result, even if the tap is where a mouse would find a button', async () => {
    const { owner, friend, channelId } = await makeTeam()
    for (let line = 0; line < 10; line += 1) await say(friend, channelId, 'beans', `Line ${line}`)
    const page = await openPage(owner, '/search?q=Line+7', PHONE)
    const result = main(page)
      .getByRole('article')
      .filter({ hasText: /Line 7$/ })
    const box = await result.boundingBox()
    if (box === null) throw new Error('the result is not visible')
    const order = await page.getByRole('button', { name: 'Best match' }).boundingBox()
    expect((order?.x ?? PHONE.viewport.width) + (order?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width)
    await page.touchscreen.tap(box.x + box.width - 70, box.y + 16)
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/t\/beans$/)
    await list(page).getByText('Line 8', { exact: true }).waitFor()
  })

  it('shows a toast without covering the search field on a phone', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openPage(owner, '/inbox', PHONE)
    await markRead(page, 'beans in garden')
    const note = await findToast(page)
    await page.getByRole('link', { name: 'Search' }).tap()
    await page.getByRole('combobox', { name: 'Search messages' }).tap()
    expect(await note.isVisible()).toBe(true)
  })

  it('shows one toast at a time on a phone, newest first', async () => {
    const { owner, friend, channelId } = await makeTeam()
    for (const topic of ['beans', 'peas', 'peas']) await say(friend, channelId, topic, 'Hello')
    const page = await openPage(owner, '/inbox', PHONE)
    const marked = (many: RegExp) => page.getByRole('status').getByText(many)
    await markRead(page, 'beans in garden')
    await marked(/^1 message/).waitFor()
    await markRead(page, 'peas in garden')
    await marked(/^2 messages/).waitFor()
    expect(await marked(/^1 message/).isVisible()).toBe(false)
    await page.getByRole('status').getByRole('button', { name: 'Close' }).tap()
    await marked(/^1 message/).waitFor()
  })

  it('aligns the buttons of a toast on one line', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openPage(owner, '/inbox')
    await main(page).getByRole('button', { name: 'Mark as read: beans in garden' }).click()
    const note = await findToast(page)
    const centre = async (name: string): Promise<number> => {
      const { y = 0, height = 0 } = (await note.getByRole('button', { name }).boundingBox()) ?? {}
      return y + height / 2
    }
    expect(Math.abs((await centre('Undo')) - (await centre('Close')))).toBeLessThan(2)
  })
})
