import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser, type WindowOptions } from './browser.ts'
import { loseConnection } from './kept.ts'
import { composer, contentsOf, list, teamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()
const team = async (): Promise<Team> => teamOn(server())

const MOST_STEPS = 60

/** Goes on with Tab, or back with Shift+Tab, until what has the focus is called so. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const isThere = await page.evaluate((wanted) => document.activeElement?.getAttribute('aria-label') === wanted, name)
    if (isThere) return
    await page.keyboard.press(key)
  }
  throw new Error(`${name} is not reached by ${key}`)
}

const inComposer = (page: Page) => composer(page).evaluate((field) => field === document.activeElement)

/** Chooses an item of the menu that the focused button opens. */
async function choose(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).waitFor()
  await page.keyboard.type(item.charAt(0))
  await expect
    .poll(() => page.getByRole('menuitem', { name: item }).evaluate((one) => one === document.activeElement))
    .toBe(true)
  await page.keyboard.press('Enter')
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!hasBrowser).each([{ width: 1280 }, { width: 320 }])(
  'by the keyboard alone, at $width px,',
  ({ width }) => {
    const open = async ({ owner, channelId }: Team, options: WindowOptions = {}): Promise<Page> => {
      const viewport = { width, height: 700 }
      const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { viewport, ...options })
      await composer(page).waitFor()
      await page.keyboard.press('r')
      await expect.poll(() => inComposer(page)).toBe(true)
      return page
    }

    it('one edits what one wrote last, or another message, and goes on from where one was', async () => {
      const parts = await team()
      const page = await open(parts)
      const editor = page.getByRole('textbox', { name: 'Edit message' })
      await page.keyboard.type('Tall beans')
      await page.keyboard.press('Control+Enter')
      const row = list(page).getByRole('article', { name: /^Olivia Owner, \d/ })
      await row.waitFor()
      await page.keyboard.press('ArrowUp')
      await editor.waitFor()
      await page.keyboard.type(' indeed')
      await page.keyboard.press('Control+Enter')
      await expect.poll(async () => (await contentsOf(parts.friend)).at(-1)).toBe('<p>Tall beans indeed</p>')
      await expect.poll(() => inComposer(page)).toBe(true)
      await row.focus()
      await page.keyboard.press('e')
      await editor.waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
    })

    it('one formats, attaches a picture, pastes another, and goes on elsewhere', async () => {
      const parts = await team()
      const page = await open(parts)
      await page.keyboard.type('tall')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+b')
      await page.keyboard.press('End')
      await page.keyboard.type(' ')
      const chooser = page.waitForEvent('filechooser')
      await tabTo(page, 'Insert')
      await choose(page, 'Attach file')
      await (await chooser).setFiles([{ name: 'bean.png', mimeType: 'image/png', buffer: PIXEL }])
      await expect
        .poll(() => composer(page).inputValue())
        .toMatch(/^\*\*tall\*\* \[bean\.png\]\(\/user_uploads\/.+\)\n$/)
      await expect.poll(() => inComposer(page)).toBe(true)
      await composer(page).evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['x'], 'pasted.png', { type: 'image/png' }))
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await expect.poll(() => composer(page).inputValue()).toContain('[pasted.png](')
      await tabTo(page, 'Topic', 'Shift+Tab')
      await page.keyboard.type('peas')
      await page.keyboard.press('Enter')
      await expect.poll(() => inComposer(page)).toBe(true)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('status').getByText('Sent to peas in garden').waitFor()
      await expect
        .poll(async () => (await contentsOf(parts.friend)).join(''))
        .toMatch(/<strong>tall<\/strong>.*bean\.png/s)
      expect(await inComposer(page)).toBe(true)
    })

    it('one makes a poll, saves a snippet and puts it in, and sends later', async () => {
      const parts = await team()
      const page = await open(parts)
      await tabTo(page, 'Insert')
      await choose(page, 'Create poll')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      for (const text of ['Where?', 'In', 'Out']) {
        await page.keyboard.type(text)
        await page.keyboard.press('Tab')
      }
      await dialog.getByLabel('Question').press('Enter')
      await list(page).getByRole('button', { name: 'Out: 0 votes' }).waitFor()
      await tabTo(page, 'Insert')
      await choose(page, 'Saved snippets')
      await dialog.waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await dialog.getByLabel('Name').waitFor()
      await page.keyboard.type('Thanks')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Thank you.')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: /^Thanks/ }).press('Enter')
      await expect.poll(() => composer(page).inputValue()).toBe('Thank you.')
      await expect.poll(() => inComposer(page)).toBe(true)
      await tabTo(page, 'Send later')
      await choose(page, 'In an hour')
      await page.getByText(/^Message scheduled: /).waitFor()
      expect(await parts.owner.call('GET', '/scheduled_messages')).toMatchObject({
        scheduled_messages: [{ content: 'Thank you.', topic: 'beans' }],
      })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })

    it('one writes without a connection, reads that it waits, and it is sent when there is one', async () => {
      const parts = await team()
      const page = await open(parts, { serviceWorkers: 'allow' })
      await loseConnection(page)
      await page.keyboard.type('From the train')
      await page.keyboard.press('Control+Enter')
      await list(page).getByText('Waiting for a connection').waitFor()
      expect(await inComposer(page)).toBe(true)
      await page.context().setOffline(false)
      await expect.poll(async () => contentsOf(parts.friend)).toContain('<p>From the train</p>')
      await expect.poll(() => list(page).getByText('Waiting for a connection').count()).toBe(0)
    })
  },
)
