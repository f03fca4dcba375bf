import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, createTeamOn } from './team.ts'
import { openUnloaded } from './unloaded.ts'
import { showView } from './views.ts'

const { server, browser, makeTeam, openPage } = useTeam()

const main = (page: Page) => page.getByRole('main')

async function failRequests(page: Page, path: RegExp, how: (route: Route) => Promise<void>): Promise<() => void> {
  let isFailing = true
  await page.route(path, async (route) => (isFailing ? how(route) : route.fallback()))
  return () => {
    isFailing = false
  }
}

const cutConnection = async (route: Route): Promise<void> => route.abort('connectionreset')
/** Refuses a request. The client does not retry by itself, as it would if the server were unreachable. */
const refuseRequest = async (route: Route): Promise<void> =>
  route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now' } })

const MESSAGES_REQUEST_URL = /\/api\/v1\/messages\?.*narrow/
/** More messages than one request returns. */
const MESSAGE_COUNT = 100
const DAY_SECONDS = 86_400

describe.skipIf(!hasBrowser)('lists that fail to load', () => {
  const LISTS = [
    { at: (id: number) => `/c/${id}`, path: /\/users\/me\/\d+\/topics/, how: cutConnection, shows: 'beans' },
    { at: () => '/recent', path: /\/api\/v1\/recent/, how: cutConnection, shows: 'beans' },
    { at: () => '/reminders', path: /\/api\/v1\/reminders/, how: cutConnection, shows: 'Ripe' },
    { at: (id: number) => `/c/${id}/t/beans`, path: MESSAGES_REQUEST_URL, how: refuseRequest, shows: 'Ripe' },
    { at: () => '/mentions', path: MESSAGES_REQUEST_URL, how: refuseRequest, shows: 'Ripe' },
    { at: () => '/starred', path: MESSAGES_REQUEST_URL, how: refuseRequest, shows: 'Ripe' },
    { at: () => '/reactions', path: MESSAGES_REQUEST_URL, how: refuseRequest, shows: 'Mine' },
    { at: () => '/search?q=Unread%20nowhere', path: MESSAGES_REQUEST_URL, how: refuseRequest, shows: 'Unread nowhere' },
  ] as const

  it('reports a failed load in every view, and retries on request', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const id = await say(friend, channelId, 'beans', 'Ripe @**Olivia Owner** @**all**')
    const mine = await say(owner, channelId, 'peas', 'Mine')
    await say(friend, channelId, 'far', 'Unread nowhere')
    await friend.call('POST', `/messages/${mine}/reactions`, { emoji_name: 'tada' })
    await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    const time = Math.floor(Date.now() / 1000) + DAY_SECONDS
    await owner.call('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: time })
    const page = await openPage(owner, '/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    for (const { at, path, how, shows } of LISTS) {
      const mend = await failRequests(page, path, how)
      await show(page, at(channelId))
      await main(page).getByText('Couldn’t load this.').first().waitFor()
      expect([at(channelId), await accessibilityFaults(page)]).toEqual([at(channelId), []])
      mend()
      await main(page).getByRole('button', { name: 'Try again' }).first().press('Enter')
      await main(page).getByText(shows).first().waitFor()
      expect(await main(page).getByText('Couldn’t load this.').count()).toBe(0)
    }
  })

  it('reports a failed load of older messages, and retries on request', async () => {
    const { owner, friend, channelId } = await makeTeam()
    for (let line = 0; line < MESSAGE_COUNT; line += 1) await say(friend, channelId, 'beans', `Line ${line}`)
    await owner.call('POST', '/mark_all_as_read')
    const page = await openPage(owner, '/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const mend = await failRequests(page, /anchor=\d+/, cutConnection)
    await show(page, `/c/${channelId}/t/beans`)
    await list(page)
      .getByText(`Line ${MESSAGE_COUNT - 1}`, { exact: true })
      .waitFor()
    await list(page).getByRole('article').last().press('Home')
    await main(page).getByText('Couldn’t load this.').waitFor()
    mend()
    await main(page).getByRole('button', { name: 'Try again' }).press('Enter')
    await main(page).getByText('Couldn’t load this.').waitFor({ state: 'detached' })
    await expect
      .poll(async () => {
        await page.keyboard.press('Home')
        return list(page).getByText('Line 0', { exact: true }).count()
      })
      .toBe(1)
  })

  it('reports failed loads of channel members and read receipts, and retries', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const id = await say(owner, channelId, 'beans', 'Ripe')
    await friend.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await owner.call('PATCH', '/realm', { enable_read_receipts: true })
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const mend = await failRequests(page, /\/streams\/\d+\/members|\/read_receipts/, cutConnection)
    await list(page).getByRole('article').filter({ hasText: 'Ripe' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Read by' }).click()
    const readers = page.getByRole('dialog', { name: 'Read by' })
    await readers.getByText('Couldn’t load this.').waitFor()
    mend()
    await readers.getByRole('button', { name: 'Try again' }).click()
    await readers.getByText('Fred Friend').waitFor()
    await page.keyboard.press('Escape')
    const mendAgain = await failRequests(page, /\/streams\/\d+\/members/, cutConnection)
    await main(page).getByRole('link', { name: 'garden' }).click()
    await main(page).getByRole('button', { name: 'Details' }).click()
    const panel = page.getByRole('complementary', { name: 'Details' })
    await panel.getByRole('heading', { name: '2 people' }).waitFor()
    await panel.getByText('Couldn’t load this.').waitFor()
    await main(page).getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'People' }).click()
    const people = page.getByRole('dialog', { name: 'garden' })
    await people.getByText('Couldn’t load this.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    mendAgain()
    await people.getByRole('button', { name: 'Try again' }).click()
    await people.getByText('Fred Friend').waitFor()
    expect(await people.getByText('Couldn’t load this.').count()).toBe(0)
    await page.keyboard.press('Escape')
    await panel.getByText('Fred Friend').waitFor()
  })
})

describe.skipIf(!hasBrowser)('empty lists', () => {
  it('explains in empty lists how to fill them', async () => {
    const { owner, channelId } = await makeTeam()
    const page = await openPage(owner)
    for (const [path, title, more] of [
      ['/recent', 'No conversations', 'Join a channel or message someone.'],
      ['/mentions', 'Messages that mention you will appear here', 'People mention you with @ and your name.'],
      ['/starred', 'Messages you star will appear here', 'Star a message from its menu.'],
      ['/writing', 'No drafts or scheduled messages', 'Messages you start are saved here until you send them.'],
      ['/reminders', 'No reminders', /see it again later/],
      ['/search?q=nowhere', 'No messages found', 'Try fewer words or filters.'],
      [`/c/${channelId}/t/new`, 'No messages yet', 'Write the first message below.'],
      [`/c/${channelId}`, 'No messages yet', 'Write the first message below.'],
    ] as const) {
      await showView(page, path)
      await main(page).getByText(title).waitFor()
      await main(page).getByText(more).waitFor()
      expect(await main(page).getByText('Loading').count()).toBe(0)
    }
  })
})

describe.skipIf(!hasBrowser)('views that are loading', () => {
  it.each([
    ['Reminders', /reminders$/],
    ['garden', /\/c\/\d+$/],
  ])('keeps the focus in the header when a view finishes loading: %s', async (name, address) => {
    const { owner, channelId } = await createTeamOn(server())
    await say(owner, channelId, 'beans', 'Grow tall')
    const [page, release] = await openUnloaded(browser(), owner)
    await page.evaluate(
      (path) => {
        history.pushState(null, '', path)
        dispatchEvent(new PopStateEvent('popstate'))
      },
      name === 'garden' ? `/c/${channelId}` : '/reminders',
    )
    await main(page)
      .getByRole('heading', { name: /^Loading/ })
      .waitFor()
    expect(page.url()).toMatch(address)
    const button = main(page).locator('[data-opens=panel]')
    await button.focus()
    release()
    await main(page).getByRole('heading', { name }).waitFor()
    await expect.poll(async () => button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})
