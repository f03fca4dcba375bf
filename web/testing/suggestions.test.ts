import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, createChannel, fetchTopicContents, list, say, withChannel } from './team.ts'

const { team, visit } = useTeam()

const GUEST_ROLE = 600

const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const warnings = (page: Page) => page.getByRole('list', { name: 'Before you send' })

describe.skipIf(!hasBrowser)('suggestions in the composer', () => {
  it('suggests participants, then DM partners, channel members, and others, with presence and role', async () => {
    const { owner, channel, channelId, user } = await withChannel(await team())
    const [author, partner, member] = [
      await user('Pia Participant'),
      await user('Paul Partner', { role: GUEST_ROLE }),
      await user('Paula Member'),
    ]
    await user('Pam Other')
    for (const one of [author, member]) await one.subscribe([channel])
    await owner.call('POST', '/messages', { type: 'direct', to: [partner.id], content: 'Hello' })
    await say(author, channelId, 'plums', 'Ripe')
    const page = await visit(owner, `/c/${channelId}/t/plums`)
    await list(page).getByText('Ripe').waitFor()
    await composer(page).focus()
    await page.keyboard.type('@p')
    await expect
      .poll(async () => (await options(page).allTextContents()).map((text) => /^\w+/.exec(text)?.[0]))
      .toEqual(['Pia', 'Paul', 'Paula', 'Pam'])
    await options(page).filter({ hasText: 'Paul Partner' }).getByText('Guest', { exact: true }).waitFor()
    await composer(page).fill('')
    await page.keyboard.type('@olivia')
    await page.getByRole('option', { name: /^Olivia Owner.*, active Owner/ }).waitFor()
  })

  it('suggests joined channels first, and describes channels without Markdown', async () => {
    const { owner, friend, channelId } = await team()
    await createChannel(friend, 'quince alley', [], { principals: [friend.id] })
    const subscriptions = [{ name: 'quinces', description: '**Tall** trees, see [the plan](https://example.com)' }]
    await owner.call('POST', '/users/me/subscriptions', { subscriptions })
    const page = await visit(owner, `/c/${channelId}/t/quinces`)
    await composer(page).focus()
    await page.keyboard.type('#quince')
    await expect
      .poll(() => options(page).allTextContents())
      .toEqual(['#quincesTall trees, see the plan', '#quince alley'])
  })

  it('explains slash commands while typing, and corrects unknown and misplaced commands', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/commands`)
    await composer(page).focus()
    await page.keyboard.type('/')
    await expect
      .poll(() => options(page).allTextContents())
      .toEqual(['/pollCreate a poll', '/todoShare a to-do list', '/meDescribe an action'])
    await page.keyboard.type('t')
    await expect.poll(() => options(page).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.keyboard.type('Move')
    await warnings(page).getByText('Put each task on its own line. Enter starts a new line.').waitFor()
    await page.keyboard.type('\nBoxes')
    await expect.poll(() => warnings(page).count()).toBe(0)
    await composer(page).fill('')
    await page.keyboard.type('/dance all night')
    await warnings(page).getByText('“/dance” isn’t a command. It will be sent as text.').waitFor()
    expect(await warnings(page).getByRole('button').count()).toBe(0)
    await composer(page).fill('')
    await page.keyboard.type(' /poll Where?\nIn')
    await warnings(page).getByText('“/poll” works only at the start of a message.').waitFor()
    await warnings(page).getByRole('button', { name: 'Use /poll' }).click()
    expect(await composer(page).inputValue()).toBe('/poll Where?\nIn')
    await composer(page).fill('')
    await page.keyboard.type('/Polls Where?\nIn')
    await warnings(page).getByRole('button', { name: 'Use /poll' }).click()
    await page.keyboard.press('Control+Enter')
    await list(page).getByRole('group', { name: 'Poll: Where?' }).waitFor()
    expect(await fetchTopicContents(owner, channelId, 'commands')).toHaveLength(1)
  })
})
