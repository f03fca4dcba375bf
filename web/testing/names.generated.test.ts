import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { composer, createTeamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/**
 * Difficult parts of names: syntax of Markdown, mentions, and HTML; rare case pairs, scripts, and grapheme clusters.
 */
const NAME_PARTS = [
  Array.from('*_~`[]()<>!|:-+=\\"\'&;@#$^{}/.,?% 1'),
  ['**', '__', '|7', '>', '@**', '**|1', '](x)', '<b>', '&amp;', ':tada:', 'www.x.org', 'a@b.org', '  '],
  ['Ann', 'ann', 'İ', 'ß', 'Σς', 'é', 'e\u0301', 'ﬁ', 'Ａ', '字', '山田', 'ابجد', 'שלום', 'Ⅷ', '👩‍🚀', '🎉', 'علی‌رضا'],
].flat()
const difficultNameArbitrary = fc.oneof(
  fc.array(fc.constantFrom(...NAME_PARTS), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
  fc
    .array(fc.constantFrom(...NAME_PARTS), { minLength: 40, maxLength: 80 })
    .map((pieces) => Array.from(pieces.join('')).slice(0, 80).join('')),
)

async function keepAcceptedNames(
  names: readonly string[],
  take: (name: string, index: number) => Promise<{ status: number }>,
) {
  const kept: string[] = []
  for (const [index, one] of names.entries()) if ((await take(one, index)).status === 200) kept.push(one)
  return kept
}

interface NameSample {
  readonly people: readonly (readonly [name: string, id: number])[]
  readonly groups: readonly string[]
  readonly channels: readonly string[]
}

/**
 * Gives people, groups, and channels the same difficult names, and two people the same name. Deactivates one person.
 */
async function assignNames({ owner, user, friend }: Team, names: readonly string[]): Promise<NameSample> {
  const rename = async (who: TestUser, full_name: string) => owner.try('PATCH', `/users/${who.id}`, { full_name })
  const people: (readonly [string, number])[] = []
  for (const one of names) {
    const person = await user('Somebody')
    if ((await rename(person, one)).status !== 200) continue
    const { user: now } = await owner.call('GET', `/users/${person.id}`)
    people.push([now.full_name, person.id])
  }
  const [[first] = ['']] = people
  const twin = await user('Somebody')
  await rename(twin, first)
  people.push([first, twin.id])
  const gone = await user('Gone _Away_')
  await owner.call('DELETE', `/users/${gone.id}`)
  people.push(['Gone _Away_', gone.id], ['Fred Friend', friend.id])
  const groups = await keepAcceptedNames(names, async (one) =>
    owner.try('POST', '/user_groups/create', { name: one, description: '', members: [friend.id] }),
  )
  const channels = await keepAcceptedNames(names, async (one) =>
    owner.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: one }] }),
  )
  return { people, groups, channels }
}

function paragraphsWithNames({ people, groups, channels }: NameSample): string[] {
  const someId = people[0]?.[1] ?? 0
  const around = (text: string): string[] => [text, `*${text}*`, `> ${text}`, `(${text}), a${text}b`, `[${text}](/x)`]
  return [
    ...people.flatMap(([one, id]) => [
      ...around(`@**${one}**`),
      ...around(`@_**${one}|${id}**`),
      `@**|${id}** @**${one}|${someId}** @**${one.toUpperCase()}** @**${one} ** **@**${one}****`,
    ]),
    ...[...groups, ...groups.map((one) => one.toUpperCase())].flatMap((one) => [...around(`@*${one}*`), `@_*${one}*`]),
    ...[...channels, ...channels.map((one) => one.toUpperCase())].flatMap((one) => [
      ...around(`#**${one}**`),
      `#**${one}>${one}** #**${one}>a>b@7**`,
    ]),
  ]
}

function joinIntoMessages(all: readonly string[]): string[] {
  const whole: string[] = []
  for (const one of all) {
    const last = whole.at(-1)
    if (last !== undefined && last.length + one.length < 5_000) whole[whole.length - 1] = `${last}\n\n${one}`
    else whole.push(one)
  }
  return whole
}

declare global {
  interface Window {
    /** Texts sent to the renderer, and the HTML that it returned. */
    heard: { source: string; html: string | undefined }[]
  }
}

async function recordRenderings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard: { source: string; html: string | undefined }[] = []
    window.heard = heard
    window.Worker = class extends Worker {
      constructor(...of: ConstructorParameters<typeof Worker>) {
        super(...of)
        this.addEventListener('message', ({ data }: MessageEvent<{ kind: string; html: string }>) => {
          const last = heard.at(-1)
          if (data.kind === 'rendered' && last !== undefined) last.html = data.html
        })
      }
      override postMessage(message: { kind: string; source: string }): void {
        if (message.kind === 'render') heard.push({ source: message.source, html: undefined })
        super.postMessage(message)
      }
    }
  })
}

async function renderInBrowser(page: Page, text: string): Promise<string> {
  await composer(page).fill(text)
  const found = async (): Promise<string | undefined> =>
    page.evaluate((source) => window.heard.findLast((one) => one.source === source)?.html, text.trimEnd())
  await expect.poll(found).toBeDefined()
  return (await found()) ?? ''
}

describe.skipIf(!hasBrowser)('mentions and channel links in the browser', () => {
  it('resolves names in the browser as the server does, whatever their characters', async () => {
    const team = await createTeamOn(server())
    const { owner, channelId } = team
    const count = effort(60)
    const named = await assignNames(team, [...new Set(fc.sample(difficultNameArbitrary, { numRuns: count, seed: 1 }))])
    expect(named.people.length).toBeGreaterThan(count / 4)
    expect(named.groups.length).toBeGreaterThan(count / 6)
    expect(named.channels.length).toBeGreaterThan(count / 6)
    const page = await openAs(browser(), owner)
    await recordRenderings(page)
    await page.goto(new URL(`/c/${channelId}/t/beans`, page.url()).href)
    await composer(page).fill('A text')
    await page.getByRole('button', { name: 'Preview' }).click()
    let mentions = 0
    for (const text of joinIntoMessages(paragraphsWithNames(named))) {
      const { rendered } = await owner.call('POST', '/messages/render', { content: text })
      const [expected, shown] = [rendered.split('\n'), (await renderInBrowser(page, text)).split('\n')]
      expect(shown).toEqual(expected)
      mentions += [...rendered.matchAll(/class="(?:user-mention|user-group-mention|stream)/g)].length
    }
    expect(mentions).toBeGreaterThan(3 * count)
  })
})
