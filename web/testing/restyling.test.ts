import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say } from './team.ts'

const { browser, team, visit } = useTeam()

interface TraceEvent {
  readonly name: string
  readonly args: { readonly elementCount?: number }
}

/** Returns the number of elements in the largest style calculation during an action. */
async function countRestyledElements(page: Page, act: () => Promise<void>): Promise<number> {
  await browser().startTracing(page, { categories: ['devtools.timeline'] })
  await act()
  await page.evaluate(
    async () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve))
      }),
  )
  const { traceEvents } = JSON.parse((await browser().stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const counts = traceEvents.flatMap(({ name, args }) => (name === 'UpdateLayoutTree' ? [args.elementCount ?? 0] : []))
  return Math.max(...counts)
}

describe.skipIf(!hasBrowser)('restyling', () => {
  // A `:has()` selector that depends on the focus once made every popup restyle the document, which took 40 ms on phones.
  it('restyles only a small part of the document when popups open and close', async () => {
    const { owner, friend, channelId } = await team()
    for (let count = 0; count < 30; count += 1) await say(friend, channelId, 'beans', `Message ${count}`)
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Message 29').waitFor()
    const palette = page.getByRole('combobox', { name: /^Go to/ })
    const actions: readonly (() => Promise<void>)[] = [
      async () => {
        await composer(page).pressSequentially('@fr')
        await page.getByRole('option').first().waitFor()
      },
      async () => {
        await page.keyboard.press('Escape')
        await composer(page).fill('')
      },
      async () => {
        await page.keyboard.press('Control+k')
        await palette.waitFor()
      },
      async () => palette.pressSequentially('gard'),
      async () => page.keyboard.press('Escape'),
    ]
    // Loads the code and styles of both popups.
    for (const act of actions) await act()
    const counts: number[] = []
    for (const act of actions) counts.push(await countRestyledElements(page, act))
    const all = await page.locator('*').count()
    expect(all).toBeGreaterThan(500)
    expect(Math.max(...counts)).toBeLessThan(all / 3)
    expect(Math.max(...counts)).toBeGreaterThan(0)
  })
})
