import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loadEmojiNames } from '../../server/src/platform/markdown/emoji/names.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, type Team, withChannel } from './team.ts'

const { team, visit } = useTeam()
const teamWithChannel = async (): Promise<Team> => withChannel(await team())

const row = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const picker = (page: Page) => page.getByRole('dialog')
const search = (page: Page) => picker(page).getByRole('searchbox')

async function openPicker(page: Page, text: string): Promise<void> {
  await row(page, text).focus()
  await page.keyboard.press(':')
  await picker(page).waitFor()
}

async function fetchReactions(user: TestUser, id: number): Promise<string[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.reactions.map(({ emoji_code }) => emoji_code)
}

describe.skipIf(!hasBrowser)('emoji picker', () => {
  it('offers frequently used emoji in the toolbar of a message, also on narrow screens', async () => {
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

it.each(['en', 'de'])('names exactly the emoji of the server in the language %s', async (language) => {
  const { namesByCode } = await loadEmojiNames()
  const lines = readFileSync(new URL(`../src/strings/${language}/emoji.txt`, import.meta.url), 'utf8').split('\n')
  const codes = lines.filter((line) => /^[0-9a-f-]+\+?\t/.test(line)).map((line) => line.replace(/\+?\t.*/, ''))
  expect(codes.toSorted()).toEqual([...namesByCode.keys()].toSorted())
})
