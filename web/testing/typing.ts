import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { openAnotherTab, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { createChannel, say, type Team } from './team.ts'

const TOPIC_NAMES = ['beans', 'peas'] as const
type TopicName = (typeof TOPIC_NAMES)[number]

/** Typed words by the first name of their topic, which all later names of the topic contain. */
type WordsByTopic = Readonly<Record<TopicName, readonly string[]>>

const STEP_KINDS = [
  'send',
  'open',
  'resolve',
  'rename',
  'move',
  'react',
  'inbox',
  'cut',
  'mend',
  'tab',
  'reload',
] as const
type StepKind = (typeof STEP_KINDS)[number]
interface Step {
  readonly kind: StepKind
  readonly name: TopicName
}

/** Steps of the second person, who acts while the first person types. */
const SECOND_PERSON_STEPS: ReadonlySet<StepKind> = new Set(['resolve', 'rename', 'move', 'react'])

const TIMEOUT_MILLISECONDS = 900_000
const WAIT_OPTIONS = { timeout: 30_000 }

/*
 * CPU time: two new topics 0.25 s, a check 0.2 s, a step with a word 0.1 s, a reload 0.5 s, and another tab 0.8 s.
 * That is why ten interleavings share topics, tabs, and two checks, and why fields are found by selectors: finding them
 * by role takes as long as typing into them.
 */
const INTERLEAVINGS_PER_CHECK = 5
const CHECKS_PER_RUN = 2
/** Small, and without the details panel, because painting takes time. */
const VIEWPORT = { width: 800, height: 420 }
const COMPOSER_SELECTOR = 'textarea[aria-label^="Message to "]'

interface Topic {
  readonly topic: string
  readonly channelId: number
}

/** Steps in which one person types in one or two tabs, and a second person changes the topics. */
class Interleaving {
  readonly #team: Team
  readonly #channels: readonly number[]
  #page: Page
  #other: Page | undefined
  readonly #topics = new Map<TopicName, Topic>()
  readonly #firstIds = new Map<TopicName, number>()
  readonly #typed: Record<TopicName, string[]> = { beans: [], peas: [] }
  #count = 0
  #isCut = false

  constructor(team: Team, channels: readonly number[], page: Page) {
    this.#team = team
    this.#channels = channels
    this.#page = page
  }

  get page(): Page {
    return this.#page
  }

  /** @param group number that keeps these topics' names apart from earlier names */
  async begin(group: number): Promise<void> {
    const [channelId = 0] = this.#channels
    for (const name of TOPIC_NAMES) {
      const topic = `${name} ${group}`
      this.#topics.set(name, { topic, channelId })
      this.#firstIds.set(name, await say(this.#team.friend, channelId, topic, `First of ${name}`))
    }
    await this.#open('beans')
  }

  async take({ kind, name }: Step): Promise<void> {
    if (SECOND_PERSON_STEPS.has(kind)) await Promise.all([this.#type(), this.#change(kind, name)])
    else {
      await this.#act(kind, name)
      await this.#type()
    }
  }

  async #act(kind: StepKind, name: TopicName): Promise<void> {
    if (kind === 'send') await this.#send()
    else if (kind === 'open') await this.#open(name)
    else if (kind === 'inbox') await this.#leave()
    else if (kind === 'tab') await this.#changeTab()
    else if (kind === 'reload') await this.#reload()
    else await this.#cut(kind === 'cut')
  }

  async #change(kind: StepKind, name: TopicName): Promise<void> {
    const { topic } = this.#topicOf(name)
    if (kind === 'resolve') await this.#rename(name, topic.startsWith('✔ ') ? topic.slice(2) : `✔ ${topic}`)
    else if (kind === 'rename') await this.#rename(name, topic.endsWith('!') ? topic.slice(0, -1) : `${topic}!`)
    else if (kind === 'move') await this.#move(name)
    else await this.#react(name)
  }

  get typed(): WordsByTopic {
    return sortWords(this.#typed)
  }

  async mend(): Promise<void> {
    await this.#cut(false)
  }

  async closeOtherTab(): Promise<void> {
    await this.#other?.close()
    this.#other = undefined
  }

  /** Opens both topics, and returns the words in their messages and drafts. */
  async found(): Promise<WordsByTopic> {
    const query = { anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false, narrow: [] }
    const { messages } = await this.#team.friend.call('GET', '/messages', query)
    const found = { beans: [] as string[], peas: [] as string[] }
    const first = Math.min(...this.#firstIds.values())
    for (const { id, subject, content } of messages)
      if (id >= first) found[topicNameIn(subject)].push(...wordsIn(content))
    const here = await composerIn(this.#page)
    // Starts with the topic that is already open.
    const names = here === undefined ? TOPIC_NAMES : TOPIC_NAMES.toSorted((one) => (here.label.includes(one) ? -1 : 1))
    for (const name of names) {
      await this.#open(name)
      found[name].push(...wordsIn((await composerIn(this.#page))?.text ?? ''))
    }
    return sortWords(found)
  }

  #topicOf(name: TopicName): Topic {
    const topic = this.#topics.get(name)
    if (topic === undefined) throw new Error('no topic has begun')
    return topic
  }

  #pathOf(name: TopicName): string {
    const { channelId, topic } = this.#topicOf(name)
    return `/c/${channelId}/t/${encodeURIComponent(topic)}`
  }

  async #open(name: TopicName): Promise<void> {
    await show(this.#page, this.#pathOf(name))
    await this.#page.locator(`${COMPOSER_SELECTOR}[aria-label*="${name}"]`).waitFor()
  }

  async #leave(): Promise<void> {
    await show(this.#page, '/inbox')
    await this.#page.locator(COMPOSER_SELECTOR).waitFor({ state: 'detached' })
  }

  /** Types a word into the composer, which must already have the focus. */
  async #type(): Promise<void> {
    const field = await composerIn(this.#page)
    if (field === undefined) return
    if (!field.hasFocus) throw new Error(`the caret is not in ${field.label}`)
    const name = topicNameIn(field.label)
    this.#count += 1
    const word = `${this.#count};`
    this.#typed[name].push(word)
    await this.#page.keyboard.type(word)
  }

  async #send(): Promise<void> {
    if ((await composerIn(this.#page)) !== undefined) await this.#page.keyboard.press('Control+Enter')
  }

  async #patch(name: TopicName, change: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#team.friend.call('PATCH', `/messages/${this.#firstIds.get(name) ?? 0}`, {
      ...change,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
  }

  async #rename(name: TopicName, topic: string): Promise<void> {
    await this.#patch(name, { topic })
    this.#topics.set(name, { ...this.#topicOf(name), topic })
  }

  async #move(name: TopicName): Promise<void> {
    const { topic, channelId: from } = this.#topicOf(name)
    const channelId = this.#channels.find((id) => id !== from) ?? from
    await this.#patch(name, { stream_id: channelId })
    this.#topics.set(name, { topic, channelId })
  }

  async #react(name: TopicName): Promise<void> {
    const path = `/messages/${this.#firstIds.get(name) ?? 0}/reactions`
    const reaction = { emoji_name: 'tada' }
    const { status } = await this.#team.friend.try('POST', path, reaction)
    if (status !== 200) await this.#team.friend.call('DELETE', path, reaction)
  }

  async #cut(isCut: boolean): Promise<void> {
    if (this.#isCut === isCut) return
    this.#isCut = isCut
    await this.#page.context().setOffline(isCut)
  }

  /** Waits until the address contains the current name of the topic, because an earlier name opens nothing. */
  async #settle(): Promise<void> {
    const path = (): string => decodeURIComponent(new URL(this.#page.url()).pathname)
    if (this.#isCut || !path().includes('/t/')) return
    await vi.waitFor(() => {
      const { channelId, topic } = this.#topicOf(topicNameIn(path()))
      if (!path().startsWith(`/c/${channelId}`) || !path().endsWith(`/t/${topic}`))
        throw new Error(`the tab shows ${path()}`)
    }, WAIT_OPTIONS)
  }

  /** Continues in the other tab, at the same address. */
  async #changeTab(): Promise<void> {
    const before = this.#page
    if (this.#other === undefined && this.#isCut) return
    await this.#settle()
    const path = new URL(before.url()).pathname
    if (this.#other === undefined) this.#page = await openAnotherTab(before, path)
    else {
      this.#page = this.#other
      await show(this.#page, path)
    }
    this.#other = before
    const field = await composerIn(before)
    if (field === undefined) return
    await this.#page.locator(COMPOSER_SELECTOR).waitFor()
    await vi.waitFor(async () => {
      const [here, there] = [await composerIn(this.#page), await composerIn(before)]
      if (here?.text !== there?.text) throw new Error(`the tabs show ${JSON.stringify([here, there])}`)
    }, WAIT_OPTIONS)
  }

  async #reload(): Promise<void> {
    if (this.#isCut) return
    await this.#settle()
    const hadField = (await composerIn(this.#page)) !== undefined
    await this.#page.reload()
    await this.#page.locator('#main').waitFor()
    if (hadField) await this.#page.locator(`${COMPOSER_SELECTOR}:focus`).waitFor()
  }
}

interface ComposerContent {
  readonly label: string
  readonly text: string
  readonly hasFocus: boolean
}

async function composerIn(page: Page): Promise<ComposerContent | undefined> {
  return page.evaluate((selector) => {
    const field = document.querySelector<HTMLTextAreaElement>(selector)
    if (field === null) return undefined
    return { label: field.ariaLabel ?? '', text: field.value, hasFocus: field === document.activeElement }
  }, COMPOSER_SELECTOR)
}

function sortWords({ beans, peas }: WordsByTopic): WordsByTopic {
  return { beans: beans.toSorted(), peas: peas.toSorted() }
}

function topicNameIn(text: string): TopicName {
  return text.includes('beans') ? 'beans' : 'peas'
}

function wordsIn(text: string): string[] {
  return text.match(/\d+;/g) ?? []
}

/** @param weights of kinds of steps, by default 4 @param seed of the steps, by default that of all generated tests */
export function defineTypingTest(
  interleavings: number,
  weights: Readonly<Partial<Record<StepKind, number>>>,
  seed?: number,
): void {
  const { makeTeam, openPage } = useTeam()
  const kind = fc.oneof(...STEP_KINDS.map((one) => ({ weight: weights[one] ?? 4, arbitrary: fc.constant(one) })))
  const step = fc.record({ kind, name: fc.constantFrom(...TOPIC_NAMES) }, { noNullPrototype: true })
  const several = { minLength: INTERLEAVINGS_PER_CHECK, maxLength: INTERLEAVINGS_PER_CHECK }
  const parts = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), several)
  it(
    'keeps each typed word exactly once, sent or as a draft, in the conversation that the composer named',
    async () => {
      const team = await makeTeam()
      const channels = [team.channelId, await createChannel(team.owner, 'yard', [team.friend])]
      let page = await openPage(team.owner, '/inbox', { viewport: VIEWPORT })
      let group = 0
      const property = fc.asyncProperty(
        fc.array(parts, { minLength: CHECKS_PER_RUN, maxLength: CHECKS_PER_RUN }),
        async (checks) => {
          group += 1
          const writing = new Interleaving(team, channels, page)
          await writing.begin(group)
          for (const checked of checks) {
            for (const steps of checked) {
              for (const one of steps) await writing.take(one)
              await writing.mend()
            }
            await expect.poll(() => writing.found()).toEqual(writing.typed)
          }
          await writing.closeOtherTab()
          page = writing.page
        },
      )
      const numRuns = Math.ceil(interleavings / INTERLEAVINGS_PER_CHECK / CHECKS_PER_RUN)
      await fc.assert(property, { numRuns, endOnFailure: true, ...(seed === undefined ? {} : { seed }) })
    },
    TIMEOUT_MILLISECONDS,
  )
}
