import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, createChannel, fetchTopicContents, list, say, withChannel } from './team.ts'

const { team, visit } = useTeam()

const GUEST_ROLE = 600

const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const warnings = (page: Page) => page.getByRole('list', { name: 'Before you send' })

/** Returns the distances of an element's upper and lower ends from the top of the window. */
async function edgesOf(element: Locator): Promise<{ top: number; bottom: number }> {
  return element.evaluate((one) => one.getBoundingClientRect())
}

describe.skipIf(!hasBrowser)('suggestions in the composer', () => {
  it('suggests names and topics without covering the destination or leaving the window', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await say(friend, channelId, 'pears', 'Ripe')
    const page = await visit(owner, `/c/${channelId}/t/pears`)
    await list(page).getByText('Ripe').waitFor()
    await composer(page).focus()
    await page.keyboard.type('@')
    await options(page).last().waitFor()
    const destination = page.getByRole('group', { name: 'To', exact: true })
    expect((await edgesOf(options(page).last())).bottom).toBeLessThan((await edgesOf(destination)).top)
    await composer(page).fill('Sweet')
    await page.getByRole('button', { name: 'Expand composer' }).click()
    await page.getByRole('combobox', { name: 'Topic', exact: true }).fill('pea')
    const topic = await edgesOf(page.getByRole('option', { name: 'pears', exact: true }))
    expect(topic.top).toBeGreaterThanOrEqual((await edgesOf(destination)).bottom)
    expect(topic.bottom).toBeLessThan((await edgesOf(composer(page))).bottom)
  })

  it('tints mentions of known people and files, exactly behind their text', async () => {
    const { owner, channelId } = await team()
    const file = `[plan.txt](${await upload(owner, 'plan.txt', 'x')})`
    const page = await visit(owner, `/c/${channelId}/t/tints`)
    await composer(page).focus()
    await composer(page).fill(`To @**Fred Friend**, @**Nobody** and \`@**Fred Friend**\`: ${file}\n`.repeat(30))
    const marks = page.getByRole('form', { name: 'New message' }).locator('mark')
    await expect
      .poll(async () => (await marks.allTextContents()).slice(0, 3))
      .toEqual(['@**Fred Friend**', file, '@**Fred Friend**'])
    await page.keyboard.press('Control+End')
    const shapeOf = async (element: Locator) =>
      element.evaluate(({ scrollTop, scrollHeight, clientWidth }) => [scrollTop, scrollHeight, clientWidth])
    expect((await shapeOf(composer(page)))[0]).toBeGreaterThan(0)
    await expect.poll(async () => shapeOf(marks.first().locator('..'))).toEqual(await shapeOf(composer(page)))
    await composer(page).fill('')
  })

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
      .toEqual(['quincesTall trees, see the plan', 'quince alley'])
  })

  it('suggests slash commands, and warns about unknown and misplaced commands', async () => {
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

  it('suggests bot commands after built-in commands, if the bot can read the conversation', async () => {
    const { owner, friend, channelId } = await team()
    const payload_url = 'https://hooks.example.org/commands'
    const input = { full_name: 'Ship Bot', short_name: 'ship', bot_type: 3, payload_url }
    const { user_id: botId } = await friend.call('POST', '/bots', input)
    const commands = [
      { name: 'deploy', description: 'Deploy a service', argument_hint: '[service] [version]' },
      { name: 'deploy-status', description: 'Show the status of deployments' },
    ]
    await friend.call('PUT', `/bots/${botId}/commands`, { commands })
    const page = await visit(owner, `/c/${channelId}/t/ships`)
    await composer(page).focus()
    await page.keyboard.type('/')
    await expect
      .poll(async () => (await options(page).allTextContents()).slice(3))
      .toEqual([
        '/deploy [service] [version]Deploy a serviceShip Bot',
        '/deploy-statusShow the status of deploymentsShip Bot',
      ])
    expect(await accessibilityFaults(page)).toEqual([])
    // Events change the open list.
    await friend.call('PUT', `/bots/${botId}/commands`, { commands: [...commands, { ...commands[1], name: 'sail' }] })
    await options(page).filter({ hasText: '/sail' }).waitFor()
    await page.keyboard.type('stat')
    await expect.poll(() => options(page).allTextContents()).toEqual([expect.stringContaining('/deploy-status')])
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('/deploy-status ')
    await page.keyboard.type('now')
    expect(await warnings(page).count()).toBe(0)
    await composer(page).fill('')
    const secret = await createChannel(owner, 'shipyard', [friend], { invite_only: true })
    await visit(owner, `/c/${secret}/t/ships`)
    await composer(page).focus()
    await page.keyboard.type('/deploy')
    const undelivered = 'Ship Bot can’t read this conversation, so it won’t get “/deploy”.'
    await warnings(page).getByText(undelivered).waitFor()
    expect(await options(page).count()).toBe(0)
    await owner.subscribe(['shipyard'], { principals: [botId] })
    await expect.poll(() => options(page).count()).toBe(2)
    expect(await warnings(page).count()).toBe(0)
    await friend.call('DELETE', `/bots/${botId}`)
    await warnings(page).getByText('“/deploy” isn’t a command. It will be sent as text.').waitFor()
    expect(await options(page).count()).toBe(0)
  })
})
