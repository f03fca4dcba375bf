import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser } from './browser.ts'
import { loseConnection } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, hasComposerFocus, list, withChannel, type Team } from './team.ts'

const { team, visit } = useTeam()

const MAX_KEY_PRESSES = 60

async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < MAX_KEY_PRESSES; steps++) {
    const isThere = await page.evaluate((wanted) => document.activeElement?.getAttribute('aria-label') === wanted, name)
    if (isThere) return
    await page.keyboard.press(key)
  }
  throw new Error(`${name} is not reached by ${key}`)
}

async function chooseMenuItem(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).waitFor()
  await page.keyboard.type(item.charAt(0))
  await expect
    .poll(() => page.getByRole('menuitem', { name: item }).evaluate((one) => one === document.activeElement))
    .toBe(true)
  await page.keyboard.press('Enter')
}

async function deleteSnippets(user: TestUser): Promise<void> {
  const { saved_snippets } = await user.call('GET', '/saved_snippets')
  for (const { id } of saved_snippets) await user.call('DELETE', `/saved_snippets/${id}`)
}

const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!hasBrowser).each([{ width: 1280 }, { width: 320 }])(
  'writing by keyboard at $width px',
  ({ width }) => {
    const open = async ({ owner, channelId }: Team, serviceWorkers: 'allow' | 'block' = 'block'): Promise<Page> => {
      const page = await visit(owner, `/c/${channelId}/t/beans`, { viewport: { width, height: 700 }, serviceWorkers })
      await composer(page).focus()
      return page
    }

    it('edits the newest or the focused message by keyboard, and returns the focus', async () => {
      const parts = await withChannel(await team())
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
      await expect
        .poll(async () => fetchTopicContents(parts.friend, parts.channelId, 'beans'))
        .toEqual(['<p>Tall beans indeed</p>'])
      await expect.poll(() => hasComposerFocus(page)).toBe(true)
      await row.focus()
      await page.keyboard.press('e')
      await editor.waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
    })

    it('formats text, attaches and pastes images, and sends the message to another topic by keyboard', async () => {
      const parts = await withChannel(await team())
      const page = await open(parts)
      await page.keyboard.type('tall')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+b')
      await page.keyboard.press('End')
      await page.keyboard.type(' ')
      const chooser = page.waitForEvent('filechooser')
      await tabTo(page, 'Insert')
      await chooseMenuItem(page, 'Attach file')
      await (await chooser).setFiles([{ name: 'bean.png', mimeType: 'image/png', buffer: PIXEL_PNG }])
      await expect
        .poll(() => composer(page).inputValue())
        .toMatch(/^\*\*tall\*\* \[bean\.png\]\(\/user_uploads\/.+\)\n$/)
      await expect.poll(() => hasComposerFocus(page)).toBe(true)
      await composer(page).evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['x'], 'pasted.png', { type: 'image/png' }))
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await expect.poll(() => composer(page).inputValue()).toContain('[pasted.png](')
      await tabTo(page, 'Topic', 'Shift+Tab')
      await page.keyboard.type('peas')
      await page.keyboard.press('Enter')
      await expect.poll(() => hasComposerFocus(page)).toBe(true)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('status').getByText(`Sent to peas in ${parts.channel}`).waitFor()
      await expect
        .poll(async () => (await fetchTopicContents(parts.friend, parts.channelId, 'peas')).join(''))
        .toMatch(/<strong>tall<\/strong>.*bean\.png/s)
      expect(await hasComposerFocus(page)).toBe(true)
    })

    it('creates a poll, saves and inserts a snippet, and schedules a message by keyboard', async () => {
      const parts = await withChannel(await team())
      await deleteSnippets(parts.owner)
      const page = await open(parts)
      await tabTo(page, 'Insert')
      await chooseMenuItem(page, 'Create poll')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      for (const text of ['Where?', 'In', 'Out', '']) {
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
      }
      await page.keyboard.press('Enter')
      await list(page).getByRole('button', { name: 'Out: 0 votes' }).waitFor()
      await tabTo(page, 'Insert')
      await chooseMenuItem(page, 'Saved snippets')
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
      await expect.poll(() => hasComposerFocus(page)).toBe(true)
      await tabTo(page, 'Send later')
      await chooseMenuItem(page, 'In an hour')
      await page.getByText(/^Message scheduled: /).waitFor()
      const { scheduled_messages } = await parts.owner.call('GET', '/scheduled_messages')
      const here = scheduled_messages.filter(({ to }) => to === parts.channelId)
      expect(here).toMatchObject([{ content: 'Thank you.', topic: 'beans' }])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })

    it('queues a message sent offline by keyboard, and delivers it once the connection returns', async () => {
      const parts = await withChannel(await team())
      const page = await open(parts, 'allow')
      await loseConnection(page)
      await page.keyboard.type('From the train')
      await page.keyboard.press('Control+Enter')
      await list(page).getByText('Waiting for a connection').waitFor()
      expect(await hasComposerFocus(page)).toBe(true)
      await page.context().setOffline(false)
      await expect
        .poll(async () => fetchTopicContents(parts.friend, parts.channelId, 'beans'))
        .toEqual(['<p>From the train</p>'])
      await expect.poll(() => list(page).getByText('Waiting for a connection').count()).toBe(0)
    })
  },
)
