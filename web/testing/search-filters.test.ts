import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ageMessages } from '../../server/src/testing/age.ts'
import { accessibilityFaults, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { createChannel, createNewcomer, createTeamOn, say } from './team.ts'

const { server, team, visit } = useTeam()

const field = (page: Page) => page.getByRole('combobox', { name: 'Search messages' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const quickFilter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filters' }).getByRole('button', { name, exact: true })
const filterChip = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true })
const resultsOf = (page: Page) => page.getByRole('region', { name: 'Messages' })
const resultNote = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true })

const queryOf = (page: Page): string | null => new URL(page.url()).searchParams.get('q')

async function optionNames(page: Page): Promise<string[]> {
  return page.getByRole('option').locator('bdi').allInnerTexts()
}

const DAY_SECONDS = 86_400
/** Numbers of messages 12, 11, and 10 days ago: more than a page on the second day. */
const MESSAGES_BY_DAY = [1, 65, 1] as const

/** Ages earlier messages too, so that message IDs are in order of time, as on a real server. */
async function createTeamWithOldMessages() {
  const made = await createTeamOn(server())
  const { owner, friend, channelId, id } = made
  const days: number[][] = []
  for (const [day, count] of MESSAGES_BY_DAY.entries()) {
    const ids: number[] = []
    for (let number = 1; number < count; number += 1) ids.push(await say(friend, channelId, 'log', `Entry ${number}`))
    days.push([...ids, await say(friend, channelId, 'log', `Summary ${day}`)])
  }
  const now = Math.floor(Date.now() / 1000)
  // Noon, so that no message is near midnight.
  const noon = now - (now % DAY_SECONDS) + DAY_SECONDS / 2
  const { database } = server()
  const before = { anchor: days[0]?.[0] ?? 0, include_anchor: false, num_before: 100, num_after: 0 }
  const { messages } = await owner.call('GET', '/messages', before)
  await ageMessages(
    database,
    id,
    messages.map((message) => message.id),
    20 * DAY_SECONDS,
  )
  for (const [day, ids] of days.entries()) await ageMessages(database, id, ids, now - noon + (12 - day) * DAY_SECONDS)
  const dates = [12, 11, 10].map((ago) => new Date((noon - ago * DAY_SECONDS) * 1000).toISOString().slice(0, 10))
  return { ...made, dates }
}

describe.skipIf(!hasBrowser)('search filters', () => {
  it('loads all results of a day page by page, and no results of other days', async () => {
    const { owner, dates } = await createTeamWithOldMessages()
    const [first, second, third] = dates
    const page = await visit(owner, `/search?q=on:${second}`, { timezoneId: 'UTC' })
    await resultNote(page, 'More than 60 results').waitFor()
    await resultsOf(page).getByText('Summary 1', { exact: true }).waitFor()
    await resultsOf(page).getByRole('article').first().scrollIntoViewIfNeeded()
    await resultNote(page, '65 results').waitFor()
    await resultsOf(page).getByText('Entry 1', { exact: true }).waitFor()
    const expected: readonly (readonly [string, readonly number[]])[] = [
      [`after:${second}`, [2]],
      [`before:${second}`, [0]],
      [`-after:${second}`, [0, 1]],
      [`-before:${second}`, [1, 2]],
      [`after:${first} before:${third}`, [1]],
      [`on:${first}..${second} in:#garden`, [0, 1]],
      [`on:${second} in:"garden > log" from:"Fred Friend"`, [1]],
      [`on:${second} in:"@Fred Friend"`, []],
    ]
    for (const [query, numbers] of expected) {
      await show(page, `/search?q=${encodeURIComponent(`${query} summary`)}`)
      const numbersShown = async () => {
        const texts = await resultsOf(page).getByRole('article').allInnerTexts()
        return [query, texts.map((text) => Number(/Summary (\d+)/.exec(text)?.[1]))]
      }
      await expect.poll(numbersShown).toEqual([query, numbers])
      if (numbers.length === 0) await page.getByText('No messages found').waitFor()
      else await resultNote(page, numbers.length === 1 ? '1 result' : `${numbers.length} results`).waitFor()
    }
  })

  it('completes dates in searches that are typed, suggested, or chosen in a calendar', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/search?q=', { hasClock: true, timezoneId: 'Pacific/Auckland' })
    // In Auckland, this is Wednesday, November 4.
    await page.clock.setFixedTime(new Date('2026-11-03T20:00:00Z'))
    await page.reload()
    await quickFilter(page, 'Date…').click()
    await option(page, /^on: Yesterday.*November 3/).click()
    await filterChip(page, 'on: Yesterday').waitFor()
    await expect.poll(() => queryOf(page)).toBe('on:2026-11-03')
    await page.getByRole('button', { name: 'Remove on: Yesterday' }).click()
    for (const [typed, written] of [
      ['before:last week', 'before:2026-10-25..2026-10-31'],
      ['after:mon', 'after:2026-11-02'],
      ['-before:3 days ago', '-before:2026-11-01'],
      ['on:nov 2025', 'on:2025-11'],
      ['on:dec 24', 'on:2025-12-24'],
    ] as const) {
      await field(page).fill(typed)
      await page.keyboard.press('Enter')
      await expect.poll(() => queryOf(page)).toBe(written)
      await page.getByRole('button', { name: 'Clear search' }).click()
    }
    await field(page).pressSequentially('after:')
    await option(page, 'Choose a day…').click()
    await page.getByRole('dialog', { name: 'Choose a day' }).getByLabel('Day').fill('2026-10-05')
    await page.keyboard.press('Enter')
    await filterChip(page, 'after: Mon, October 5').waitFor()
    await expect.poll(async () => field(page).evaluate((one) => one === document.activeElement)).toBe(true)
    await field(page).fill('on:yestarday')
    await option(page, /^on: Yesterday/).waitFor()
  })

  it('suggests DM partners first in search filters, and changes a filter to another value', async () => {
    const made = await team()
    const { owner, user } = made
    const zoe = await user('Zoe Zither')
    await user('Abe Archer')
    await zoe.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Good morning' })
    const page = await visit(owner, '/search?q=')
    await quickFilter(page, 'From…').click()
    await expect
      .poll(async () => (await optionNames(page)).slice(0, 3))
      .toEqual(['from: me', 'from: Zoe Zither', 'from: Abe Archer'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await filterChip(page, 'from: Zoe Zither').waitFor()
    await resultsOf(page).getByText('Good morning').waitFor()
    await filterChip(page, 'from: Zoe Zither').click()
    await option(page, /^from: Abe Archer/).waitFor()
    await page.keyboard.type('fred')
    await page.keyboard.press('Enter')
    await filterChip(page, 'from: Fred Friend').waitFor()
    await expect.poll(() => queryOf(page)).toBe('from:"Fred Friend"')
    await quickFilter(page, 'Is…').click()
    await option(page, /^is: unread/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('corrects mistyped filters and names, but suggests no hidden channel', async () => {
    const made = await team()
    const { friend, channelId } = made
    await createChannel(friend, 'gardens', [], { invite_only: true })
    await say(friend, channelId, 'beans', 'A needle')
    const page = await visit(await createNewcomer(made), '/search?q=')
    for (const typed of ['form:fred', 'fron:fred']) {
      await field(page).fill(typed)
      await option(page, 'Did you mean from:fred?').click()
      await expect.poll(() => field(page).inputValue()).toBe('from:fred')
    }
    await field(page).fill('chanel:gardns')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Did you mean channel:garden?' }).waitFor()
    expect(await page.getByRole('link', { name: /Did you mean/ }).count()).toBe(1)
    await field(page).fill('in:#gardns')
    await expect.poll(async () => optionNames(page)).toEqual(['in: #garden'])
    await expect.poll(() => queryOf(page)).toBe('')
    await field(page).fill('from:fred needle')
    await expect.poll(() => queryOf(page)).toBe('from:"Fred Friend" needle')
    await show(page, '/search?q=from%3A%22Fred+Freind%22+needle')
    await page.getByRole('link', { name: 'Did you mean from:"Fred Friend"?' }).click()
    await expect.poll(() => queryOf(page)).toBe('from:"Fred Friend" needle')
  })

  it('completes a filter typed in the palette, and replaces all selected filters with typed text', async () => {
    const { owner, friend, channelId, user } = await team()
    await say(friend, channelId, 'beans', 'fre beans')
    await user('Gina Green')
    const page = await visit(owner, '/search?q=')
    await field(page).fill('fre')
    const results = await resultNote(page, '1 result').boundingBox()
    const suggestion = await option(page, /^from: Fred Friend/).boundingBox()
    // Suggestions for words leave the results uncovered.
    expect((suggestion?.y ?? 999) + (suggestion?.height ?? 0)).toBeLessThan(results?.y ?? 0)
    await show(page, '/inbox')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('from:fre')
    await option(page, 'Search messages for “from:fre”').waitFor()
    expect(await optionNames(page)).toEqual(['Search messages for “from:fre”'])
    await page.keyboard.press('Enter')
    await filterChip(page, 'from: Fred Friend').waitFor()
    await expect.poll(() => queryOf(page)).toBe('from:"Fred Friend"')
    await expect.poll(() => field(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('from:gin')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await expect.poll(() => queryOf(page)).toBe('from:"Gina Green"')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    await expect.poll(() => queryOf(page)).toBe('')
  })
})
