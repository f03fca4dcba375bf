import { describe, expect, it } from 'vitest'
import { addressOf, hasBrowser, dropResponses, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { loseConnection } from './kept.ts'
import {
  composer,
  fetchTopicContents,
  fetchContents,
  hasRead,
  list,
  say,
  type Team,
  createTeamOn,
  withChannel,
} from './team.ts'

const { server, browser, team, visit } = useTeam()
const teamWithChannel = async (): Promise<Team> => withChannel(await team())

describe.skipIf(!hasBrowser)('topics', () => {
  it("shows two participants each other's messages live", async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'They are **sprouting**')
    const [mine, theirs] = [
      await visit(owner, `/c/${channelId}/t/beans`),
      await visit(friend, `/c/${channelId}/t/beans`),
    ]
    await list(mine).getByText('sprouting').waitFor()
    await composer(mine).fill('How *tall*?')
    await mine.getByRole('button', { name: 'Send', exact: true }).click()
    await list(theirs).getByText('How tall?').waitFor()
    await expect.poll(() => list(mine).getByRole('article').count()).toBe(2)
    expect(await composer(mine).inputValue()).toBe('')
    await composer(theirs).fill('Two hands')
    await theirs.keyboard.press('Control+Enter')
    await list(mine)
      .getByRole('article', { name: /Fred Friend/ })
      .getByText('Two hands')
      .waitFor()
  })

  it("shows /me messages as one sentence with the sender's name", async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'Look')
    await say(friend, channelId, 'beans', '/me waters *all* of them')
    await say(friend, channelId, 'beans', 'Done')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const rows = list(page).getByRole('article')
    await rows.getByText('Done').waitFor()
    const listMessageTexts = async (): Promise<string[]> =>
      (await rows.allInnerTexts()).map((text) =>
        text
          .replaceAll(/\s+/g, ' ')
          .replaceAll(/ ?\d+:\d+ [AP]M ?/g, ' ')
          .trim(),
      )
    expect(await listMessageTexts()).toEqual(['Fred Friend Look', 'Fred Friend waters all of them', 'Fred Friend Done'])
    await rows.nth(1).getByRole('button', { name: 'Fred Friend’s profile' }).click()
    await page.getByRole('dialog', { name: 'Fred Friend' }).waitFor()
    await page.keyboard.press('Escape')
    await composer(page).fill('/me helps')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await listMessageTexts()).at(-1)).toBe('Olivia Owner helps')
    const own = await rows.last().getAttribute('data-row')
    await owner.call('PATCH', `/messages/${own}`, { content: 'I help' })
    await expect.poll(async () => (await listMessageTexts()).at(-1)).toMatch(/^Olivia Owner I help/)
    await say(friend, channelId, 'peas', '/me rests')
    await show(page, '/inbox')
    await page.getByText('Fred Friend: rests').waitFor()
  })

  it('shows message times in the chosen format, and updates them when the format changes', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'They are sprouting')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const time = list(page).getByRole('article').first().locator('time')
    await time.getByText(/^\d{1,2}:\d{2}\s[AP]M$/).waitFor()
    await page.reload()
    await time.getByText(/^\d{1,2}:\d{2}\s[AP]M$/).waitFor()
    await owner.call('PATCH', '/settings', { twenty_four_hour_time: true })
    await expect.poll(() => time.innerText()).toMatch(/^\d{2}:\d{2}$/)
    await owner.call('PATCH', '/settings', { twenty_four_hour_time: false })
  })

  it('marks messages as read only after the reader has seen them and acted', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await owner.call('POST', '/mark_all_as_read')
    const id = await say(friend, channelId, 'beans', 'Look at this')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Look at this').waitFor()
    const nav = page.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^Inbox.*1 unread message/ }).waitFor()
    expect(await hasRead(owner, id)).toBe(false)
    await page.mouse.move(600, 300)
    await nav.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    await expect.poll(() => hasRead(owner, id)).toBe(true)
  })

  it('opens a topic at the first unread message, and stays there when new messages arrive', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const ids: number[] = []
    for (let index = 1; index <= 120; index += 1) ids.push(await say(friend, channelId, 'beans', `Bean ${index}`))
    await owner.call('POST', '/messages/flags', { messages: ids.slice(0, 60), op: 'add', flag: 'read' })
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const first = list(page).getByText('Bean 61', { exact: true })
    await first.waitFor()
    const { y = 0 } = (await first.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(100)
    expect(y).toBeLessThan(500)
    await say(friend, channelId, 'beans', 'One more')
    await expect.poll(async () => Math.abs(((await first.boundingBox())?.y ?? 0) - y)).toBeLessThanOrEqual(1)
    await page.getByRole('button', { name: /newest|new message/ }).click()
    await list(page).getByText('One more').waitFor()
  })

  it('updates messages live on edits, reactions, moves, and deletions', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const [kept, gone] = [
      await say(friend, channelId, 'beans', 'First'),
      await say(friend, channelId, 'beans', 'Second'),
    ]
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Second').waitFor()
    await friend.call('PATCH', `/messages/${kept}`, { content: 'First, mended' })
    await list(page).getByText('First, mended').waitFor()
    await list(page).getByText('edited').waitFor()
    await friend.call('POST', `/messages/${kept}/reactions`, { emoji_name: 'tada' })
    await page.getByRole('button', { name: /Fred Friend reacted with :tada:/ }).click()
    await page.getByRole('button', { name: /Fred Friend and you reacted/, pressed: true }).waitFor()
    await friend.call('PATCH', `/messages/${gone}`, { topic: 'peas' })
    await expect.poll(() => list(page).getByText('Second').count()).toBe(0)
    await owner.call('DELETE', `/messages/${kept}`)
    await expect.poll(() => list(page).getByRole('article').count()).toBe(0)
  })

  it('queues messages offline, and sends them in order when reconnected', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { serviceWorkers: 'allow' })
    const empty = page.getByText('No messages yet')
    await empty.waitFor()
    await loseConnection(page)
    for (const text of ['First on the train', 'Second on the train']) {
      await composer(page).fill(text)
      await page.keyboard.press('Control+Enter')
    }
    await list(page).getByText('Waiting for a connection').first().waitFor()
    expect(await empty.count()).toBe(0)
    // Button labels must not wrap on a narrow screen.
    await page.setViewportSize({ width: 320, height: 640 })
    const discard = list(page).getByRole('button', { name: 'Discard' }).first()
    expect((await discard.boundingBox())?.height).toBeLessThan(40)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.context().setOffline(false)
    await expect
      .poll(() =>
        list(page)
          .getByRole('article', { name: /Olivia Owner, \d/ })
          .count(),
      )
      .toBe(2)
    expect(await fetchContents(friend)).toEqual(['<p>First on the train</p>', '<p>Second on the train</p>'])
  })

  it('sends a message only once even if the tab closes and the answer is lost', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path)
    await composer(page).waitFor()
    // The server receives the message, but its answer is lost.
    await dropResponses(page, '*/api/v1/messages')
    await composer(page).fill('Once')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchContents(friend)).toEqual(['<p>Once</p>'])
    const again = await page.context().newPage()
    await page.close()
    await again.goto(addressOf(owner, path))
    await expect
      .poll(() =>
        list(again)
          .getByRole('article', { name: /Olivia Owner, \d/ })
          .count(),
      )
      .toBe(1)
    await expect.poll(() => list(again).getByRole('article').count()).toBe(1)
    expect(await fetchContents(friend)).toEqual(['<p>Once</p>'])
  })

  it('sends a message only once even if its answer and the event queue are lost', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, '/')
    let queueId = ''
    page.on('request', (request) => {
      queueId = new URL(request.url()).searchParams.get('queue_id') ?? queueId
    })
    await page.goto(addressOf(owner, path))
    await composer(page).waitFor()
    await expect.poll(() => queueId).not.toBe('')
    // Neither the answer nor an event confirms the message.
    await page.route('**/api/v1/register*', (route) => route.abort())
    await owner.call('DELETE', '/events', { queue_id: queueId })
    await dropResponses(page, '*/api/v1/messages')
    await composer(page).fill('Once')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchContents(friend)).toEqual(['<p>Once</p>'])
    const again = await page.context().newPage()
    await page.close()
    const sentAgain = again.waitForResponse(
      (response) => response.url().endsWith('/api/v1/messages') && response.request().method() === 'POST',
    )
    await again.goto(addressOf(owner, `/c/${channelId}/t/peas`))
    await sentAgain
    expect(await fetchContents(friend)).toEqual(['<p>Once</p>'])
  })

  it('shows why a message was refused, and sends it on retry', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    const refused = { status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }
    await page.route('**/api/v1/messages', async (route) =>
      route.request().method() === 'POST' ? route.fulfill(refused) : route.continue(),
    )
    await composer(page).fill('May I?')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Not sent: Not today.').waitFor()
    expect(await fetchTopicContents(owner, channelId, 'beans')).toEqual([])
    await page.unroute('**/api/v1/messages')
    await list(page).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => fetchTopicContents(owner, channelId, 'beans')).toEqual(['<p>May I?</p>'])
  })

  it('shows changes that another client makes to a draft', async () => {
    const { owner, channelId } = await teamWithChannel()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Half a thought')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(1)
    const { drafts } = await owner.call('GET', '/drafts')
    const id = drafts[0]?.id
    const nav = page.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^Drafts/ }).click()
    await page.getByRole('main').getByText('Half a thought').waitFor()
    const draft = { type: 'stream', to: [channelId], topic: 'beans', content: 'A whole thought' }
    await owner.call('PATCH', `/drafts/${id}`, { draft })
    await page.getByRole('main').getByText('A whole thought').waitFor()
    await page.getByRole('main').getByRole('link', { name: /beans/ }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('A whole thought')
    await composer(page).fill('')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(0)
  })

  it('keeps a draft after a reload and in another browser', async () => {
    const { owner, channelId } = await teamWithChannel()
    const path = `/c/${channelId}/t/beans`
    const page = await visit(owner, path)
    await composer(page).fill('Half a thought')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(1)
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
    const other = await openAs(browser(), owner, path)
    await expect.poll(() => composer(other).inputValue()).toBe('Half a thought')
    await other.keyboard.press('Control+Enter')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(0)
  })
})
