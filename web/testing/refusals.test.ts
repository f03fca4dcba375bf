import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isTest } from '../../server/src/testing/architecture/sources.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { refusals } from '../src/strings/de/refusals.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'
import { createTeamOn, type Team } from './team.ts'
import { isTooWide } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()
const SERVER_SOURCE = join(dirname(fileURLToPath(import.meta.url)), '../../server/src')

const LEXEMES = [
  /\/\*[\s\S]*?\*\//,
  /\/\/[^\n]*/,
  /(?<=[=(,:]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//,
  /'(?:\\.|[^'\\\n])*'/,
  /"(?:\\.|[^"\\\n])*"/,
  /`(?:\\.|[^`\\])*`/,
]
const COMMENT_PATTERN_OR_STRING = new RegExp(LEXEMES.map(({ source }) => source).join('|'), 'g')
const INTERPOLATION = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g

/** Extracts all strings of a source; joins concatenated strings, and replaces interpolations with `{}`. */
function extractStrings(source: string): string[] {
  const texts: string[] = []
  let end = -1
  for (const { 0: lexeme, index } of source.matchAll(COMMENT_PATTERN_OR_STRING)) {
    if (lexeme.startsWith('/')) continue
    const text = lexeme.slice(1, -1).replaceAll(INTERPOLATION, '{}').replaceAll(/\\(.)/g, '$1')
    const isMore = end !== -1 && /^\s*\+\s*$/.test(source.slice(end, index))
    texts.push(isMore ? (texts.pop() ?? '') + text : text)
    end = index + lexeme.length
  }
  return texts
}

function serverStrings(): ReadonlySet<string> {
  const files = readdirSync(SERVER_SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isTest(relative(SERVER_SOURCE, path)))
  return new Set(files.flatMap((path) => extractStrings(readFileSync(path, 'utf8'))))
}

function findUnsentSentences(sentences: readonly string[]): string[] {
  const said = serverStrings()
  return sentences.filter((sentence) => !said.has(sentence))
}

describe('German refusals', () => {
  it('translates only sentences that the server sends', () => {
    expect(findUnsentSentences(Object.keys(refusals))).toEqual([])
  })

  it('detects translations of sentences that the server no longer sends', () => {
    expect(findUnsentSentences(['Name too short!', 'Name too short.'])).toEqual(['Name too short.'])
    expect(findUnsentSentences(["Email '{}' already in use", "E-mail '{}' already in use"])).toEqual([
      "E-mail '{}' already in use",
    ])
  })

  it('uses no more placeholders in a German error message than in its English original', () => {
    const blanks = (text: string): number => text.split('{}').length
    expect(Object.entries(refusals).filter(([sentence, text]) => blanks(text) > blanks(sentence))).toEqual([])
  })
})

const THEMES = ['light', 'dark'] as const

describe.skipIf(!hasBrowser)('refusals on German pages', () => {
  const team = async (): Promise<Team> => {
    const made = await createTeamOn(server())
    await made.owner.call('PATCH', '/realm', { default_language: 'de' })
    for (const user of [made.owner, made.friend]) await user.call('PATCH', '/settings', { default_language: 'de' })
    return made
  }

  it.each(THEMES)('shows error messages in German on the join page in a %s theme on a phone', async (colorScheme) => {
    const { owner } = await team()
    const { invite_link: link } = await owner.call('POST', '/invites/multiuse', {})
    const context = await openWindow(browser(), {
      locale: 'de-DE',
      colorScheme,
      viewport: { width: 320, height: 700 },
    })
    const page = await context.newPage()
    await page.goto(link)
    const submit = async (name: string, email: string): Promise<void> => {
      await page.getByLabel('E-Mail-Adresse').fill(email)
      await page.getByLabel('Dein Name').fill(name)
      await page.getByLabel('Passwort').fill('seven purple elephants')
      await page.getByRole('button', { name: 'Beitreten' }).click()
    }
    const says = async (text: string): Promise<void> => page.getByRole('alert').filter({ hasText: text }).waitFor()
    await submit('Notification Bot', 'nora@example.org')
    await says('Dieser Name ist schon vergeben.')
    await owner.call('POST', '/realm/domains', { domain: 'hill.example', allow_subdomains: false })
    await owner.call('PATCH', '/realm', { emails_restricted_to_domains: true })
    await submit('Nora New', 'nora@example.org')
    await says('Diese Organisation lässt die Domain von nora@example.org nicht zu.')
    expect([await isTooWide(page), await accessibilityFaults(page)]).toEqual([false, []])
  })

  it('shows an error message in German, quoting the rejected value, in settings', async () => {
    const { owner } = await team()
    const page = await openAs(browser(), owner, '/settings/joining', { locale: 'de-DE' })
    await page.getByLabel('Domain, zum Beispiel example.com').fill('no domain')
    await page.getByRole('button', { name: 'Domain hinzufügen' }).click()
    await page.getByText('no domain ist keine gültige Domain.').waitFor()
    expect(await page.getByText('Invalid domain').count()).toBe(0)
  })

  it('shows error messages in conversations in the language that the person chose', async () => {
    const { friend, channelId } = await team()
    const page = await openAs(browser(), friend, `/c/${channelId}/t/beans`, { locale: 'de-DE' })
    const sendWithFile = async (words: string): Promise<number> => {
      const file = { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('') }
      await page.locator('.composer input[type=file]').setInputFiles(file)
      await page
        .getByText(/Die Datei ist leer\.|The file is empty/)
        .last()
        .waitFor()
      return page.getByText(words).count()
    }
    // Translations load after the client.
    await expect.poll(async () => sendWithFile('Die Datei ist leer.')).toBeGreaterThan(0)
    await friend.call('PATCH', '/settings', { default_language: 'en' })
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor()
    await expect.poll(async () => sendWithFile('The file is empty')).toBeGreaterThan(0)
  })
})
