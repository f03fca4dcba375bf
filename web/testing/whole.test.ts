import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import { type TestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, openAs, openWindow } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, type Team, createTeamOn, withChannel } from './team.ts'
import { isTooWide } from './views.ts'

const { browser, team, visit } = useTeam({}, createTeamWithLongTopic)

/** More messages than two requests of an export return, and far more than a list loads. */
const LONG_TOPIC_MESSAGE_COUNT = 1_030

interface TeamWithBeansTopic extends Team {
  readonly picture: string
  readonly path: string
}

async function addBeansTopic(made: Team, channel: string): Promise<TeamWithBeansTopic> {
  const { owner, friend, channelId } = made
  const red = sharp({ create: { width: 900, height: 600, channels: 3, background: 'red' } })
  const picture = await upload(friend, 'red.png', await red.png().toBuffer())
  await say(friend, channelId, 'beans', `First, see [red.png](${picture}) and \`[x](/user_uploads/code)\``)
  const mended = await say(friend, channelId, 'beans', 'Befor')
  await friend.call('PATCH', `/messages/${mended}`, { content: 'Mended :tada:\n\n```spoiler The end\nIt grows\n```' })
  await owner.call('POST', `/messages/${mended}/reactions`, { emoji_name: 'heart' })
  return { ...made, picture, path: `/c/${channelId}-${channel}/t/beans` }
}

async function teamWithBeansTopic(): Promise<TeamWithBeansTopic & { readonly channel: string }> {
  const made = await withChannel(await team())
  return { ...(await addBeansTopic(made, made.channel)), channel: made.channel }
}

async function sendMessages({ friend, channelId }: Team, number: number): Promise<void> {
  for (let index = 1; index <= number; index += 50) {
    const some = Array.from({ length: Math.min(50, number + 1 - index) }, (_, offset) => index + offset)
    await Promise.all(some.map(async (bean) => say(friend, channelId, 'beans', `Bean ${bean}.`)))
  }
}

async function createTeamWithLongTopic(server: TestServer): Promise<TeamWithBeansTopic> {
  const made = await addBeansTopic(await createTeamOn(server), 'garden')
  await sendMessages(made, LONG_TOPIC_MESSAGE_COUNT)
  return made
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Export conversation' })

async function openExport(page: Page): Promise<void> {
  await list(page).getByRole('article').first().waitFor()
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Export conversation' }).click()
  await dialog(page).waitFor()
}

async function downloadExport(page: Page, button: string): Promise<{ name: string; text: string; path: string }> {
  const downloading = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: button }).click()
  const download = await downloading
  const name = download.suggestedFilename()
  const folder = await mkdtemp(join(tmpdir(), 'parley-whole-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await download.saveAs(path)
  return { name, text: await readFile(path, 'utf8'), path }
}

declare global {
  interface Window {
    /** Number of times that the client requested printing. */
    printed: number
  }
}

/** Disables printing, and counts how often the client requests it. */
async function disablePrinting(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.printed = 0
    window.print = () => {
      window.printed += 1
    }
  })
  await page.reload()
}

const printCount = async (page: Page): Promise<number> => page.evaluate(() => window.printed)

describe.skipIf(!hasBrowser)('conversation export', () => {
  it('saves a whole conversation as Markdown with absolute links', async () => {
    const { owner, path, picture } = await team()
    const page = await visit(owner, path)
    await openExport(page)
    expect(await accessibilityFaults(page)).toEqual([])
    const { name, text } = await downloadExport(page, 'Save as Markdown')
    expect(name).toBe('beans in garden.md')
    expect(text).toContain('# beans in garden\n')
    expect(text).toContain(`${(LONG_TOPIC_MESSAGE_COUNT + 2).toLocaleString('en')} messages · Hill \\& Valley`)
    for (let bean = 1; bean <= LONG_TOPIC_MESSAGE_COUNT; bean += 1) expect(text.split(`Bean ${bean}.\n`).length).toBe(2)
    const { origin } = new URL(page.url())
    expect(text).toContain(`[red.png](${origin}${picture})`)
    expect(text).toContain('`[x](/user_uploads/code)`')
    expect(text).toMatch(/\*\*Fred Friend\*\* · .* · edited .*\n\nMended :tada:/)
    expect(text).toContain('*Reactions:* ❤️ Olivia Owner')
    await page.getByRole('status').filter({ hasText: 'Saved 1,032 messages as beans in garden.md' }).waitFor()
    await dialog(page).waitFor({ state: 'detached' })
  })

  it('saves a conversation as one page with embedded images and no scripts', async () => {
    const { owner, friend, channelId, channel, path } = await teamWithBeansTopic()
    await say(friend, channelId, 'beans', '<img src=x onerror=document.title="hacked"> $$x^2$$')
    const page = await visit(owner, path)
    await openExport(page)
    const { name, text, path: file } = await downloadExport(page, 'Save as a web page')
    expect(name).toBe(`beans in ${channel}.html`)
    expect(text).not.toMatch(/<script|\son\w+="/)
    const alone = await (await openWindow(browser(), { offline: true })).newPage()
    await alone.goto(pathToFileURL(file).href)
    await alone.getByRole('heading', { name: `beans in ${channel}` }).waitFor()
    expect(await alone.title()).toBe(`beans in ${channel}`)
    const article = (said: string) => alone.getByRole('article').filter({ hasText: said })
    const picture = alone.getByRole('img', { name: 'red.png' })
    expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.src.slice(0, 11)])).toEqual([
      840,
      'data:image/',
    ])
    const { origin } = new URL(page.url())
    expect(await article('First').getByRole('link').first().getAttribute('href')).toContain(`${origin}/user_uploads/`)
    await article('Mended').getByText('edited').waitFor()
    await article('Mended').getByText('❤️ Olivia Owner').waitFor()
    await article('Mended').getByText('The end').click()
    await article('Mended').getByText('It grows').waitFor()
    expect(await accessibilityFaults(alone)).toEqual([])
    await alone.setViewportSize({ width: 320, height: 640 })
    expect(await isTooWide(alone)).toBe(false)
  })

  it('copies a conversation from the palette', async () => {
    const { owner, path } = await teamWithBeansTopic()
    const page = await visit(owner, path)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await list(page).getByRole('article').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Go to/ }).fill('>copy conversation')
    await page.getByRole('option', { name: /Copy conversation/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Copied 2 messages' }).waitFor()
    expect(await page.evaluate(async () => navigator.clipboard.readText())).toContain('First, see [red.png](http')
  })

  it('prints a whole conversation with Ctrl+P in light colors, and restores the view', async () => {
    const made = await teamWithBeansTopic()
    await sendMessages(made, 150)
    const page = await openAs(browser(), made.owner, made.path, { colorScheme: 'dark' })
    await disablePrinting(page)
    await list(page).getByRole('article').first().waitFor()
    await page.keyboard.press('Control+p')
    await expect.poll(() => printCount(page)).toBe(1)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('body > .whole').getByText('It grows').isVisible()).toBe(true)
    const shown = await page.locator('body > .whole article').count()
    expect(shown).toBe(152)
    expect(await page.locator('#app').isVisible()).toBe(false)
    const picture = page.locator('body > .whole img')
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(840)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    expect(await page.locator('body > .whole').count()).toBe(0)
    expect(await page.locator('#app').isVisible()).toBe(true)
  })

  it('omits messages by muted people from an export, and states their number', async () => {
    const { owner, friend, channelId, path } = await teamWithBeansTopic()
    await say(owner, channelId, 'beans', 'Mine')
    await owner.call('POST', `/users/me/muted_users/${friend.id}`)
    const page = await visit(owner, path)
    await openExport(page)
    const { text } = await downloadExport(page, 'Save as Markdown')
    expect(text).toContain('Mine')
    expect(text).toContain('Not included: 2 messages from people you muted')
    expect(text).not.toContain('Mended')
    await owner.call('DELETE', `/users/me/muted_users/${friend.id}`)
  })

  it('resumes an export after a server failure, and cancels it on request', async () => {
    const { owner, path } = await team()
    const page = await visit(owner, path, { viewport: { width: 320, height: 640 } })
    let isBroken = true
    await page.route(/\/api\/v1\/messages\?.*num_after=500/, async (route) => {
      const isFirst = route.request().url().includes('anchor=oldest')
      if (isFirst || !isBroken) await route.continue()
      else await route.abort()
    })
    await openExport(page)
    await dialog(page).getByRole('button', { name: 'Save as Markdown' }).click()
    await dialog(page)
      .getByRole('alert')
      .filter({ hasText: /Stopped after 50[01] messages; nothing was exported/ })
      .waitFor()
    expect(await isTooWide(page)).toBe(false)
    expect(await accessibilityFaults(page)).toEqual([])
    isBroken = false
    const { text } = await downloadExport(page, 'Continue')
    for (let bean = 1; bean <= LONG_TOPIC_MESSAGE_COUNT; bean += 1) expect(text.split(`Bean ${bean}.\n`).length).toBe(2)
    // Leaves requests unanswered, so that the test can cancel the export.
    await page.unroute(/\/api\/v1\/messages\?.*num_after=500/)
    await page.route(/\/api\/v1\/messages\?.*num_after=500/, () => undefined)
    await openExport(page)
    const asking = page.waitForRequest(/num_after=500/)
    await dialog(page).getByRole('button', { name: 'Save as Markdown' }).click()
    await asking
    const failing = page.waitForEvent('requestfailed')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await failing
    await dialog(page).waitFor({ state: 'detached' })
  })
})
