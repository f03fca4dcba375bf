import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { loseConnection } from './kept.ts'
import { composer, createTeamOn, hasRead, leaveComposer, list, say, type Team } from './team.ts'

const { browser, team, visit } = useTeam({}, createTeamWithTopics)

const MESSAGE_COUNTS = {
  beans: 60,
  peas: 60,
  leeks: 40,
  carrots: 160,
  onions: 200,
  melons: 3,
  turnips: 3,
  herbs: 90,
  roses: 90,
  lilies: 60,
  asters: 6,
  tulips: 40,
}

type Topic = keyof typeof MESSAGE_COUNTS

interface PreparedTopic extends Team {
  readonly ids: readonly number[]
  readonly topic: Topic
  readonly path: string
}

/**
 * Creates a team with all topics before any page is open, because an open page makes sending a message five times
 * as expensive.
 */
async function createTeamWithTopics(on: TestServer) {
  const made = await createTeamOn(on)
  const topics = new Map<string, number[]>()
  for (const [topic, count] of Object.entries(MESSAGE_COUNTS)) {
    const ids: number[] = []
    const text = topic === 'turnips' ? 'Turnip' : 'Bean'
    for (let index = 1; index <= count; index += 1)
      ids.push(await say(made.friend, made.channelId, topic, `${text} ${index}`))
    topics.set(topic, ids)
  }
  return { ...made, topics }
}

/** Prepares a topic in which the owner has read only the `read` oldest messages. All other topics are read. */
async function prepareTopic(topic: Topic, read: number): Promise<PreparedTopic> {
  const { topics, ...made } = await team()
  const ids = topics.get(topic) ?? []
  await made.owner.call('POST', '/mark_all_as_read')
  if (read < ids.length)
    await made.owner.call('POST', '/messages/flags', { messages: ids.slice(read), op: 'remove', flag: 'read' })
  return { ...made, ids, topic, path: `/c/${made.channelId}/t/${topic}` }
}

const visitWithClock: typeof visit = async (user, path) => visit(user, path, { hasClock: true })

const messageText = (page: Page, number: number) => list(page).getByText(`Bean ${number}`, { exact: true })
const newestButton = (page: Page) => page.getByRole('button', { name: /^Jump to newest$|new messages?$/ })

async function topOf(page: Page, number: number): Promise<number> {
  const [frame, row] = [await page.locator('.list').boundingBox(), await messageText(page, number).boundingBox()]
  return (row?.y ?? Number.NaN) - (frame?.y ?? Number.NaN)
}

async function isInView(page: Page, message: Locator): Promise<boolean> {
  const [frame, row] = [await page.locator('.list').boundingBox(), await message.boundingBox()]
  if (frame === null || row === null) return false
  return row.y >= frame.y && row.y + row.height <= frame.y + frame.height + 1
}

async function countUnread(user: TestUser, ids: readonly number[]): Promise<number> {
  const { messages } = await user.call('GET', '/messages', { message_ids: ids, narrow: [] })
  return messages.filter(({ flags }) => !flags.includes('read')).length
}

/** Returns the stored offset of a topic's first fully visible message. */
async function storedOffset(page: Page, topic: string): Promise<number> {
  return page.evaluate(
    async (name) =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('parley')
        opening.addEventListener('success', () => {
          const { result: database } = opening
          const reading = database.transaction('windows').objectStore('windows').getAll()
          reading.addEventListener('success', () => {
            const windows = reading.result as { key: string; position?: { offset: number } }[]
            database.close()
            const found = windows.find(({ key }) => key.startsWith('topic:') && key.endsWith(name))
            resolve(found?.position?.offset ?? Number.NaN)
          })
        })
      }),
    topic,
  )
}

async function shownOffset(page: Page): Promise<number> {
  return list(page).evaluate((rows) => {
    const { top } = rows.parentElement?.getBoundingClientRect() ?? { top: 0 }
    const first = [...rows.querySelectorAll('article')].find((row) => row.getBoundingClientRect().top >= top)
    return (first?.getBoundingClientRect().top ?? Number.NaN) - top
  })
}

/** Advances the page's clock until visible messages are marked as read. Callbacks after a paint run between the steps. */
async function advanceUntilRead(page: Page): Promise<void> {
  for (const milliseconds of [1_000, 1_000]) await page.clock.runFor(milliseconds)
}

describe.skipIf(!hasBrowser)('reading position', () => {
  it('opens a topic at its first unread message, under a divider', async () => {
    const { owner, ids, path } = await prepareTopic('beans', 30)
    const page = await visit(owner, path)
    const divider = list(page).getByText('New messages')
    await divider.waitFor()
    const [frame, line] = [await page.locator('.list').boundingBox(), await divider.boundingBox()]
    expect(((line?.y ?? 0) - (frame?.y ?? 0)) / (frame?.height ?? 1)).toBeGreaterThan(0.2)
    expect(((line?.y ?? 0) - (frame?.y ?? 0)) / (frame?.height ?? 1)).toBeLessThan(0.45)
    await page.mouse.move(600, 300)
    await expect.poll(() => hasRead(owner, ids[30] ?? 0)).toBe(true)
    await divider.waitFor()
    await page.keyboard.press('Shift+Escape')
    await expect.poll(() => countUnread(owner, ids)).toBe(0)
    await divider.waitFor({ state: 'attached' })
    await show(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await show(page, path)
    await messageText(page, 31).waitFor({ state: 'attached' })
    expect(await divider.count()).toBe(0)
  })

  it("opens a read topic at its newest message, or at the reader's last position", async () => {
    const { owner, friend, channelId, topic, path } = await prepareTopic('peas', 60)
    const page = await visit(owner, path)
    await messageText(page, 60).waitFor()
    await expect.poll(() => newestButton(page).count()).toBe(0)
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, -700)
    await newestButton(page).waitFor()
    await expect.poll(async () => (await storedOffset(page, topic)) - (await shownOffset(page))).toBeCloseTo(0, 0)
    const top = await topOf(page, 40)
    await show(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await show(page, path)
    await expect.poll(() => topOf(page, 40)).toBeCloseTo(top, 0)
    await expect.poll(() => storedOffset(page, topic)).toBeCloseTo(await shownOffset(page), 0)
    await page.reload()
    await expect.poll(() => topOf(page, 40)).toBeCloseTo(top, 0)
    // Unread messages take precedence over the reading position.
    await show(page, '/inbox')
    await say(friend, channelId, topic, 'A new bean')
    await page
      .getByRole('main')
      .getByRole('link', { name: /A new bean/ })
      .waitFor()
    await show(page, path)
    await list(page).getByText('New messages').waitFor()
    await expect.poll(async () => (await list(page).getByText('A new bean').boundingBox())?.y).toBeGreaterThan(0)
  })

  it('counts unread messages below the view, old and new', async () => {
    const { owner, friend, channelId, topic, ids, path } = await prepareTopic('leeks', 38)
    const page = await visit(owner, `${path}?near=${ids[0] ?? 0}`)
    await page.getByRole('button', { name: '2 new messages' }).waitFor()
    await say(friend, channelId, topic, 'One below')
    await page.getByRole('button', { name: '3 new messages' }).click()
    await list(page).getByText('One below').waitFor()
    await expect.poll(() => newestButton(page).count()).toBe(0)
    await say(friend, channelId, topic, 'At the end')
    await list(page).getByText('At the end').waitFor()
    await expect.poll(() => newestButton(page).count()).toBe(0)
  })

  it('does not count old messages as new while scrolling to the newest', async () => {
    const { owner, ids, path } = await prepareTopic('carrots', 160)
    const page = await visit(owner, `${path}?near=${ids[59] ?? 0}`)
    await messageText(page, 60).waitFor()
    expect(await messageText(page, 160).count()).toBe(0)
    await page.mouse.move(600, 300)
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 400)
        return messageText(page, 160).count()
      })
      .toBe(1)
    // The last turn of the wheel can reach the end.
    await page.mouse.wheel(0, -1_500)
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor()
  })

  it('scrolls from far above to a message just sent, even after an outage', async () => {
    const { owner, ids, path } = await prepareTopic('onions', 20)
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    await page.clock.install()
    const own = (text: string) =>
      list(page)
        .getByRole('article', { name: /^Olivia Owner, \d/ })
        .filter({ hasText: text })
    await messageText(page, 21).waitFor()
    expect(await messageText(page, 200).count()).toBe(0)
    await composer(page).fill('By keys')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => isInView(page, own('By keys'))).toBe(true)
    expect(await messageText(page, 200).count()).toBe(1)
    expect(await newestButton(page).count()).toBe(0)
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, -1_000)
    await newestButton(page).waitFor()
    await composer(page).fill('By the mouse')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(async () => isInView(page, own('By the mouse'))).toBe(true)
    expect(await newestButton(page).count()).toBe(0)
    await show(page, `${path}?near=${ids[59] ?? 0}`)
    await messageText(page, 60).waitFor()
    await expect.poll(() => messageText(page, 200).count()).toBe(0)
    await loseConnection(page)
    await composer(page).fill('On the train')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => isInView(page, list(page).getByText('On the train'))).toBe(true)
    await show(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    // Longer than the client waits before it retries a failed read.
    await page.clock.fastForward(60_000)
    await show(page, path)
    await messageText(page, 60).waitFor()
    await composer(page).fill('Once more')
    await page.keyboard.press('Control+Enter')
    await page.context().setOffline(false)
    await expect.poll(async () => isInView(page, own('Once more'))).toBe(true)
    await expect.poll(async () => isInView(page, own('On the train'))).toBe(true)
    expect(await messageText(page, 200).count()).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('marking as read', () => {
  it('marks messages as read after half a second in a focused window', async () => {
    const { owner, ids, path } = await prepareTopic('melons', 0)
    const page = await visitWithClock(owner)
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await show(page, path)
    // The view renders after a paint, for which the test's clock must run.
    await page.clock.runFor(20)
    await messageText(page, 3).waitFor()
    await page.mouse.move(600, 300)
    await page.clock.runFor(400)
    expect(await countUnread(owner, ids)).toBe(3)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hasFocus', { value: () => false, configurable: true })
    })
    await advanceUntilRead(page)
    expect(await countUnread(owner, ids)).toBe(3)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hasFocus', { value: () => true, configurable: true })
    })
    await page.mouse.move(600, 310)
    await advanceUntilRead(page)
    await expect.poll(() => countUnread(owner, ids)).toBe(0)
  })

  it('marks messages as read only outside feeds and only after the reader acts', async () => {
    const { owner, ids, channelId, path } = await prepareTopic('turnips', 0)
    const page = await visitWithClock(owner)
    for (const feed of ['/feed', `/c/${channelId}/feed`, '/search?q=Turnip', path]) {
      await show(page, feed)
      await page.getByText('Turnip 3', { exact: true }).waitFor()
      if (feed !== path) await page.mouse.move(600, 300)
      await advanceUntilRead(page)
      expect(await countUnread(owner, ids)).toBe(3)
    }
    await composer(page).press('Escape')
    await page.keyboard.press('k')
    await advanceUntilRead(page)
    await expect.poll(() => countUnread(owner, ids)).toBe(0)
  })

  it('marks the messages in view as read when a key opens another conversation', async () => {
    const { owner, ids, path } = await prepareTopic('melons', 0)
    const page = await visitWithClock(owner, path)
    await messageText(page, 3).waitFor()
    await advanceUntilRead(page)
    await composer(page).press('Alt+ArrowDown')
    await expect.poll(() => countUnread(owner, ids)).toBe(0)
  })

  it('marks a topic as read on Shift+Escape, but not on Escape, and undoes that', async () => {
    const { owner, ids, path } = await prepareTopic('herbs', 10)
    const page = await visitWithClock(owner, path)
    await messageText(page, 11).waitFor()
    await leaveComposer(page)
    await page.keyboard.press('Escape')
    await messageText(page, 90).waitFor()
    await expect.poll(() => newestButton(page).count()).toBe(0)
    await page.mouse.move(600, 300)
    await advanceUntilRead(page)
    expect(await countUnread(owner, ids)).toBe(80)
    await page.keyboard.press('Shift+Escape')
    await page.getByText('80 messages marked as read').waitFor()
    expect(await countUnread(owner, ids)).toBe(0)
    await page.keyboard.press('Control+z')
    await expect.poll(() => countUnread(owner, ids)).toBe(80)
    await page.mouse.move(600, 320)
    await advanceUntilRead(page)
    expect(await countUnread(owner, ids)).toBe(80)
  })

  it('marks messages in view after an answer as read, and leads to unread ones above', async () => {
    const { owner, ids, path } = await prepareTopic('roses', 10)
    const page = await visitWithClock(owner, path)
    await messageText(page, 11).waitFor()
    await composer(page).fill('My own bean')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => isInView(page, list(page).getByText('My own bean'))).toBe(true)
    await advanceUntilRead(page)
    await expect.poll(() => hasRead(owner, ids[88] ?? 0)).toBe(true)
    expect(await hasRead(owner, ids[50] ?? 0)).toBe(false)
    await page.getByRole('button', { name: `${await countUnread(owner, ids)} unread above` }).click()
    await expect.poll(async () => isInView(page, messageText(page, 11))).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'unread above' }).count()).toBe(0)
    await advanceUntilRead(page)
    await expect.poll(() => hasRead(owner, ids[10] ?? 0)).toBe(true)
  })

  it('marks messages around a linked message as read only when the reader scrolls', async () => {
    const { owner, ids, path } = await prepareTopic('lilies', 0)
    const page = await visitWithClock(owner, `${path}?near=${ids[29] ?? 0}`)
    await messageText(page, 30).waitFor()
    await page.mouse.move(600, 300)
    await advanceUntilRead(page)
    expect(await countUnread(owner, ids)).toBe(60)
    await page.mouse.wheel(0, 40)
    await advanceUntilRead(page)
    await expect.poll(() => hasRead(owner, ids[29] ?? 0)).toBe(true)
    expect(await hasRead(owner, ids[0] ?? 0)).toBe(false)
  })

  it('keeps messages unread in all windows once they are marked as unread', async () => {
    const { owner, ids, path } = await prepareTopic('asters', 6)
    const [page, other] = [await visitWithClock(owner, path), await openAs(browser(), owner)]
    await other.clock.install()
    await show(other, path)
    for (const one of [page, other]) {
      await messageText(one, 6).waitFor()
      await one.mouse.move(600, 300)
    }
    await list(page).getByRole('article').nth(3).focus()
    await page.keyboard.press('Shift+U')
    await page.getByText('3 messages marked as unread').waitFor()
    for (const one of [page, other]) {
      await list(one).getByText('New messages').waitFor()
      await one.mouse.move(600, 320)
      await advanceUntilRead(one)
    }
    expect(await countUnread(owner, ids)).toBe(3)
    await page.keyboard.press('.')
    await page.getByText('1 message marked as read').waitFor()
    await expect
      .poll(async () => ((await list(page).getByText('New messages').boundingBox())?.y ?? 0) > (await topOf(page, 4)))
      .toBe(true)
    expect(await countUnread(owner, ids)).toBe(2)
  })
})

describe.skipIf(!hasBrowser)('message navigation keys', () => {
  it('moves through messages by keyboard: by row, by screen, and to either end', async () => {
    const { owner, path } = await prepareTopic('tulips', 40)
    const page = await visit(owner, path)
    await messageText(page, 40).waitFor()
    const focused = async (): Promise<number> =>
      page.evaluate(() => Number(/Bean (\d+)/.exec(document.activeElement?.textContent ?? '')?.[1]))
    await leaveComposer(page)
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(40)
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe(39)
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(40)
    await page.keyboard.press('PageUp')
    await expect.poll(focused).toBeLessThan(36)
    const above = await focused()
    expect(above).toBeGreaterThan(1)
    await page.keyboard.press('PageDown')
    await expect.poll(focused).toBe(40)
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe(1)
    await page.keyboard.press('End')
    await expect.poll(focused).toBe(40)
    expect(await composer(page).inputValue()).toBe('')
  })
})
