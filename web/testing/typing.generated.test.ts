import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { anotherTab, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, newChannel, say, type Team } from './team.ts'

const { makeTeam, openPage } = useTeam()

const NAMES = ['beans', 'peas'] as const
type Name = (typeof NAMES)[number]

/** Words by topic, whose later names contain the first one. */
type Words = Readonly<Record<Name, readonly string[]>>

const TIMEOUT_MILLISECONDS = 900_000
const PATIENCE = { timeout: 30_000 }

const step = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('type') },
    { weight: 2, arbitrary: fc.constantFrom('send', 'open', 'resolve', 'rename') },
    { weight: 1, arbitrary: fc.constantFrom('react', 'cut', 'mend', 'inbox', 'tab', 'reload') },
  ),
  name: fc.constantFrom(...NAMES),
})
type Step = { readonly kind: string; readonly name: Name }

/** The first person writes in one or two tabs. The second changes the topics. */
class Interleaving {
  readonly #team: Team
  readonly #channelId: number
  readonly #tabs: Page[]
  #page: Page
  readonly #topics = new Map<Name, string>(NAMES.map((name) => [name, name]))
  readonly #firstIds = new Map<Name, number>()
  readonly #typed: Record<Name, string[]> = { beans: [], peas: [] }
  #count = 0
  #isCut = false

  constructor(team: Team, channelId: number, tabs: Page[]) {
    const [page] = tabs
    if (page === undefined) throw new Error('no tab is open')
    this.#team = team
    this.#channelId = channelId
    this.#tabs = tabs
    this.#page = page
  }

  async begin(): Promise<void> {
    for (const name of NAMES)
      this.#firstIds.set(name, await say(this.#team.friend, this.#channelId, name, `First of ${name}`))
    await this.#open('beans')
  }

  async take({ kind, name }: Step): Promise<void> {
    const topic = this.#topics.get(name) ?? name
    if (kind === 'type') await this.#type()
    else if (kind === 'send') await this.#send()
    else if (kind === 'open') await this.#open(name)
    else if (kind === 'resolve') await this.#rename(name, topic.startsWith('✔ ') ? topic.slice(2) : `✔ ${topic}`)
    else if (kind === 'rename') await this.#rename(name, topic.endsWith('!') ? name : `${name}!`)
    else if (kind === 'react') await this.#react(name)
    else if (kind === 'inbox') await this.#leave()
    else if (kind === 'cut' || kind === 'mend') await this.#cut(kind === 'cut')
    else if (kind === 'tab') await this.#changeTab()
    else if (!this.#isCut) await this.#reload()
  }

  get typed(): Words {
    return sorted(this.#typed)
  }

  async mend(): Promise<void> {
    await this.#cut(false)
  }

  /** Words of messages and drafts. */
  async found(): Promise<Words> {
    const narrow = [{ operator: 'channel', operand: this.#channelId }]
    const query = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow }
    const { messages } = await this.#team.friend.call('GET', '/messages', query)
    const found = { beans: [] as string[], peas: [] as string[] }
    for (const { subject, content } of messages) found[nameIn(subject)].push(...wordsIn(content))
    for (const name of NAMES) {
      await this.#open(name)
      found[name].push(...wordsIn(await textIn(this.#page)))
    }
    return sorted(found)
  }

  async #open(name: Name): Promise<void> {
    await show(this.#page, `/c/${this.#channelId}/t/${encodeURIComponent(this.#topics.get(name) ?? name)}`)
    await this.#page.getByRole('textbox', { name: new RegExp(`^Message to .*${name}`) }).waitFor()
  }

  async #leave(): Promise<void> {
    await show(this.#page, '/inbox')
    await composer(this.#page).waitFor({ state: 'detached' })
  }

  async #type(): Promise<void> {
    const field = composer(this.#page)
    if ((await field.count()) === 0) return
    const name = nameIn((await field.getAttribute('aria-label')) ?? '')
    this.#count += 1
    const word = `w${this.#count};`
    await field.focus()
    await this.#page.keyboard.type(word)
    this.#typed[name].push(word)
  }

  async #send(): Promise<void> {
    if ((await composer(this.#page).count()) > 0) await composer(this.#page).press('Control+Enter')
  }

  async #rename(name: Name, topic: string): Promise<void> {
    const rename = { topic, propagate_mode: 'change_all', send_notification_to_new_thread: false }
    await this.#team.friend.call('PATCH', `/messages/${this.#firstIds.get(name) ?? 0}`, rename)
    this.#topics.set(name, topic)
  }

  async #react(name: Name): Promise<void> {
    const path = `/messages/${this.#firstIds.get(name) ?? 0}/reactions`
    const reaction = { emoji_name: 'tada' }
    const { status } = await this.#team.friend.try('POST', path, reaction)
    if (status !== 200) await this.#team.friend.call('DELETE', path, reaction)
  }

  async #cut(isCut: boolean): Promise<void> {
    this.#isCut = isCut
    await this.#page.context().setOffline(isCut)
  }

  /** Waits until the address names a renamed topic: the former address would open a topic that is gone. */
  async #settle(): Promise<void> {
    const path = (): string => decodeURIComponent(new URL(this.#page.url()).pathname)
    if (this.#isCut || !path().includes('/t/')) return
    await vi.waitFor(() => {
      if (!path().endsWith(`/t/${this.#topics.get(nameIn(path())) ?? ''}`)) throw new Error(`the tab shows ${path()}`)
    }, PATIENCE)
  }

  /** Continues in the other tab, at the same address. */
  async #changeTab(): Promise<void> {
    const before = this.#page
    await this.#settle()
    const path = new URL(before.url()).pathname
    const known = this.#tabs.find((tab) => tab !== before)
    if (known === undefined && this.#isCut) return
    this.#page = known ?? (await anotherTab(before, path))
    if (known === undefined) this.#tabs.push(this.#page)
    else await show(this.#page, path)
    if ((await composer(before).count()) === 0) return
    await composer(this.#page).waitFor()
    await vi.waitFor(async () => {
      if ((await textIn(this.#page)) !== (await textIn(before))) throw new Error('the tabs show different texts')
    }, PATIENCE)
  }

  async #reload(): Promise<void> {
    await this.#settle()
    await this.#page.reload()
    await this.#page.locator('#main').waitFor()
  }
}

const textIn = async (page: Page): Promise<string> => composer(page).inputValue()

function sorted({ beans, peas }: Words): Words {
  return { beans: beans.toSorted(), peas: peas.toSorted() }
}

function nameIn(text: string): Name {
  return text.includes('beans') ? 'beans' : 'peas'
}

function wordsIn(text: string): string[] {
  return text.match(/w\d+;/g) ?? []
}

describe.skipIf(!hasBrowser)('typing', () => {
  it(
    'keeps each word in one place: sent where the composer said, or in the draft of that conversation',
    async () => {
      const team = await makeTeam()
      const tabs = [await openPage(team.owner)]
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
          run += 1
          const channelId = await newChannel(team.owner, `run ${run}`, [team.friend])
          const interleaving = new Interleaving(team, channelId, tabs)
          await interleaving.begin()
          for (const one of steps) await interleaving.take(one)
          await interleaving.mend()
          await expect.poll(() => interleaving.found()).toEqual(interleaving.typed)
        }),
        { numRuns: effort(75), endOnFailure: true },
      )
    },
    TIMEOUT_MILLISECONDS,
  )
})
