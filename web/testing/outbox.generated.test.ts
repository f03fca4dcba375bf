import fc from 'fast-check'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retryUntilSuccess } from '../../e2e/crash/requests.ts'
import { OWNER, ServerProcess } from '../../e2e/crash/server-process.ts'
import { effort } from '../../server/src/testing/effort.ts'
import { Random } from '../../server/src/testing/random.ts'
import { TestUser } from '../../server/src/testing/user.ts'
import { closeHints, hasBrowser, dropResponses, openWindow, show, useBrowser } from './browser.ts'
import { waitForServiceWorker } from './kept.ts'
import { composer, list } from './team.ts'

const browser = useBrowser()
const TIMEOUT_MILLISECONDS = 300_000
const TOPICS = ['beans', 'peas'] as const

let server: ServerProcess
let owner: TestUser

beforeAll(async () => {
  if (!hasBrowser) return
  server = await ServerProcess.start({ PARLEY_LOG_LEVEL: 'silent' })
  const patience = { random: new Random(1), over: new AbortController().signal }
  const login = { username: OWNER.email, password: OWNER.password }
  const stranger = new TestUser(server.url, '127.0.0.1', '', '', 0)
  const { api_key, email, user_id } = await retryUntilSuccess(stranger, 'POST', '/fetch_api_key', login, patience)
  owner = new TestUser(server.url, '127.0.0.1', email, api_key, user_id)
  await closeHints(owner)
})

afterAll(async () => {
  if (hasBrowser) await server.close()
})

const operationArbitrary = fc.record({
  kind: fc.constantFrom(
    'write',
    'write',
    'write',
    'cut',
    'mend',
    'lose answers',
    'close',
    'another tab',
    'kill',
    'away',
  ),
  topic: fc.constantFrom(...TOPICS),
})
type OutboxOperation = { readonly kind: string; readonly topic: (typeof TOPICS)[number] }

class OutboxWriter {
  readonly #context: BrowserContext
  readonly #path: (topic: string) => string
  readonly written = new Map<string, string[]>(TOPICS.map((topic) => [topic, []]))
  page: Page
  #count = 0
  #back: Promise<void> = Promise.resolve()

  constructor(context: BrowserContext, page: Page, path: (topic: string) => string) {
    this.#context = context
    this.page = page
    this.#path = path
  }

  async take({ kind, topic }: OutboxOperation): Promise<void> {
    if (kind === 'write') await this.#write(topic)
    else if (kind === 'cut') await this.#context.setOffline(true)
    else if (kind === 'mend') await this.#context.setOffline(false)
    else if (kind === 'lose answers') await dropResponses(this.page, '*/api/v1/messages')
    else if (kind === 'close') await this.#reopen()
    else if (kind === 'another tab') await this.#open(topic)
    else await this.#end(kind)
  }

  async recover(): Promise<void> {
    await this.#back
    await this.#context.setOffline(false)
    await this.#reopen()
  }

  async #write(topic: string): Promise<void> {
    this.#count += 1
    const text = `${topic} ${this.#count}`
    await show(this.page, this.#path(topic))
    // A busy page may still show the previous topic.
    await this.page.getByRole('textbox', { name: new RegExp(`^Message to .*${topic}`) }).fill(text)
    await this.page.keyboard.press('Control+Enter')
    await list(this.page).getByText(text, { exact: true }).waitFor()
    this.written.get(topic)?.push(text)
  }

  async #open(topic: string): Promise<void> {
    this.page = await this.#context.newPage()
    await this.page.goto(server.url + this.#path(topic))
    await composer(this.page).waitFor()
  }

  async #reopen(): Promise<void> {
    const before = this.#context.pages()
    await this.#open(TOPICS[0])
    for (const page of before) await page.close()
  }

  /** Kills and restarts the server, with a write during the outage unless `kind` is `kill`. */
  async #end(kind: string): Promise<void> {
    await this.#back
    if (kind === 'kill') await server.killAndRestart()
    else this.#back = server.killAndRestart(async () => this.#write(TOPICS[1]))
    await this.#back
  }
}

async function fetchTopicContents(channelId: unknown, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
  const { messages } = await owner.call('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 500,
    apply_markdown: false,
    narrow,
  })
  return messages.map(({ content }) => content)
}

describe.skipIf(!hasBrowser)('outbox', () => {
  it(
    'sends messages once and in order despite closed tabs, lost connections, and server crashes',
    async () => {
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(operationArbitrary, { minLength: 8, maxLength: 16 }), async (steps) => {
          run += 1
          const name = `run ${run}`
          await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
          const { stream_id: channelId } = await owner.call('GET', '/get_stream_id', { stream: name })
          const path = (topic: string): string => `/c/${String(channelId)}/t/${topic}`
          const context = await openWindow(browser(), { serviceWorkers: 'allow' })
          const page = await context.newPage()
          await page.goto(server.url + path(TOPICS[0]))
          await page.getByLabel('Email address').fill(OWNER.email)
          await page.getByLabel('Password').fill(OWNER.password)
          await page.keyboard.press('Enter')
          await composer(page).waitFor()
          await waitForServiceWorker(page)
          const writer = new OutboxWriter(context, page, path)
          for (const one of steps) await writer.take(one)
          await writer.recover()
          for (const [topic, texts] of writer.written) {
            await show(writer.page, path(topic))
            await expect.poll(() => fetchTopicContents(channelId, topic), { timeout: 90_000 }).toEqual(texts)
            await expect.poll(() => list(writer.page).getByRole('article').count()).toBe(texts.length)
            expect(await list(writer.page).getByText('Waiting for a connection').count()).toBe(0)
          }
          await context.close()
        }),
        { numRuns: effort(3), endOnFailure: true },
      )
      expect(server.accidents).toEqual([])
    },
    TIMEOUT_MILLISECONDS,
  )
})
