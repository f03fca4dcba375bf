import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, list, say, withChannel, type Team } from './team.ts'

const { team, visit } = useTeam()

/** Opens a topic, types text, and moves the caret into it. */
async function openAndType({ owner, friend, channelId }: Team): Promise<Page> {
  await say(friend, channelId, 'beans', 'Before')
  const page = await visit(owner, `/c/${channelId}/t/beans`)
  await list(page).getByText('Before').waitFor()
  await composer(page).focus()
  await page.keyboard.type('abcdef')
  await page.keyboard.press('ArrowLeft')
  return page
}

describe.skipIf(!hasBrowser)('page that the browser pauses', () => {
  it('keeps text and caret while the tab is frozen, and then shows the messages it missed', async () => {
    const garden = await withChannel(await team())
    const page = await openAndType(garden)
    const debug = await page.context().newCDPSession(page)
    await debug.send('Page.setWebLifecycleState', { state: 'frozen' })
    await say(garden.friend, garden.channelId, 'beans', 'Meanwhile')
    await debug.send('Page.setWebLifecycleState', { state: 'active' })
    await list(page).getByText('Meanwhile').waitFor()
    await page.keyboard.type('X')
    expect(await composer(page).inputValue()).toBe('abcdeXf')
    await say(garden.friend, garden.channelId, 'beans', 'Afterward')
    await list(page).getByText('Afterward').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(garden.friend, garden.channelId, 'beans')).toContain('<p>abcdeXf</p>')
  })

  it('restores text typed right before leaving the page, and receives events after Back and Forward', async () => {
    const made = await withChannel(await team())
    const { owner, friend, channelId } = made
    const page = await openAndType(made)
    await page.keyboard.type('X')
    await page.goto(addressOf(owner, '/api/v1/server_settings'))
    await say(friend, channelId, 'beans', 'Meanwhile')
    await page.goBack()
    await list(page).getByText('Meanwhile').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('abcdeXf')
    await page.goForward()
    await page.goBack()
    await expect.poll(() => composer(page).inputValue()).toBe('abcdeXf')
    await say(friend, channelId, 'beans', 'Afterward')
    await list(page).getByText('Afterward').waitFor()
    await composer(page).fill('')
  })
})
