import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { say, teamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('topics of a channel', () => {
  it('retries a failed topic list, and updates it live', async () => {
    const { owner, friend, channelId } = await teamOn(server())
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
    await isListed(page, ['peas', 'beans'])
    await say(friend, channelId, 'beans', 'They climb as well')
    await say(friend, kitchen, 'lunch', 'Pea soup')
    await isListed(page, ['beans', 'peas'])
    expect(asked).toBe(2)
    const moved = { topic: 'roses', propagate_mode: 'change_all', send_notification_to_new_thread: false }
    await owner.call('PATCH', `/messages/${id}`, moved)
    await isListed(page, ['beans', 'roses'])
    await owner.call('DELETE', `/messages/${id}`)
    await isListed(page, ['beans'])
  })
})

async function isListed(page: Page, topics: readonly string[]): Promise<void> {
  const links = page.getByRole('main').getByRole('listitem').getByRole('link')
  await expect
    .poll(async () => (await links.allTextContents()).map((text) => /^(beans|peas|roses)?/.exec(text)?.[0]))
    .toEqual(topics)
}
