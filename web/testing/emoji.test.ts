import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { sendFiles } from '../../server/src/testing/files.ts'
import { loadEmojiNames } from '../../server/src/platform/markdown/emoji/names.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { indexEmoji, searchEmoji } from '../src/capabilities/reactions/emoji-search.ts'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say, type Team, withChannel } from './team.ts'

const { team, visit } = useTeam()
const teamWithChannel = async (): Promise<Team> => withChannel(await team())

const row = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const picker = (page: Page) => page.getByRole('dialog')
const search = (page: Page) => picker(page).getByRole('searchbox')
const emoji = (page: Page, name: string) => picker(page).getByRole('button', { name, exact: true })

async function openPicker(page: Page, text: string): Promise<void> {
  await row(page, text).focus()
  await page.keyboard.press(':')
  await picker(page).waitFor()
}

async function focusedName(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
}

async function fetchReactions(user: TestUser, id: number): Promise<string[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.reactions.map(({ emoji_code }) => emoji_code)
}

describe.skipIf(!hasBrowser)('emoji picker', () => {
  it('finds emoji by keywords in the language of the interface and in English', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, 'beans', 'Well done')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await openPicker(page, 'Well done')
    await search(page).fill('awesome birthday')
    await emoji(page, 'party popper').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['1f389'])
    await owner.call('PATCH', '/settings', { default_language: 'de' })
    await page.locator('html[lang=de]').waitFor()
    for (const query of ['böller', 'hooray', 'tada']) {
      await page.getByRole('article').filter({ hasText: 'Well done' }).focus()
      await page.keyboard.press(':')
      await search(page).fill(query)
      await emoji(page, 'Konfettibombe').waitFor()
      await page.keyboard.press('Escape')
    }
    await owner.call('PATCH', '/settings', { default_language: 'en' })
    await page.locator('html[lang=en]').waitFor()
  })

  it('moves through the emoji picker by arrow, Home, End, and page keys, and searches for typed text', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'keys', 'Many keys')
    const page = await visit(owner, `/c/${channelId}/t/keys`)
    await openPicker(page, 'Many keys')
    await emoji(page, 'grinning face').waitFor()
    for (const [key, name] of [
      ['ArrowDown', 'thumbs up'],
      ['ArrowRight', 'red heart'],
      ['ArrowDown', 'grinning face with big eyes'],
      ['Home', 'grinning face'],
      ['ArrowLeft', 'check mark button'],
      ['Control+End', 'flag: Wales'],
      ['PageUp', 'flag: Russia'],
      ['Control+Home', 'thumbs up'],
      ['ArrowUp', 'Search emoji'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => focusedName(page)).toBe(name)
    }
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('rocket')
    expect(await search(page).inputValue()).toBe('rocket')
    await emoji(page, 'rocket').waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows custom emoji first in a picker of constant size, and renders only emoji in or near view', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'size', 'A steady thing')
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'green' } })
      .png()
      .toBuffer()
    await sendFiles(owner, '/realm/emoji/green_leaf', [{ name: 'leaf.png', content: picture }])
    const page = await visit(owner, `/c/${channelId}/t/size`)
    await openPicker(page, 'A steady thing')
    const box = await picker(page).boundingBox()
    for (const [section, first] of [
      ['Flags', 'chequered flag'],
      ['Food and drink', 'grapes'],
      ['Custom', 'green leaf'],
    ] as const) {
      await picker(page).getByRole('button', { name: section }).click()
      const [place, title] = [emoji(page, first), picker(page).getByRole('rowheader', { name: section })]
      await expect.poll(async () => (await place.boundingBox())?.y).toBeLessThan((box?.y ?? 0) + 190)
      expect(await title.isVisible()).toBe(true)
      expect(await picker(page).boundingBox()).toEqual(box)
      expect(await picker(page).getByRole('gridcell').count()).toBeLessThan(150)
    }
    const titles = await picker(page).getByRole('rowheader').allTextContents()
    expect(titles).toEqual(['Frequently used', 'Custom', 'Smileys and emotion'])
    await page.keyboard.press('Escape')
  })

  it('inserts emoji with the last chosen skin tone, but reacts without skin tones', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, 'tones', 'Hands up')
    const page = await visit(owner, `/c/${channelId}/t/tones`)
    const openInComposer = async (): Promise<void> => {
      await composer(page).focus()
      await page.getByRole('button', { name: 'Search emoji' }).click()
    }
    await openInComposer()
    await picker(page).getByRole('radio', { name: 'Medium', exact: true }).check()
    await search(page).fill('people holding hands')
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('\u{1F9D1}\u{1F3FD}\u200D\u{1F91D}\u200D\u{1F9D1}\u{1F3FD} ')
    await openInComposer()
    expect(await picker(page).getByRole('radio', { name: 'Medium', exact: true }).isChecked()).toBe(true)
    await search(page).fill('tada')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await row(page, '\u{1F9D1}\u{1F3FD}\u200D\u{1F91D}\u200D\u{1F9D1}\u{1F3FD}')
      .getByRole('img', { name: 'tada' })
      .waitFor()
    await composer(page).pressSequentially(':victory')
    await page.getByRole('option', { name: ':victory_hand:' }).getByText('\u{270C}\u{1F3FD}').waitFor()
    await page.keyboard.press('Enter')
    await composer(page).pressSequentially(':family')
    await page.getByRole('option', { name: ':family:' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('\u{270C}\u{1F3FD} :family: ')
    await composer(page).fill('')
    await openPicker(page, 'Hands up')
    await search(page).fill('wave')
    expect(await picker(page).getByRole('radio').count()).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['1f44b'])
  })

  it("offers frequently used emoji in a message's toolbar, even on narrow screens", async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, 'often', 'Often used')
    const page = await visit(owner, `/c/${channelId}/t/often`, { viewport: { width: 320, height: 640 } })
    const offered = row(page, 'Often used')
      .getByRole('toolbar')
      .getByRole('button', { name: /^React with/ })
    const offeredNames = async () =>
      offered.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.replace('React with ', '')))
    await row(page, 'Often used').focus()
    await expect.poll(offeredNames).toEqual(['+1', 'heart', 'tada'])
    const toolbar = await row(page, 'Often used').getByRole('toolbar').boundingBox()
    expect(toolbar?.x).toBeGreaterThanOrEqual(0)
    expect((toolbar?.x ?? 0) + (toolbar?.width ?? 0)).toBeLessThanOrEqual(320)
    await offered.first().click()
    await expect.poll(() => fetchReactions(friend, id)).toEqual(['1f44d'])
    await offered.and(page.getByRole('button', { pressed: true })).click()
    await expect.poll(() => fetchReactions(friend, id)).toEqual([])
    // One use puts no emoji into the toolbar, and a removed reaction is not a use.
    const usual = ['+1', 'heart', 'tada']
    for (const [reactions, often] of [
      [['1f680'], usual],
      [[], usual],
      [['1f680'], ['+1', 'rocket', 'heart']],
    ]) {
      await openPicker(page, 'Often used')
      await search(page).fill('rocket')
      await page.keyboard.press('Enter')
      await expect.poll(() => fetchReactions(friend, id)).toEqual(reactions)
      expect(await offeredNames()).toEqual(often)
    }
  })
})

function readDescriptions(language: string): string[][] {
  const lines = readFileSync(new URL(`../src/strings/${language}/emoji.txt`, import.meta.url), 'utf8').split('\n')
  return lines.filter((line) => /^[0-9a-f-]+\+?\t/.test(line)).map((line) => line.replace('+', '').split('\t'))
}

it('finds exact names, beginnings of names, frequently used emoji, and keywords, in this order', async () => {
  const { namesByCode } = await loadEmojiNames()
  const index = readDescriptions('en').map(([code = '', label = '', keywords = '']) =>
    indexEmoji({ code, label, keywords, names: namesByCode.get(code) ?? [] }),
  )
  const find = (query: string, frequent = ['1f44d', '2705']) =>
    searchEmoji(index, query, ({ code }) => frequent.includes(code)).map(({ label }) => label)
  expect(find('thumb')[0]).toBe('thumbs up')
  expect(find('yes')[0]).toBe('thumbs up')
  expect(find('check')[0]).toBe('check mark button')
  expect(find('check mark')[0]).toBe('check mark')
  expect(find('cat face', ['1f431', '1f638'])[0]).toBe('cat face')
  expect(find('yes', ['1fae1'])[0]).toBe('saluting face')
})

it.each(['en', 'de'])('names exactly the emoji of the server in the language %s', async (language) => {
  const { namesByCode } = await loadEmojiNames()
  const codes = readDescriptions(language).map(([code = '']) => code)
  expect(codes.toSorted()).toEqual([...namesByCode.keys()].toSorted())
})
