import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestServer, startTestServerOn, useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { composer, contentsOf, list, say, teamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()
const team = async (): Promise<Team> => teamOn(server())

describe.skipIf(!hasBrowser)('a tab that stays open', () => {
  it('goes on after a deploy, and offers to reload', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await page.route('**/login', async (route) => {
      const body = '<!doctype html><meta name="parley-build" content="anotherbuild1" />'
      await route.fulfill({ contentType: 'text/html', body })
    })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText('A newer version of Parley is there.').waitFor()
    await say(friend, channelId, 'beans', 'Still here')
    await list(page).getByText('Still here').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await list(page).getByText('Still here').waitFor()
    expect(await page.getByText('A newer version of Parley is there.').count()).toBe(0)
  })

  it('comes back by itself when the server was away, and has missed nothing', async () => {
    const away = await startTestServer(LOCAL_DOMAIN)
    const organization = await away.organization('Away')
    const { owner } = organization
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
    const page = await openAs(browser(), owner, `/c/${String(stream_id)}/t/beans`)
    await composer(page).waitFor()
    await away.parley.close()
    await composer(page).fill('Written while it was away')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Waits for a connection').waitFor()
    const again = await startTestServerOn(away.database, { ...LOCAL_DOMAIN, PORT: new URL(owner.url).port })
    onTestFinished(async () => again.close())
    await owner.call('POST', '/messages', { type: 'channel', to: stream_id, topic: 'beans', content: 'Said meanwhile' })
    await list(page).getByText('Said meanwhile').waitFor()
    await expect.poll(() => list(page).getByText('Waits for a connection').count()).toBe(0)
    const contents = await contentsOf(owner)
    expect(contents.toSorted()).toEqual(['<p>Said meanwhile</p>', '<p>Written while it was away</p>'])
  })
})
