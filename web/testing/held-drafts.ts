import type { BrowserContext, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { composer, list, createChannel, say, withNewcomer, type Team } from './team.ts'

/** Creates a person, and a channel of this person in which another person has started the topic `beans`. */
export async function createTopic(team: Promise<Team>) {
  const { owner, friend } = await withNewcomer(await team)
  const channelId = await createChannel(owner, `garden of ${owner.id}`, [friend])
  const id = await say(friend, channelId, 'beans', 'One')
  const texts = async () => (await owner.call('GET', '/drafts')).drafts.map(({ topic, content }) => [topic, content])
  return {
    owner,
    channelId,
    path: (topic: string) => `/c/${channelId}/t/${encodeURIComponent(topic)}`,
    expectDrafts: async (...drafts: readonly (readonly [topic: string, content: string])[]) => {
      await expect.poll(texts).toEqual(drafts)
    },
    rename: async (topic: string) => {
      const change = { topic, propagate_mode: 'change_all', send_notification_to_new_thread: false }
      await friend.call('PATCH', `/messages/${id}`, change)
    },
    /** Waits until pages that show a topic have received all earlier events. */
    reach: async (topic: string, ...pages: readonly Page[]) => {
      const content = `Said to ${topic}`
      await say(friend, channelId, topic, content)
      for (const page of pages) await list(page).getByText(content, { exact: true }).waitFor()
    },
  }
}

export const waitForTopic = (page: Page, topic: string) =>
  page.getByRole('textbox', { name: new RegExp(`^Message to ${topic} in `) }).waitFor()
export async function expectText(page: Page, text: string): Promise<void> {
  await expect.poll(() => composer(page).inputValue()).toBe(text)
}
export const waitForMessage = async (page: Page, text: string) => list(page).getByText(text, { exact: true }).waitFor()

export async function sendText(page: Page): Promise<void> {
  await composer(page).press('Control+Enter')
  await expectText(page, '')
}

/** Holds requests of a window until `release` is called. */
export async function holdRequests(page: Page, method: string, address: string) {
  const [isHeld, reportHeld] = createPromise()
  const [isReleased, reportReleased] = createPromise()
  const take = async (route: Route): Promise<void> => {
    if (route.request().method() !== method) return route.fallback()
    reportHeld()
    await isReleased
    // The page may be closed or may have crashed.
    await route.continue().catch(() => undefined)
  }
  await page.context().route(address, take)
  return {
    isHeld,
    release: async (): Promise<void> => {
      reportReleased()
      await page.context().unroute(address, take)
    },
  }
}

function createPromise(): readonly [promise: Promise<void>, resolve: () => void] {
  let end: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return [promise, () => end()]
}

/** Freezes a tab, as browsers do with hidden tabs. @returns a function that resumes the tab */
export async function freezeTab(page: Page): Promise<() => Promise<void>> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Debugger.enable')
  await debug.send('Debugger.pause')
  return async () => {
    await debug.send('Debugger.resume')
    await debug.detach()
  }
}

export async function crashTab(page: Page): Promise<void> {
  const isOver = page.waitForEvent('crash')
  const debug = await page.context().newCDPSession(page)
  debug.send('Page.crash').catch(() => undefined)
  await isOver
  await page.close()
}

/** Holds messages in which other tabs pass events on to a tab, but not those about drafts. Call before the tab loads. */
export async function holdTabEvents(context: BrowserContext) {
  await context.addInitScript(() => {
    const held: (() => void)[] = []
    let isHeld = false
    const addListener = Reflect.get(BroadcastChannel.prototype, 'addEventListener')
    BroadcastChannel.prototype.addEventListener = function addHeldListener(
      this: BroadcastChannel,
      type: string,
      listener: (event: Event) => void,
    ): void {
      addListener.call(this, type, (event: Event) => {
        if (isHeld && this.name !== 'parley-drafts') held.push(() => listener(event))
        else listener(event)
      })
    }
    addEventListener('hold-tab-events', () => {
      isHeld = true
    })
    addEventListener('release-tab-events', () => {
      isHeld = false
      for (const deliver of held.splice(0)) deliver()
    })
  })
  const send = async (page: Page, type: string): Promise<void> =>
    page.evaluate((event) => void dispatchEvent(new Event(event)), type)
  return {
    hold: async (page: Page): Promise<void> => send(page, 'hold-tab-events'),
    release: async (page: Page): Promise<void> => send(page, 'release-tab-events'),
  }
}
