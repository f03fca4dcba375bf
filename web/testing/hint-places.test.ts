import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, show } from './browser.ts'
import { holdRequests } from './held-drafts.ts'
import { useTeam } from './shared.ts'
import { composer, say } from './team.ts'

const { makeTeam, openPage } = useTeam()

const INBOX_HINT = 'grouped by topic'
const TOPIC_HINT = 'goes to this topic'
const RESOLVE_HINT = 'Done? Mark the topic'

const hint = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const gotItButton = (page: Page) => page.getByRole('button', { name: 'Got it' })
const isComposerFocused = async (page: Page): Promise<boolean> =>
  composer(page).evaluate((field) => field === document.activeElement)

async function fetchPendingHints(user: TestUser): Promise<string[]> {
  const { onboarding_steps: steps } = await user.call('POST', '/register', { fetch_event_types: ['onboarding_steps'] })
  return steps.map(({ name }) => name)
}

async function openAsNewcomer(topic: string, width = 1280, height = 800) {
  const { owner, friend, channelId } = await makeTeam()
  await say(owner, channelId, topic, 'They sprout')
  const path = `/c/${channelId}/t/${topic}`
  const page = await openPage(friend, path, { hasHints: true, viewport: { width, height } })
  await hint(page, INBOX_HINT).waitFor()
  return { page, friend, channelId, path }
}

/** Waits until the hint has moved to its place, a frame after the layout, and lists what the hint covers. */
async function findCoveredByHint(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    const note = document.querySelector('.hint')
    if (note === null || !note.checkVisibility({ checkVisibilityCSS: true })) return ['no hint']
    const box = note.getBoundingClientRect()
    const isOver = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return box.left < right && box.right > left && box.top < bottom && box.bottom > top
    }
    const [isOut] = [box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight]
    const others = [
      ...document.querySelectorAll('.has-hint, .composer, .bottom-bar, [data-row]'),
      document.activeElement,
    ]
    const hidden = others.filter((one) => one !== null && !one.contains(note) && isOver(one))
    return [...(isOut ? ['out of view'] : []), ...hidden.map((one) => one?.outerHTML.slice(0, 80) ?? '')]
  })
}

/** Sizes of windows. The last two are a wide and a medium window at 200% zoom. */
const WINDOW_SIZES = [
  [1440, 900],
  [768, 1024],
  [360, 740],
  [320, 640],
  [720, 450],
  [384, 512],
] as const

describe.skipIf(!hasBrowser)('hints for new people', () => {
  it('never covers the explained control, messages, the composer, or the focus with a hint at any width', async () => {
    const { page, friend } = await openAsNewcomer('beans')
    const row = page.getByRole('article').filter({ hasText: 'They sprout' })
    for (const text of [INBOX_HINT, TOPIC_HINT, RESOLVE_HINT]) {
      for (const [width, height] of WINDOW_SIZES) {
        await page.setViewportSize({ width, height })
        // Narrow windows show the control only in a menu.
        if (text === RESOLVE_HINT && width < 1000) continue
        await hint(page, text).waitFor()
        await expect.poll(async () => [width, await findCoveredByHint(page)]).toEqual([width, []])
        await row.focus()
        await expect.poll(async () => [width, await findCoveredByHint(page)]).toEqual([width, []])
        await composer(page).focus()
        // While a text field has the focus, a phone hides the navigation that the hint explains.
        const isHidden = text === INBOX_HINT && width < 768
        await expect
          .poll(async () => [width, await findCoveredByHint(page)])
          .toEqual([width, isHidden ? ['no hint'] : []])
        await composer(page).blur()
        // The navigation returns after the tap that moves the focus.
        if (width < 768) await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await hint(page, text).waitFor()
      await gotItButton(page).click()
    }
    await expect.poll(async () => fetchPendingHints(friend)).not.toContain('intro_resolve_topic')
  })

  it('moves a hint aside when messages that load later would be covered', async () => {
    const { page } = await openAsNewcomer('radishes', 360, 740)
    const { isHeld, release } = await holdRequests(page, 'GET', '**/api/v1/messages?*')
    await page.reload()
    await isHeld
    await hint(page, INBOX_HINT).waitFor()
    await release()
    await page.getByRole('article').filter({ hasText: 'They sprout' }).waitFor()
    await expect.poll(async () => findCoveredByHint(page)).toEqual([])
  })

  it('closes a hint on Escape without leaving the composer, and only after dialogs above it', async () => {
    const { page } = await openAsNewcomer('peas')
    await composer(page).focus()
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await hint(page, INBOX_HINT).waitFor()
    await composer(page).focus()
    await page.keyboard.press('Escape')
    await gotItButton(page).waitFor({ state: 'detached' })
    expect(await isComposerFocused(page)).toBe(true)
    await page.keyboard.press('Escape')
    expect(await isComposerFocused(page)).toBe(false)
    expect(await gotItButton(page).count()).toBe(0)
  })

  it('closes a hint in all clients when the person types, and shows no other hint in that view', async () => {
    const { page, friend, channelId, path } = await openAsNewcomer('roses')
    const other = await openPage(friend, path, { hasHints: true, viewport: { width: 360, height: 740 } })
    await hint(other, INBOX_HINT).waitFor()
    await composer(page).focus()
    await page.keyboard.type('Red ones')
    for (const one of [page, other]) await hint(one, INBOX_HINT).waitFor({ state: 'detached' })
    expect(await gotItButton(page).count()).toBe(0)
    expect(await composer(page).inputValue()).toBe('Red ones')
    expect(await isComposerFocused(page)).toBe(true)
    await say(friend, channelId, 'lilies', 'White ones')
    await show(page, `/c/${channelId}/t/lilies`)
    await hint(page, RESOLVE_HINT).waitFor()
    await show(page, path)
    await hint(page, RESOLVE_HINT).waitFor()
    for (const text of [INBOX_HINT, TOPIC_HINT]) expect(await hint(page, text).count()).toBe(0)
  })

  it('never moves the focus to a hint, and returns the focus from a hint closed by keyboard', async () => {
    const { page } = await openAsNewcomer('tulips')
    await composer(page).focus()
    await gotItButton(page).click()
    await hint(page, TOPIC_HINT).waitFor()
    expect(await isComposerFocused(page)).toBe(true)
    await gotItButton(page).focus()
    await page.keyboard.press('Enter')
    await hint(page, TOPIC_HINT).waitFor({ state: 'detached' })
    expect(await isComposerFocused(page)).toBe(true)
  })

  it('closes a hint in all clients once the browser that closed it offline reconnects', async () => {
    const { page, friend } = await openAsNewcomer('weeds')
    await page.context().setOffline(true)
    await gotItButton(page).click()
    await hint(page, INBOX_HINT).waitFor({ state: 'detached' })
    expect(await fetchPendingHints(friend)).toContain('intro_inbox_view_modal')
    await page.context().setOffline(false)
    await expect
      .poll(async () => fetchPendingHints(friend), { timeout: 15_000 })
      .not.toContain('intro_inbox_view_modal')
  })
})
