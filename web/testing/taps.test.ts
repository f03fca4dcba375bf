import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say, createTeamOn, type Team } from './team.ts'
import type { TestServer } from '../../server/src/testing/server.ts'

const { team, visit } = useTeam({}, withMessages)

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

const main = (page: Page) => page.getByRole('main')
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })

async function withMessages(server: TestServer): Promise<Team> {
  const made = await createTeamOn(server)
  for (let line = 0; line < 12; line += 1) {
    await say(line % 2 === 0 ? made.owner : made.friend, made.channelId, 'beans', `Line ${line}`)
  }
  return made
}

async function topicOnPhone() {
  const made = await team()
  const page = await visit(made.owner, `/c/${made.channelId}/t/beans`, PHONE)
  await list(page).getByText('Line 11').waitFor()
  return { ...made, page }
}

/** Taps an option, and returns what received the click: a list that closes too early passes it to a message. */
async function tapOption(page: Page, name: RegExp): Promise<string | null | undefined> {
  const option = page.getByRole('option', { name }).first()
  await option.waitFor()
  const clicked = page.evaluate(
    async () =>
      new Promise<string | null | undefined>((resolve) => {
        const options = { capture: true, once: true }
        const roleOf = ({ target }: Event) =>
          target instanceof Element && target.closest('[role]')?.getAttribute('role')
        globalThis.addEventListener('click', (event) => resolve(roleOf(event) || undefined), options)
      }),
  )
  await option.tap()
  return clicked
}

const hasFocus = async (field: Locator) => field.evaluate((element) => element === document.activeElement)

describe.skipIf(!hasBrowser)('settings on a phone', () => {
  it('opens each page at its top under its name, and goes back to the same place in the list', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings', PHONE)
    const topOf = async (name: string, level: 1 | 2): Promise<number> =>
      main(page)
        .getByRole('heading', { name, exact: true, level })
        .evaluate((heading) => heading.getBoundingClientRect().top)
    for (const name of ['Permissions', 'Joining and accounts']) {
      const link = main(page).getByRole('link', { name, exact: true })
      await link.scrollIntoViewIfNeeded()
      const before = await link.boundingBox()
      await link.tap()
      await main(page).getByRole('heading', { name, level: 1 }).waitFor()
      const [bar, heading] = [await topOf(name, 1), await topOf(name, 2)]
      expect(heading).toBeGreaterThan(bar)
      expect(heading).toBeLessThan(bar + 120)
      await main(page)
        .getByRole('combobox')
        .last()
        .evaluate((field) => field.scrollIntoView())
      expect(await topOf(name, 2)).toBeLessThan(bar)
      await main(page).getByRole('button', { name: 'Go back' }).tap()
      await main(page).getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
      await expect.poll(async () => link.boundingBox()).toEqual(before)
    }
  })
})

describe.skipIf(!hasBrowser)('choosing from a list by touch', () => {
  it('chooses a person for a direct message by tap without opening what the list covered', async () => {
    const { page } = await topicOnPhone()
    await tabs(page).getByRole('button', { name: 'DMs' }).tap()
    await sidebar(page).getByRole('button', { name: 'New direct message' }).tap()
    expect(await tapOption(page, /Fred Friend/)).toBe('option')
    await composer(page).tap()
    await heading(page, /Fred Friend/).waitFor()
    await page.keyboard.type('Is it on its way?')
    expect(await composer(page).inputValue()).toBe('Is it on its way?')
    expect(await hasFocus(composer(page))).toBe(true)
    expect(await page.getByRole('button', { name: 'Remove Fred Friend' }).count()).toBe(0)
    expect(await composer(page).getAttribute('aria-label')).toContain('Fred Friend')
    await composer(page).fill('')
    await heading(page, /Fred Friend/)
      .getByRole('button')
      .tap()
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
  })

  it('completes a mention by tap without opening what the suggestions covered', async () => {
    const { page } = await topicOnPhone()
    await composer(page).tap()
    await page.keyboard.type('@Fred')
    expect(await tapOption(page, /Fred Friend/)).toBe('option')
    await page.keyboard.type('hi')
    expect(await composer(page).inputValue()).toBe('@**Fred Friend** hi')
    await composer(page).fill('')
  })

  it('scrolls a list of choices with a finger without choosing', async () => {
    const { page } = await topicOnPhone()
    await composer(page).tap()
    await page.keyboard.type('@Fred')
    const box = await page.getByRole('option', { name: /Fred Friend/ }).boundingBox()
    const debug = await page.context().newCDPSession(page)
    const { x, y } = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 10 }
    await debug.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    await debug.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y - 60 }] })
    await debug.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    expect(await composer(page).inputValue()).toBe('@Fred')
    await composer(page).fill('')
  })

  it('completes a search by tap without opening what the suggestions covered', async () => {
    const { page } = await topicOnPhone()
    await tabs(page).getByRole('link', { name: 'Search' }).tap()
    const field = page.getByRole('combobox', { name: 'Search messages' })
    await field.fill('Line')
    await main(page)
      .getByText(/12 results/)
      .waitFor()
    await page.keyboard.type(' sender:Fre')
    expect(await tapOption(page, /Fred Friend/)).toBe('option')
    await main(page)
      .getByRole('button', { name: /sender:/ })
      .first()
      .waitFor()
    expect(await hasFocus(field)).toBe(true)
  })

  it('opens what was tapped while the composer had the focus', async () => {
    const { page } = await topicOnPhone()
    await composer(page).tap()
    const author = list(page).locator('.message-author').last()
    await author.tap()
    await page.getByRole('dialog', { name: 'Fred Friend' }).waitFor()
    expect(await hasFocus(composer(page))).toBe(false)
  })
})

const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name, level: 1 })

/** Shows the list of channels, the list of direct messages, or a view. */
async function openTab(page: Page, name: string): Promise<void> {
  await tabs(page)
    .getByRole(/Inbox|Search/.test(name) ? 'link' : 'button', { name })
    .tap()
  if (name === 'Channels') await sidebar(page).getByRole('link', { name: 'Recent' }).waitFor()
  if (name === 'DMs') await sidebar(page).getByRole('button', { name: 'New direct message' }).waitFor()
}

describe.skipIf(!hasBrowser)('destinations on a phone', () => {
  it.each(['Inbox', 'Channels', 'DMs', 'Search'])('opens settings and other tabs from the %s tab', async (tab) => {
    const { page } = await topicOnPhone()
    for (const [item, title] of [
      ['Your profile', /^Your profile/],
      ['Settings', /^Settings/],
    ] as const) {
      await openTab(page, tab)
      await tabs(page).getByRole('button', { name: 'You' }).tap()
      await page.getByRole('menuitem', { name: item }).tap()
      await heading(page, title).waitFor()
      expect(await sidebar(page).isVisible()).toBe(false)
    }
    for (const other of ['Inbox', 'Search']) {
      await openTab(page, tab)
      await openTab(page, other)
      await heading(page, new RegExp(other)).waitFor()
    }
  })

  it('shows a view chosen in the palette, even if the list of DMs covered the screen', async () => {
    const { page } = await topicOnPhone()
    await openTab(page, 'DMs')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to/ }).fill('Recent')
    await page.getByRole('option', { name: 'Recent conversations' }).tap()
    await heading(page, /Recent/).waitFor()
    expect(await sidebar(page).isVisible()).toBe(false)
  })

  it('shows the composer for a new topic, even if the list of channels covered the screen', async () => {
    const { page } = await topicOnPhone()
    await openTab(page, 'Channels')
    await page.keyboard.press('c')
    await expect.poll(async () => hasFocus(page.getByRole('combobox', { name: 'Topic' }))).toBe(true)
  })

  it('shows the composer when a person is mentioned from the details panel', async () => {
    const { page } = await topicOnPhone()
    await main(page).getByRole('button', { name: 'Details' }).tap()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel
      .getByRole('button', { name: /Fred Friend/ })
      .first()
      .tap()
    await page.getByRole('dialog', { name: 'Fred Friend' }).getByRole('button', { name: 'Mention' }).tap()
    await expect.poll(async () => hasFocus(composer(page))).toBe(true)
    expect(await composer(page).inputValue()).toContain('Fred Friend')
    await composer(page).fill('')
  })
})

describe.skipIf(!hasBrowser)('drafts on a phone', () => {
  it('marks conversations with drafts in the lists of direct messages and topics', async () => {
    const { page, owner, user, channelId } = await topicOnPhone()
    const { id } = await user('Nora New')
    const [direct, topic] = [
      sidebar(page).getByRole('link', { name: /^Nora New/ }),
      main(page).getByRole('link', { name: /^beans/ }),
    ]
    // Removes the draft of an earlier test.
    await composer(page).fill('')
    await show(page, `/dm/${id}`)
    await composer(page).fill('Nora, is the delivery of')
    await expect.poll(async () => JSON.stringify(await owner.call('GET', '/drafts'))).toContain('the delivery of')
    await show(page, `/c/${channelId}`)
    await topic.waitFor()
    await expect.poll(() => topic.textContent()).not.toContain('draft')
    await openTab(page, 'DMs')
    await direct.waitFor()
    expect(await direct.textContent()).toMatch(/draft/)
    await direct.tap()
    await composer(page).fill('')
    await show(page, `/c/${channelId}/t/beans`)
    await composer(page).fill('I will buy candles and')
    await show(page, `/c/${channelId}`)
    await topic.getByText('draft').waitFor()
    await topic.tap()
    await composer(page).fill('')
    // The bar is hidden while the composer has the focus.
    await composer(page).blur()
    await openTab(page, 'DMs')
    await direct.waitFor({ state: 'detached' })
  })
})
