import { describe, expect, it } from 'vitest'
import { waitUntilStored, readStoredJson, loseConnection } from './kept.ts'
import { addressOf, openAnotherTab, countRequests, hasBrowser, openAs } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, list, say, createTeamOn, type Team } from './team.ts'

const { server, browser, openPage } = useTeam()
const team = async (options?: { readonly password: string }): Promise<Team> => createTeamOn(server(), options)

describe.skipIf(!hasBrowser)('offline use', () => {
  it('opens offline, shows previously loaded messages, and sends queued messages later', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'They are **sprouting**')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    await list(page).getByText('sprouting').waitFor()
    await waitUntilStored(page, 'sprouting')
    await loseConnection(page)
    await page.goto(addressOf(owner, path))
    await list(page).getByText('sprouting').waitFor()
    const nav = page.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^Fred Friend/ }).waitFor()
    await page.getByText('You’re offline. You can keep reading').last().waitFor()
    await composer(page).fill('Written on the train')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Waiting for a connection').waitFor()
    await say(friend, channelId, 'beans', 'Meanwhile')
    await page.reload()
    await list(page).getByText('Written on the train').waitFor()
    await page.context().setOffline(false)
    await list(page).getByText('Meanwhile').waitFor()
    await expect.poll(() => list(page).getByText('Waiting for a connection').count()).toBe(0)
    expect(await fetchContents(friend)).toContain('<p>Written on the train</p>')
    await expect.poll(() => page.getByText('You’re offline').count()).toBe(0)
  })

  it('deletes the stored state of a person who signs out', async () => {
    const { owner, friend, channelId } = await team()
    await say(owner, channelId, 'beans', 'A secret of ours')
    const page = await openPage(friend, `/c/${channelId}/t/beans`)
    await list(page).getByText('A secret of ours').waitFor()
    await waitUntilStored(page, 'A secret of ours')
    await page
      .getByRole('button', { name: /Fred Friend/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    expect(await readStoredJson(page)).toBe('[[],[]]')
  })
})

describe.skipIf(!hasBrowser)('tabs of a browser', () => {
  it('shares one event stream between tabs, and moves it to another tab when the leading tab closes', async () => {
    const { owner, friend, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const first = await openPage(owner, path)
    await composer(first).waitFor()
    const [registrations, streams] = [
      countRequests(first.context(), '/register'),
      countRequests(first.context(), '/events'),
    ]
    const second = await openAnotherTab(first, path)
    const third = await openAnotherTab(first, '/inbox')
    await composer(second).waitFor()
    await say(friend, channelId, 'beans', 'For all tabs')
    for (const tab of [first, second]) await list(tab).getByText('For all tabs').waitFor()
    await third
      .getByRole('main')
      .getByRole('link', { name: /For all tabs/ })
      .waitFor()
    expect([registrations(), streams()]).toEqual([0, 0])
    await first.close()
    await say(friend, channelId, 'beans', 'After it was closed')
    await list(second).getByText('After it was closed').waitFor()
    await third
      .getByRole('main')
      .getByRole('link', { name: /After it was closed/ })
      .waitFor()
    expect([registrations(), streams()]).toEqual([0, 1])
  })

  it('shows a sent message once in every tab, and signs out every tab', async () => {
    const { owner, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const first = await openPage(owner, path)
    const second = await openAnotherTab(first, path)
    await composer(second).fill('From the second')
    await second.keyboard.press('Control+Enter')
    for (const tab of [first, second]) {
      await list(tab)
        .getByRole('article', { name: /Olivia Owner, \d/ })
        .getByText('From the second')
        .waitFor()
      expect(await list(tab).getByRole('article').count()).toBe(1)
    }
    await second
      .getByRole('button', { name: /Olivia Owner/ })
      .first()
      .click()
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    await first.getByLabel('Password').waitFor()
  })
})
