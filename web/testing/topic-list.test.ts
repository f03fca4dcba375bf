import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, show, useBrowser } from './browser.ts'
import { waitUntilStored, loseConnection } from './kept.ts'
import { list, say, createTeamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('topics of a channel', () => {
  it('retries a failed topic list, and updates it live', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await friend.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
    const { stream_id: kitchen } = await owner.call('GET', '/get_stream_id', { stream: 'kitchen' })
    await say(friend, channelId, 'beans', 'They sprout')
    const id = await say(friend, channelId, 'peas', 'They climb')
    const page = await openAs(browser(), owner, '/inbox')
    let asked = 0
    await page.route(`**/users/me/${channelId}/topics*`, async (route) => {
      asked += 1
      if (asked === 1) await route.abort()
      else await route.continue()
    })
    await page.getByRole('navigation').getByRole('link', { name: 'garden' }).click()
    const main = page.getByRole('main')
    await main.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await waitUntilListed(page, ['peas', 'beans'])
    await main.getByPlaceholder('Message #garden', { exact: true }).waitFor()
    // Outside the list, which keeps its order while the pointer is in it.
    await page.mouse.move(-1, -1)
    await say(friend, channelId, 'beans', 'They climb as well')
    await say(friend, kitchen, 'lunch', 'Pea soup')
    await waitUntilListed(page, ['beans', 'peas'])
    expect(asked).toBe(2)
    const moved = { topic: 'roses', propagate_mode: 'change_all', send_notification_to_new_thread: false }
    await owner.call('PATCH', `/messages/${id}`, moved)
    await waitUntilListed(page, ['beans', 'roses'])
    await owner.call('DELETE', `/messages/${id}`)
    await waitUntilListed(page, ['beans'])
  })

  it('shows the last message of each topic with one request, and does not change row heights', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'They **climb**, [look](https://example.com)')
    await say(owner, channelId, 'peas', 'Who grew it?\n\n```spoiler Answer\nThe gardener\n```')
    const page = await openAs(browser(), owner, '/channels')
    let answer = (): void => undefined
    const isWanted = new Promise<void>((resolve) => {
      answer = resolve
    })
    let asked = 0
    await page.route('**/api/v1/messages?*', async (route) => {
      asked += 1
      await isWanted
      await route.continue()
    })
    await page.getByRole('navigation').getByRole('link', { name: 'garden' }).click()
    await waitUntilListed(page, ['peas', 'beans'])
    const before = await topicRow(page, 'beans').boundingBox()
    await expect.poll(() => asked).toBe(1)
    answer()
    await topicRow(page, 'beans').getByText('Fred Friend: They climb, look').waitFor()
    expect(await topicRow(page, 'beans').boundingBox()).toEqual(before)
    await topicRow(page, 'peas').getByText('Who grew it? Answer', { exact: false }).waitFor()
    expect(await topicRow(page, 'peas').textContent()).not.toContain('gardener')
    expect(asked).toBe(1)
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      expect([width, await accessibilityFaults(page)]).toEqual([width, []])
    }
    await owner.call('POST', `/users/me/muted_users/${friend.id}`)
    await topicRow(page, 'beans').getByText('Muted person').waitFor()
    expect(await topicRow(page, 'beans').textContent()).not.toMatch(/Fred|climb/)
  })

  it('lists the topics of stored messages offline, with snippets', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'They sprout')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { serviceWorkers: 'allow' })
    await list(page).getByText('They sprout').waitFor()
    await waitUntilStored(page, 'They sprout')
    await loseConnection(page)
    await say(friend, channelId, 'peas', 'They climb')
    await page.reload()
    await list(page).getByText('They sprout').waitFor()
    await show(page, `/c/${channelId}`)
    await topicRow(page, 'beans').getByText('Fred Friend: They sprout').waitFor()
    expect(await topicRow(page, 'peas').count()).toBe(0)
    await page.context().setOffline(false)
    await topicRow(page, 'peas').getByText('Fred Friend: They climb').waitFor()
  })
})

const topicRow = (page: Page, topic: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^${topic}`) })

async function waitUntilListed(page: Page, topics: readonly string[]): Promise<void> {
  const links = page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect
    .poll(async () => (await links.allTextContents()).map((text) => /^(beans|peas|roses)?/.exec(text)?.[0]))
    .toEqual(topics)
}
