import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { leaveComposer, list, say } from './team.ts'
import { faultsInThemes } from './usable.ts'

const { team, visit } = useTeam()

const LONG_OPTION = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

const voteContent = (option: number, by: 1 | -1): string =>
  JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: by })

async function vote(user: TestUser, id: number, option: number): Promise<void> {
  await user.call('POST', '/submessage', { message_id: id, msg_type: 'widget', content: voteContent(option, 1) })
}

async function fetchVotes(user: TestUser, id: number): Promise<string[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.submessages.slice(1).map(({ content }) => content)
}

function countTextLines(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return new Set([...range.getClientRects()].map(({ top }) => top)).size
}

describe.skipIf(!hasBrowser)('polls', () => {
  it("shows a poll's percentages and voters, lists full names on request, and fits long options on phones", async () => {
    const { owner, friend, channelId, user } = await team()
    const voters = await Promise.all(['Ann Archer', 'Ann Baker', 'Cy Cole'].map((name) => user(name)))
    await Promise.all(voters.map((one) => one.subscribe(['garden'])))
    const id = await say(friend, channelId, 'lunch', `/poll Where?\n${LONG_OPTION}\nOut`)
    for (const one of [friend, owner, ...voters]) await vote(one, id, 0)
    await vote(friend, id, 1)
    const page = await visit(owner, `/c/${channelId}/t/lunch`)
    const poll = list(page).getByRole('group', { name: 'Poll: Where?' })
    await poll.getByText('5 people voted').waitFor()
    await poll.getByRole('button', { name: `${LONG_OPTION}: 5 votes, 100%`, exact: true, pressed: true }).waitFor()
    await poll.getByRole('button', { name: 'Out: 1 vote, 20%', exact: true, pressed: false }).waitFor()
    expect(await poll.getByText('Fred', { exact: true }).count()).toBe(1)
    const names = poll.getByRole('button', { name: `Voters for ${LONG_OPTION}: You, Fred, Ann Archer, and 2 others` })
    await names.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Voters for ${LONG_OPTION}` })
    await dialog.waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'Ann Archer',
      'Ann Baker',
      'Cy Cole',
      'Fred Friend',
      'Olivia Owner',
    ])
    await page.keyboard.press('Escape')
    await expect.poll(() => names.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await faultsInThemes(page)).toEqual([])
    expect(await poll.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
    expect(await poll.getByRole('button', { name: 'Add option' }).evaluate(countTextLines)).toBe(1)
  })

  it('shows a vote immediately, undoes it with Ctrl+Z, and removes a vote that the server refuses', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'dinner', '/poll When?\nNow\nLater')
    const page = await visit(owner, `/c/${channelId}/t/dinner`)
    const option = (name: string) => list(page).getByRole('button', { name, exact: true })
    await option('Now: 0 votes, 0%').waitFor()
    await leaveComposer(page)
    const held: Route[] = []
    await page.route('**/submessage', (route) => void held.push(route))
    await option('Now: 0 votes, 0%').click()
    await option('Now: 1 vote, 100%').waitFor()
    await held[0]?.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not this one' } })
    await page.getByText('Not this one').waitFor()
    await option('Now: 0 votes, 0%').waitFor()
    await page.unroute('**/submessage')
    await option('Later: 0 votes, 0%').click()
    await expect.poll(() => fetchVotes(friend, id)).toEqual([voteContent(1, 1)])
    await option('Later: 1 vote, 100%').waitFor()
    await pressShortcut(page, 'Control+z')
    await option('Later: 0 votes, 0%').waitFor()
    expect(await fetchVotes(friend, id)).toEqual([voteContent(1, 1), voteContent(1, -1)])
  })

  it('shows the titles of polls and to-do lists in message previews', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'trips', '/poll Where to?\nLake\nHills')
    await say(friend, channelId, 'tasks', '/todo Release\nTag: the commit')
    const page = await visit(owner, `/c/${channelId}`)
    const main = page.getByRole('main')
    await main.getByRole('link').filter({ hasText: 'trips' }).getByText('Fred Friend: Poll: Where to?').waitFor()
    await main.getByRole('link').filter({ hasText: 'tasks' }).getByText('Fred Friend: To-do list: Release').waitFor()
    await show(page, '/recent')
    await main
      .getByRole('link')
      .filter({ hasText: 'tasks' })
      .getByText('To-do list: Release', { exact: false })
      .waitFor()
    expect(await main.textContent()).not.toMatch(/\/todo|\/poll/)
  })
})
