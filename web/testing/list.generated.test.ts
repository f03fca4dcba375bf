import fc from 'fast-check'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const MESSAGE_COUNT = 70
const MAX_SHIFT_PIXELS = 1
/** Half of the lines of a message that is long enough to be collapsed. */
const HALF_COLLAPSIBLE_LINES = 20

/** Generates a change that happens while a person reads. `at` selects the message to change. */
const operationArbitrary = fc.record({
  kind: fc.constantFrom('append', 'grow', 'grow long', 'shrink', 'react', 'delete', 'resize', 'look back'),
  at: fc.nat(1_000),
  lines: fc.integer({ min: 2, max: 12 }),
})
type ListOperation = { readonly kind: string; readonly at: number; readonly lines: number }

interface VisibleRow {
  readonly id: number
  readonly top: number
}

/** Returns the first message that is fully visible below the sticky header, and its position. */
async function firstVisibleRow(page: Page): Promise<VisibleRow> {
  return page.evaluate(() => {
    const list = document.querySelector('.list')
    const edge = list?.getBoundingClientRect().top ?? 0
    const rows = [...document.querySelectorAll<HTMLElement>('.list [data-row]')]
    const covered = list === null ? 0 : Number.parseFloat(getComputedStyle(list).scrollPaddingBlockStart) || 0
    const row = rows.find((one) => one.getBoundingClientRect().top >= edge + covered)
    return { id: Number(row?.dataset['row']), top: (row?.getBoundingClientRect().top ?? 0) - edge }
  })
}

async function topOf(page: Page, id: number): Promise<number> {
  return page.evaluate((row) => {
    const edge = document.querySelector('.list')?.getBoundingClientRect().top ?? 0
    return (document.querySelector(`[data-row="${row}"]`)?.getBoundingClientRect().top ?? Number.NaN) - edge
  }, id)
}

async function waitForFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve())
      })
    }
  })
}

const rowOf = (page: Page, id: number): Locator => page.locator(`[data-row="${id}"]`)

interface ReadingContext {
  readonly page: Page
  readonly friend: TestUser
  readonly address: object
  readonly ids: number[]
}

async function applyOperation(
  { page, friend, address, ids }: ReadingContext,
  what: ListOperation,
  held: number,
  step: number,
): Promise<void> {
  const others = ids.filter((id) => id !== held)
  const id = others[what.at % others.length] ?? 0
  const lines =
    what.kind === 'shrink' ? 1 : what.kind === 'grow long' ? HALF_COLLAPSIBLE_LINES * what.lines : what.lines
  const content = Array.from({ length: lines }, () => `step ${step}`).join('\n')
  if (what.kind === 'append') {
    const sent = await friend.call('POST', '/messages', { ...address, content })
    ids.push(sent['id'])
  } else if (['grow', 'grow long', 'shrink'].includes(what.kind)) {
    await friend.call('PATCH', `/messages/${id}`, { content })
    await rowOf(page, id).getByText(`step ${step}`).waitFor({ state: 'attached' })
  } else if (what.kind === 'react') {
    await friend.try('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await rowOf(page, id).getByRole('button', { name: /tada/ }).waitFor({ state: 'attached' })
  } else if (what.kind === 'delete') {
    await friend.call('DELETE', `/messages/${id}`)
    ids.splice(ids.indexOf(id), 1)
    await rowOf(page, id).waitFor({ state: 'detached' })
  } else if (what.kind === 'resize') {
    const height = 500 + (what.at % 400)
    await page.setViewportSize({ width: 1_000, height })
    await page.waitForFunction((wanted) => window.innerHeight === wanted, height)
  }
}

describe.skipIf(!hasBrowser)('message list', () => {
  it.each([
    ['of a conversation', 't/beans', ['beans']],
    ['of several conversations', 'feed', ['beans', 'peas']],
  ])('keeps the reading position in the messages %s through random changes', async (_, path, topics) => {
    await fc.assert(
      fc.asyncProperty(fc.array(operationArbitrary, { minLength: 8, maxLength: 14 }), async (operations) => {
        const { owner, user } = await server().organization()
        const reader = await user('Rita Reader')
        await owner.call('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: 'garden' }],
          principals: [owner.id, reader.id],
        })
        const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
        const address = { type: 'channel', to: stream_id, topic: 'beans' }
        const ids: number[] = []
        for (let index = 0; index < MESSAGE_COUNT; index += 1) {
          const content = Array.from({ length: 1 + (index % 4) }, () => `Bean ${index}`).join('\n')
          const topic = topics[Math.floor(index / 5) % topics.length]
          ids.push((await owner.call('POST', '/messages', { ...address, topic, content }))['id'])
        }
        const middle = ids[MESSAGE_COUNT / 2] ?? 0
        const page = await openAs(browser(), reader, `/c/${String(stream_id)}/${path}?near=${middle}`, {
          viewport: { width: 1_000, height: 700 },
        })
        await rowOf(page, middle).waitFor()
        await expect.poll(() => page.locator('.list [data-row]').count()).toBe(MESSAGE_COUNT)
        for (const [step, what] of operations.entries()) {
          if (what.kind === 'look back') {
            await page.mouse.move(600, 300)
            await page.mouse.wheel(0, -100)
            await waitForFrames(page)
            continue
          }
          const held = await firstVisibleRow(page)
          await applyOperation({ page, friend: owner, address, ids }, what, held.id, step)
          await waitForFrames(page)
          expect(Math.abs((await topOf(page, held.id)) - held.top)).toBeLessThanOrEqual(MAX_SHIFT_PIXELS)
        }
        await page.context().close()
      }),
      { numRuns: effort(3), endOnFailure: true },
    )
  })

  it('keeps the reading position when older messages load during scrolling', async () => {
    const { owner, user } = await server().organization()
    const reader = await user('Rita Reader')
    const ids: number[] = []
    for (let index = 0; index < 3 * MESSAGE_COUNT; index += 1)
      ids.push(await owner.sendTo([reader.id], `Bean ${index}\n`.repeat(3)))
    const page = await openAs(browser(), reader, `/dm/${owner.id}?near=${ids.at(-1)}`, {
      viewport: { width: 1_000, height: 700 },
    })
    await rowOf(page, ids.at(-1) ?? 0).waitFor()
    // Rows outside the view render after the first paint.
    await expect.poll(async () => page.locator('.list [data-row]').count()).toBeGreaterThan(60)
    await page.evaluate(() => {
      const list = document.querySelector('.list')
      if (list !== null) list.scrollTop = list.clientHeight * 2
    })
    await waitForFrames(page)
    await page.route('**/api/v1/messages?**', async (route) => {
      await waitForFrames(page)
      await route.continue()
    })
    const first = Number(await page.locator('.list [data-row]').first().getAttribute('data-row'))
    const held = await firstVisibleRow(page)
    // The reader continues to scroll before the request for older messages is painted.
    const scrolled = await page.evaluate(async () => {
      const list = document.querySelector('.list')
      if (list === null) return 0
      const before = list.scrollTop
      list.scrollTop -= list.clientHeight * 0.8
      list.dispatchEvent(new Event('scroll'))
      for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
      list.scrollTop += 10
      return before - list.scrollTop
    })
    await waitForFrames(page)
    expect(Math.abs((await topOf(page, held.id)) - held.top - scrolled)).toBeLessThanOrEqual(MAX_SHIFT_PIXELS)
    await expect
      .poll(async () => page.locator('.list [data-row]').first().getAttribute('data-row'))
      .not.toBe(String(first))
    expect(Math.abs((await topOf(page, held.id)) - held.top - scrolled)).toBeLessThanOrEqual(MAX_SHIFT_PIXELS)
  })
})
