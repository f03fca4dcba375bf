import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { upload } from '../../server/src/testing/files.ts'
import type { TestServer } from '../../server/src/testing/server.ts'
import { addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, createTeamOn, type Team } from './team.ts'

const { team, visit, makeTeam, openPage } = useTeam({}, createTeamWithLongTopic)

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
const LINE_COUNT = 60

const main = (page: Page) => page.getByRole('main')
const viewTitle = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' })

async function createTeamWithLongTopic(server: TestServer): Promise<Team> {
  const made = await createTeamOn(server)
  const { owner, friend, channelId } = made
  const png = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const picture = `[red.png](${await upload(friend, 'red.png', png)})`
  for (let line = 0; line < LINE_COUNT; line += 1) {
    await say(friend, channelId, 'beans', line === LINE_COUNT / 2 ? picture : `Line ${line}`)
  }
  await owner.call('POST', '/mark_all_as_read')
  return made
}

/** Opens the long conversation from the list of conversations, and scrolls up. */
async function openLongTopic() {
  const made = await team()
  const page = await visit(made.owner, '/recent', PHONE)
  await main(page).getByRole('link', { name: /beans/ }).first().tap()
  await list(page)
    .getByText(`Line ${LINE_COUNT - 1}`, { exact: true })
    .waitFor()
  await list(page).getByRole('link', { name: 'Open image red.png' }).scrollIntoViewIfNeeded()
  await main(page)
    .getByRole('button', { name: /^Jump to newest$|new messages?$/ })
    .waitFor()
  return { ...made, page }
}

async function imageTop(page: Page): Promise<number> {
  const box = await list(page).getByRole('link', { name: 'Open image red.png' }).boundingBox()
  return box?.y ?? Number.NaN
}

const historyLength = async (page: Page): Promise<number> => page.evaluate(() => window.history.length)

async function openMoreMenu(page: Page): Promise<void> {
  await main(page).getByRole('button', { name: 'More', exact: true }).first().tap()
  await page.getByRole('menu').waitFor()
}

describe.skipIf(!hasBrowser)('Back button on a phone', () => {
  it('closes overlays of a conversation on Back, and then leaves the conversation', async () => {
    const { page } = await openLongTopic()
    const { href } = new URL(page.url())
    let at = Number.NaN
    // On a slow machine, rows above the image can be drawn late.
    await expect
      .poll(async () => {
        const before = at
        at = await imageTop(page)
        return at - before
      })
      .toBe(0)
    const things: readonly (readonly [() => Promise<void>, () => Promise<void>])[] = [
      [
        async () => mainNavigation(page).getByRole('button', { name: 'Channels' }).tap(),
        async () => sidebar(page).waitFor(),
      ],
      [async () => main(page).getByRole('button', { name: 'Details' }).tap(), async () => panel(page).waitFor()],
      [async () => openMoreMenu(page), async () => page.getByRole('menu').waitFor()],
      [async () => page.keyboard.press('Control+k'), async () => page.getByRole('dialog', { name: /Go to/ }).waitFor()],
      [
        async () => list(page).getByRole('link', { name: 'Open image red.png' }).tap(),
        async () => page.getByRole('dialog', { name: 'Image' }).waitFor(),
      ],
      [async () => page.keyboard.press('?'), async () => page.getByRole('dialog', { name: /Keys|Keyboard/ }).waitFor()],
    ]
    for (const [open, opened] of things) {
      at = await imageTop(page)
      await open()
      await opened()
      await page.goBack()
      await viewTitle(page, /beans/).waitFor()
      await page.locator('dialog[open], [role=menu], .panel').waitFor({ state: 'detached' })
      await sidebar(page).waitFor({ state: 'hidden' })
      expect(page.url()).toBe(href)
      await expect.poll(async () => Math.abs((await imageTop(page)) - at)).toBeLessThanOrEqual(1)
    }
    await page.goBack()
    await viewTitle(page, 'Recent').waitFor()
    await page.goForward()
    await viewTitle(page, /beans/).waitFor()
    await expect.poll(async () => Math.abs((await imageTop(page)) - at)).toBeLessThanOrEqual(1)
  })

  it('goes back from a DM to the list of DMs, and then to the view that was open before', async () => {
    const { owner, friend } = await makeTeam()
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openPage(owner, '/recent', PHONE)
    await viewTitle(page, 'Recent').waitFor()
    await mainNavigation(page).getByRole('button', { name: 'DMs' }).tap()
    await sidebar(page)
      .getByRole('link', { name: /Fred Friend/ })
      .tap()
    await viewTitle(page, /Fred Friend/).waitFor()
    await expect.poll(() => page.evaluate((): unknown => window.history.state)).toBe(null)
    await main(page).getByRole('button', { name: 'Back' }).tap()
    await sidebar(page)
      .getByRole('link', { name: /Fred Friend/ })
      .waitFor()
    await page.goBack()
    await viewTitle(page, 'Recent').waitFor()
    expect(await sidebar(page).isVisible()).toBe(false)
  })

  it('leaves the conversation on the first Back if overlays are already closed', async () => {
    const { page } = await openLongTopic()
    await openMoreMenu(page)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await main(page).getByRole('button', { name: 'Details' }).tap()
    await panel(page).getByRole('button', { name: 'Close' }).tap()
    await viewTitle(page, /beans/).waitFor()
    await expect.poll(() => page.evaluate((): unknown => window.history.state)).toBe(null)
    const before = await historyLength(page)
    await page.goBack()
    await viewTitle(page, 'Recent').waitFor()
    // The conversation stays in the forward history until the next navigation.
    await main(page).getByRole('link', { name: /beans/ }).first().tap()
    await viewTitle(page, /beans/).waitFor()
    expect(await historyLength(page)).toBeLessThan(before)
  })

  it('closes overlays on Back in reverse order, like Escape', async () => {
    const { page, channelId } = await openLongTopic()
    await main(page).getByRole('button', { name: 'Details' }).tap()
    await panel(page)
      .getByRole('button', { name: /Fred Friend/ })
      .first()
      .tap()
    const card = page.getByRole('dialog', { name: 'Fred Friend' })
    await card.waitFor()
    await page.goBack()
    await card.waitFor({ state: 'detached' })
    await panel(page).waitFor()
    await page.goBack()
    await viewTitle(page, /beans/).waitFor()
    // A dialog opened by a menu takes over the menu's history entry.
    await page.goto(new URL(`/c/${channelId}`, page.url()).href)
    await viewTitle(page, /garden/).waitFor()
    await openMoreMenu(page)
    await page.getByRole('menuitem', { name: /settings/ }).tap()
    await page.getByRole('dialog', { name: /garden/ }).waitFor()
    await expect.poll(() => page.evaluate((): unknown => window.history.state)).toEqual({ layers: 1 })
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await viewTitle(page, /garden/).waitFor()
    await page.goBack()
    await viewTitle(page, /beans/).waitFor()
  })

  it('returns to the conversation with Back after the person follows a link in an overlay', async () => {
    const { page, owner } = await openLongTopic()
    const before = await historyLength(page)
    await mainNavigation(page).getByRole('button', { name: 'Channels' }).tap()
    await sidebar(page).getByRole('link', { name: 'garden' }).tap()
    await viewTitle(page, /garden/).waitFor()
    await page.goBack()
    await sidebar(page).getByRole('link', { name: 'garden' }).waitFor()
    await page.goBack()
    await viewTitle(page, /beans/).waitFor()
    expect(await sidebar(page).isVisible()).toBe(false)
    await main(page).getByRole('button', { name: 'Details' }).tap()
    await panel(page)
      .getByRole('button', { name: /Fred Friend/ })
      .first()
      .tap()
    await page.getByRole('dialog', { name: 'Fred Friend' }).getByRole('button', { name: 'Send direct message' }).tap()
    await expect.poll(() => page.url()).toContain('/dm/')
    await expect.poll(() => historyLength(page)).toBeLessThanOrEqual(before + 2)
    while (!page.url().includes('beans')) await page.goBack()
    await page.goBack()
    await expect.poll(() => page.url()).toBe(addressOf(owner, '/recent'))
  })

  it('leaves the conversation on the first Back after a reload with an open panel', async () => {
    const { page } = await openLongTopic()
    await main(page).getByRole('button', { name: 'Details' }).tap()
    await panel(page).waitFor()
    await page.reload()
    await viewTitle(page, /beans/).waitFor()
    await expect.poll(() => page.evaluate((): unknown => window.history.state)).toBe(null)
    await page.goBack()
    await viewTitle(page, 'Recent').waitFor()
  })
})

describe.skipIf(!hasBrowser)('header of a view on a phone', () => {
  it('returns to the previous view, or else to the inbox, with the back button in the header', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openPage(owner, `/c/${channelId}/t/beans`, PHONE)
    const back = main(page).getByRole('button', { name: 'Go back' })
    const { width = 0, height = 0 } = (await back.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    await back.tap()
    await viewTitle(page, 'Inbox').waitFor()
    expect(await back.count()).toBe(0)
    await main(page).getByRole('link', { name: /beans/ }).tap()
    await viewTitle(page, /beans/).waitFor()
    await main(page).getByRole('link', { name: 'garden' }).tap()
    await viewTitle(page, 'garden').waitFor()
    await back.tap()
    await viewTitle(page, /beans/).waitFor()
    await back.tap()
    await viewTitle(page, 'Inbox').waitFor()
  })

  it('shows one button that goes back from a settings page', async () => {
    const { owner } = await makeTeam()
    const page = await openPage(owner, '/settings', PHONE)
    await main(page).getByRole('link', { name: 'Appearance' }).tap()
    await main(page).getByRole('heading', { name: 'Appearance', level: 2 }).waitFor()
    expect(await main(page).getByRole('link', { name: 'All settings' }).count()).toBe(0)
    await main(page).getByRole('button', { name: 'Go back' }).tap()
    await main(page).getByRole('link', { name: 'Appearance' }).waitFor()
  })

  it('shows a topic on the line below its channel in headers and rows on phones', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openPage(owner, '/recent', PHONE)
    const topOf = async (name: string) =>
      (await main(page).getByText(name, { exact: true }).first().boundingBox())?.y ?? Number.NaN
    const row = main(page).getByRole('link', { name: /beans/ })
    await row.waitFor()
    expect((await topOf('beans')) - (await topOf('garden'))).toBeGreaterThan(12)
    await row.tap()
    await viewTitle(page, /beans/).waitFor()
    expect((await topOf('beans')) - (await topOf('garden'))).toBeGreaterThan(12)
  })

  it('shows the unread number right after the topic on phones, even below a longer channel name', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'ash', 'Hello')
    const page = await openPage(owner, '/recent', PHONE)
    const row = main(page).getByRole('link', { name: /ash/ })
    const boxOf = async (text: string) =>
      (await row.getByText(text, { exact: true }).boundingBox()) ?? { x: Number.NaN, y: 0, width: 0, height: 0 }
    await row.getByText('1', { exact: true }).waitFor()
    const [topic, number] = [await boxOf('ash'), await boxOf('1')]
    expect(number.x - topic.x - topic.width).toBeGreaterThan(0)
    expect(number.x - topic.x - topic.width).toBeLessThan(16)
    expect(Math.abs(number.y + number.height / 2 - topic.y - topic.height / 2)).toBeLessThan(4)
  })
})

describe.skipIf(!hasBrowser)('Back button on a wide screen', () => {
  it('adds no history entries for overlays on a wide screen', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Hello').waitFor()
    const before = await historyLength(page)
    await main(page).getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    expect(await historyLength(page)).toBe(before)
  })
})
