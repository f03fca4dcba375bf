import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type TestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, openAs } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, hasComposerFocus, fetchContents, list, say, type Team, createTeamOn, withChannel } from './team.ts'

const { browser, team, visit } = useTeam({}, teamWithStarredMentions)

const feed = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })

/** Creates a team whose owner finds the same messages in mentions, starred messages, and search. */
async function teamWithStarredMentions(server: TestServer): Promise<Team> {
  const made = await createTeamOn(server)
  const { owner, friend, channelId } = made
  const ids: number[] = []
  for (let index = 1; index <= 40; index += 1)
    ids.push(await say(friend, channelId, index % 4 < 2 ? 'beans' : 'peas', `@**Olivia Owner** Plant ${index}`))
  await owner.call('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'starred' })
  return made
}

describe.skipIf(!hasBrowser)('replies in message lists', () => {
  const plant = (page: Page, number: number) =>
    feed(page)
      .getByRole('article')
      .filter({ hasText: new RegExp(`Plant ${number}(?!\\d)`) })
  const topOf = async (page: Page, number: number): Promise<number> =>
    (await plant(page, number).boundingBox())?.y ?? Number.NaN

  it.each(['/mentions', '/starred', '/search?q=Plant'])(
    'replies in place at %s, next to the newest messages of the conversation',
    async (path) => {
      const { owner, friend, channelId } = await team()
      await say(friend, channelId, 'beans', 'The newest')
      const page = await visit(owner, path)
      await plant(page, 40).waitFor()
      // Messages between two results of one author are missing, so each result shows its own author and time.
      for (const number of [20, 21]) {
        await plant(page, number).getByRole('button', { name: 'Fred Friend’s profile' }).waitFor()
        await plant(page, number).getByRole('time').waitFor()
      }
      await plant(page, 20).focus()
      const top = await topOf(page, 20)
      await page.keyboard.press('r')
      await page.getByRole('region', { name: 'Newest messages in beans in garden' }).getByText('The newest').waitFor()
      await expect.poll(async () => hasComposerFocus(page)).toBe(true)
      expect(await topOf(page, 20)).toBeLessThanOrEqual(top + 1)
      await page.keyboard.type(`Watered at ${path}`)
      await page.keyboard.press('Control+Enter')
      await page.getByText('Sent to beans in garden').waitFor()
      await expect.poll(async () => (await fetchContents(friend)).at(-1)).toContain(`Watered at ${path}`)
      await expect.poll(async () => topOf(page, 20)).toBeCloseTo(top, 0)
      await page.keyboard.press('ArrowDown')
      await expect.poll(async () => plant(page, 21).evaluate((row) => row === document.activeElement)).toBe(true)
      await page.keyboard.press('r')
      await page.keyboard.type('Half an answer')
      await plant(page, 22).hover()
      await plant(page, 22).getByRole('button', { name: 'Reply', exact: true }).click()
      await expect.poll(async () => composer(page).inputValue()).toBe('')
      await page.getByRole('button', { name: 'Remove quote' }).click()
      await plant(page, 21).hover()
      await plant(page, 21).getByRole('button', { name: 'Reply', exact: true }).click()
      await expect.poll(async () => composer(page).inputValue()).toBe('Half an answer')
      await page.getByRole('button', { name: 'Remove quote' }).click()
      const before = await topOf(page, 21)
      await page.keyboard.press('Control+.')
      await list(page).getByText('Plant 40').waitFor()
      expect(await composer(page).inputValue()).toBe('Half an answer')
      await page.goBack()
      await expect.poll(async () => topOf(page, 21)).toBeCloseTo(before, 0)
      await page.goForward()
      await composer(page).fill('')
    },
  )

  it('makes sending the main action in triage once there is an answer, and reports an answer that is kept', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await owner.call('POST', '/mark_all_as_read')
    for (const topic of ['tulips', 'lilies']) await say(friend, channelId, topic, 'When?')
    const page = await visit(owner, '/triage', { viewport: { width: 320, height: 640 } })
    const step = (name: RegExp) =>
      page.getByRole('group', { name: 'Conversation actions' }).getByRole('button', { name })
    await page.getByRole('heading', { name: /lilies/ }).waitFor()
    await expect.poll(async () => step(/^Done/).getAttribute('class')).toContain('primary')
    await composer(page).fill('On Friday')
    await step(/^Send and mark as done/).waitFor()
    expect(await step(/^Send and mark as done/).getAttribute('class')).toContain('primary')
    expect(await step(/^Done/).getAttribute('class')).not.toContain('primary')
    await step(/^Done/).click()
    await page.getByRole('heading', { name: /tulips/ }).waitFor()
    const toasts = page.getByRole('main').getByRole('status')
    await toasts.getByText('Answer kept as a draft').waitFor()
    const read = toasts.getByText(/^1 message marked as read: lilies/)
    await read.waitFor()
    const bottomOf = async (part: Locator): Promise<number> => {
      const box = await part.boundingBox()
      return (box?.y ?? Number.NaN) + (box?.height ?? 0)
    }
    expect(await bottomOf(composer(page))).toBeLessThan((await read.boundingBox())?.y ?? 0)
    expect(await bottomOf(read)).toBeLessThan((await step(/^Done/).boundingBox())?.y ?? 0)
    await step(/^Mute/).click()
    await page.getByRole('heading', { name: 'All done' }).waitFor()
    await toasts.getByText('tulips muted').waitFor()
    expect(await read.count()).toBe(0)
    expect(await toasts.getByText('Answer kept as a draft').count()).toBe(0)
  })

  it('replies in place on a narrow screen, and keeps the message in view', async () => {
    const { owner, friend } = await team()
    const page = await openAs(browser(), owner, '/mentions', { viewport: { width: 320, height: 640 }, hasTouch: true })
    await plant(page, 40).tap()
    const top = await topOf(page, 40)
    await plant(page, 40).getByRole('button', { name: 'Reply', exact: true }).tap()
    await expect.poll(async () => hasComposerFocus(page)).toBe(true)
    // The list scrolls in the frame after the composer has opened.
    const overlap = async (): Promise<number> => {
      const box = await page.getByRole('form', { name: 'New message' }).boundingBox()
      const row = await plant(page, 40).boundingBox()
      return (row?.y ?? 0) + (row?.height ?? 0) - (box?.y ?? 0)
    }
    await expect.poll(overlap).toBeLessThanOrEqual(1)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.type('Watered')
    await page.getByRole('button', { name: 'Send', exact: true }).tap()
    await expect.poll(async () => (await fetchContents(friend)).at(-1)).toContain('Watered')
    await expect.poll(async () => topOf(page, 40)).toBeCloseTo(top, 0)
    expect(await page.getByRole('button', { name: 'Jump to newest' }).count()).toBe(0)
  })
})
