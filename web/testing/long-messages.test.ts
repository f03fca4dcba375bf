import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { createTeamOn, leaveComposer, list, say, type Team } from './team.ts'
import { showView } from './views.ts'

const { server, browser, team, visit } = useTeam()

const LONG_MESSAGE = [
  ...Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`),
  '[The end](https://example.com)',
].join('\n')

const COLLAPSED_HEIGHT_PIXELS = 40 * 16

const showMoreButton = (page: Page) => list(page).getByRole('button', { name: 'Show more' })
const showLessButton = (page: Page) => list(page).getByRole('button', { name: 'Show less' })
const endLink = (page: Page) => list(page).getByRole('link', { name: 'The end' })

async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN
}

async function heightOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.height ?? Number.NaN
}

const isInView = async (element: Locator): Promise<boolean> =>
  element.evaluate((one) => {
    const { top, bottom, left } = one.getBoundingClientRect()
    const above = document.elementFromPoint(left + 1, (top + bottom) / 2)
    return above !== null && one.contains(above)
  })

/** Returns a team and a page of its owner. Each test uses its own topic. */
async function teamWithPage(): Promise<Team & { readonly page: Page }> {
  const made = await team()
  return { ...made, page: await visit(made.owner, '/settings') }
}

describe.skipIf(!hasBrowser)('long messages', () => {
  it('collapses a long message until expanded, and keeps the reading position', async () => {
    const { friend, channelId, page } = await teamWithPage()
    for (let index = 0; index < 10; index += 1) await say(friend, channelId, 'beans', `Before ${index}`)
    await say(friend, channelId, 'beans', LONG_MESSAGE)
    await say(friend, channelId, 'beans', 'Right after')
    await showView(page, `/c/${channelId}/t/beans`)
    const row = list(page).getByRole('article').filter({ hasText: 'Line 60' })
    await showMoreButton(page).waitFor()
    expect(await heightOf(row)).toBeLessThan(COLLAPSED_HEIGHT_PIXELS + 60)
    expect(await isInView(endLink(page))).toBe(false)
    await showMoreButton(page).scrollIntoViewIfNeeded()
    const first = await topOf(row)
    await showMoreButton(page).click()
    await showLessButton(page).waitFor()
    expect(await showLessButton(page).getAttribute('aria-expanded')).toBe('true')
    expect(await heightOf(row)).toBeGreaterThan(COLLAPSED_HEIGHT_PIXELS + 200)
    expect(Math.abs((await topOf(row)) - first)).toBeLessThanOrEqual(1)
    await showLessButton(page).scrollIntoViewIfNeeded()
    const pressed = await topOf(showLessButton(page))
    await showLessButton(page).click()
    await showMoreButton(page).waitFor()
    expect(Math.abs((await topOf(showMoreButton(page))) - pressed)).toBeLessThanOrEqual(20)
  })

  it('expands a long message by keyboard, and keeps it expanded in later views', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'peas', LONG_MESSAGE.replace(/\[The end\].*/, 'The end'))
    await showView(page, `/c/${channelId}/t/peas`)
    await showMoreButton(page).waitFor()
    await leaveComposer(page)
    await page.keyboard.press('k')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName))
      .toBe('ARTICLE')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await showMoreButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => showLessButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    await show(page, '/inbox')
    await show(page, `/c/${channelId}/t/peas`)
    await showLessButton(page).waitFor()
  })

  it('expands a message when the focus moves into its collapsed part', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'leeks', LONG_MESSAGE)
    await showView(page, `/c/${channelId}/t/leeks`)
    await showMoreButton(page).waitFor()
    await endLink(page).focus()
    await showLessButton(page).waitFor()
    await expect.poll(() => isInView(endLink(page))).toBe(true)
  })

  it('expands a message that a link or search leads to', async () => {
    const { friend, channelId, page } = await teamWithPage()
    const id = await say(friend, channelId, 'onions', `${LONG_MESSAGE}\nthe needle`)
    await say(friend, channelId, 'onions', LONG_MESSAGE)
    await showView(page, `/c/${channelId}/t/onions?near=${id}`)
    await showMoreButton(page).waitFor()
    await showLessButton(page).waitFor()
    expect(await showMoreButton(page).count()).toBe(1)
    await show(page, '/search?q=needle')
    const found = page.getByRole('region', { name: 'Messages' })
    await found.getByRole('button', { name: 'Show less' }).waitFor()
    expect(await found.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })

  it('chooses the writing direction of each block, list, and line', async () => {
    const { friend, channelId, page } = await teamWithPage()
    const blocks = [
      'See this',
      '1. ראשון\n2. second',
      '> مرحبا',
      'שלום\nHello again',
      '| א | b |\n|---|---|\n| 1 | 2 |',
    ]
    await say(friend, channelId, 'sides', blocks.join('\n\n'))
    await showView(page, `/c/${channelId}/t/sides`)
    const content = list(page).getByRole('article').locator('.content')
    await content.getByText('Hello again').waitFor()
    const sides = await content.evaluate((message) => {
      const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const block = node.parentElement?.closest('p, li, td, th')
        if (block === null || block === undefined || node.textContent?.trim() === '') continue
        const range = document.createRange()
        range.selectNodeContents(node)
        const [text, around] = [range.getBoundingClientRect(), block.getBoundingClientRect()]
        const side = text.left - around.left < around.right - text.right ? 'left' : 'right'
        found.push(`${node.textContent?.trim()} ${block.tagName === 'P' || block.tagName === 'LI' ? side : ''}`.trim())
      }
      const directionOf = (name: string) => getComputedStyle(message.querySelector(name) ?? message).direction
      return [...found, ...[':scope', 'ol', 'li + li', 'blockquote', 'table'].map(directionOf)]
    })
    const texts = ['See this left', 'ראשון right', 'second left', 'مرحبا right', 'שלום right', 'Hello again left']
    expect(sides).toEqual([...texts, 'א', 'b', '1', '2', 'ltr', 'rtl', 'ltr', 'rtl', 'rtl'])
  })

  it('prints a long message in full', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'melons', LONG_MESSAGE)
    await showView(page, `/c/${channelId}/t/melons`)
    const row = list(page).getByRole('article')
    await showMoreButton(page).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => heightOf(row)).toBeGreaterThan(COLLAPSED_HEIGHT_PIXELS + 200)
    expect(await showMoreButton(page).isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  })

  it('no longer collapses a message that an edit has shortened', async () => {
    const { friend, channelId, page } = await teamWithPage()
    const id = await say(friend, channelId, 'turnips', LONG_MESSAGE)
    await showView(page, `/c/${channelId}/t/turnips`)
    await showMoreButton(page).waitFor()
    await friend.call('PATCH', `/messages/${id}`, { content: 'Short' })
    await list(page).getByText('Short').waitFor()
    await expect.poll(() => showMoreButton(page).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('empty message lists', () => {
  it('shows accessible empty message lists at 320 and 1280 px', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const page = await openAs(browser(), owner, '/inbox')
    for (const path of [`/dm/${friend.id}`, `/c/${channelId}/t/nothing`, `/c/${channelId}/feed`, '/feed', '/starred']) {
      await showView(page, path)
      await page.getByRole('main').getByRole('strong').first().waitFor()
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 700 })
        expect([path, width, await accessibilityFaults(page)]).toEqual([path, width, []])
      }
    }
  })
})
