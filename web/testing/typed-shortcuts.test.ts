import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { focusedField, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, withChannel } from './team.ts'

const { team, visit } = useTeam()

describe.skipIf(!hasBrowser)('text typed while no field has the focus', () => {
  const TEXTS = [
    // Typed text, the milliseconds between two letters, and the shortcut that runs with the view it opens.
    { keys: 'it and more?', pause: 0, ran: 'Open inbox', heading: 'Inbox' },
    { keys: 'tea, ice, a date', pause: 240, ran: 'Open recent conversations', heading: 'Recent' },
    { keys: 'add it in', pause: 100, ran: 'Open all messages', heading: 'All messages' },
    { keys: 'Nt n', pause: 30, ran: 'Triage unread', heading: 'Triage' },
  ]

  it.each(TEXTS)('runs one shortcut for "$keys" typed at $pause ms per key', async ({ keys, pause, ran, heading }) => {
    const { owner } = await team()
    const page = await visit(owner, '/settings')
    await page.getByRole('heading', { name: 'Settings' }).first().waitFor()
    const opened = recordOpenedViews(page)
    await dispatchKeys(page, keys, pause)
    await page.getByRole('status').getByText(`Shortcut used: ${ran}. To write, click a text field.`).waitFor()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    expect(opened).toHaveLength(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('runs only one shortcut if text is typed after a click on a view; after an arrow key, typed text selects a row', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings')
    const link = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'All channels' })
    await link.click()
    await page.getByRole('heading', { name: 'All channels', level: 1 }).waitFor()
    const opened = recordOpenedViews(page)
    await page.keyboard.type('The cat is on the roof')
    await page.getByRole('status').getByText('Shortcut used: Open recent conversations.').waitFor()
    expect(opened).toEqual(['/recent'])
    expect(await focusedField(page)).toBeUndefined()
    await link.focus()
    await page.keyboard.press('Home')
    await page.keyboard.type('recent')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Recent/)
    expect(opened).toEqual(['/recent'])
    await page.locator('#main').focus()
  })

  it('runs each of several shortcuts typed with pauses between them', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings')
    await page.getByRole('heading', { name: 'Settings' }).first().waitFor()
    const opened = recordOpenedViews(page)
    await dispatchKeys(page, 'ita', 251)
    await page.getByRole('heading', { name: 'All messages', level: 1 }).waitFor()
    expect(opened).toEqual(['/inbox', '/recent', '/feed'])
    expect(await page.getByText(/^Shortcut used/).count()).toBe(0)
  })

  /** Opens a topic as the author of its four messages, and focuses the last message. */
  async function openTopic(): Promise<Page> {
    const { owner, friend, channelId } = await withChannel(await team())
    for (const text of ['Alpha', 'Beta', 'Gamma', 'Delta']) await say(owner, channelId, 'letters', text)
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Hello' })
    const page = await visit(owner, `/c/${channelId}/t/letters`)
    await list(page).getByText('Delta').waitFor()
    await list(page).getByRole('article').last().focus()
    // Keeps the next letters from continuing text typed in an earlier test.
    await page.keyboard.press('Control')
    return page
  }

  const focused = async (page: Page): Promise<string | undefined> =>
    page.evaluate(() => /Alpha|Beta|Gamma|Delta/.exec(document.activeElement?.textContent ?? '')?.[0])

  it('does not treat quickly typed j and k as text, and runs a shortcut right after them', async () => {
    const page = await openTopic()
    await dispatchKeys(page, 'kkkj', 30)
    expect(await focused(page)).toBe('Beta')
    await page.keyboard.press('Control')
    await list(page).getByRole('article').last().focus()
    await dispatchKeys(page, 'kke', 30)
    await expect.poll(() => focusedField(page)).toEqual(['Edit message', 'Beta', 4, 4])
    expect(await page.getByText(/^Shortcut used/).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  const WORDS = [
    { keys: 'just tests', ran: 'Next message', views: 0, focus: 'Delta' },
    { keys: 'know', ran: 'Previous message', views: 0, focus: 'Gamma' },
    { keys: 'jee', ran: 'Next message', views: 0, focus: 'Delta' },
    { keys: 'ke ', ran: 'Previous message', views: 0, focus: 'Gamma' },
    { keys: 'please', ran: 'Next unread direct message', views: 1, focus: undefined },
  ]

  it.each(WORDS)(
    'runs only the shortcut of the first letter when "$keys" is typed quickly',
    async ({ keys, ran, views, focus }) => {
      const page = await openTopic()
      const opened = recordOpenedViews(page)
      // Does not wait for frames: after a move, a letter runs as a shortcut if the next letter is late.
      await dispatchKeys(page, keys, 30, true)
      await page.getByRole('status').getByText(`Shortcut used: ${ran}. To write, click a text field.`).waitFor()
      await expect.poll(() => opened.length).toBe(views)
      await expect.poll(() => focused(page)).toBe(focus)
      expect(await focusedField(page)).toBeUndefined()
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
  )
})

function recordOpenedViews(page: Page): string[] {
  const opened: string[] = []
  page.on('framenavigated', (frame) => void opened.push(new URL(frame.url()).pathname))
  return opened
}

/** Dispatches key events with timestamps `pause` milliseconds apart, regardless of the speed of the machine. */
async function dispatchKeys(page: Page, keys: string, pause: number, isWithoutFrames = false): Promise<void> {
  await page.evaluate(
    async ([text, milliseconds, skipsFrames]) => {
      const begin = performance.now() + 60_000
      for (const [index, key] of [...text].entries()) {
        const event = new KeyboardEvent('keydown', {
          key,
          shiftKey: /\p{Lu}/u.test(key),
          bubbles: true,
          cancelable: true,
        })
        Object.defineProperty(event, 'timeStamp', { value: begin + index * milliseconds })
        ;(document.activeElement ?? document.body).dispatchEvent(event)
        if (skipsFrames) continue
        await new Promise<void>((resolve) => {
          requestAnimationFrame(() => resolve())
        })
      }
    },
    [keys, pause, isWithoutFrames] as const,
  )
}
