import type { organizations } from '@parley/server/contract'
import { INTEGRATIONS } from '@parley/server/integrations'
import { expect, it } from 'vitest'
import { administration as administrationDe } from './de/administration.ts'
import { signedOut as signedOutDe } from './de/entrance.ts'
import { de } from './de/main.ts'
import { later as laterDe } from './de/later.ts'
import { security as securityDe } from './de/security.ts'
import { administration as administrationEn } from './en/administration.ts'
import { signedOut as signedOutEn } from './en/entrance.ts'
import { en } from './en/main.ts'
import { later as laterEn } from './en/later.ts'
import { security as securityEn } from './en/security.ts'

/** Words that are the same in both languages. */
const SHARED_WORDS = new Set(
  (
    'Administrator Apps Bot Bots Code Community DMs Desktop Details Domains Format Link Links Moderator Name Optional Passkey Passkeys Position ' +
    'Person Playgrounds Server Spam Spoiler System Text Token Tool Tools URL Version in offline optional Alt Enter Esc Tab G PG R Y KiB MB MiB ms px NaN undefined'
  ).split(' '),
)

const NAME_KEYS = /^app\.name$|^health\.node$|^services\.\w+\.title$/

const PLACEHOLDER = 'Xyz'

/** Each function accepts at least one of these argument lists. */
const ARGUMENT_LISTS: readonly (readonly unknown[])[] = [
  [PLACEHOLDER, PLACEHOLDER, PLACEHOLDER],
  [7, 7, 7],
  [PLACEHOLDER, 7, 7],
  [7, PLACEHOLDER, PLACEHOLDER],
  [[PLACEHOLDER], 7],
]

it.each([
  ['the client', en, de],
  ['administration', administrationEn, administrationDe],
  ['the signed-out pages', signedOutEn, signedOutDe],
  ['later parts', laterEn, laterDe],
  ['security settings', securityEn, securityDe],
  ['integrations', integrationTexts('en'), integrationTexts('de')],
])('translates every text of %s into German', (_, english, german) => {
  const translations = textsOf(german)
  const same = [...textsOf(english)].filter(([key, text]) => !NAME_KEYS.test(key) && translations.get(key) === text)
  const untranslated = same.flatMap(([key, text]) =>
    (text.match(/\p{L}+/gu) ?? [])
      .filter((word) => word !== PLACEHOLDER && !SHARED_WORDS.has(word))
      .map((word) => `${key}: ${word}`),
  )
  expect(untranslated).toEqual([])
})

function integrationTexts(language: organizations.ClientLanguage): object {
  return { services: Object.fromEntries(INTEGRATIONS.map(({ name, texts }) => [name, texts[language]])) }
}

/** Flattens texts by key path. Calls each function once per argument list. */
function textsOf(strings: object, path = ''): Map<string, string> {
  const texts = new Map<string, string>()
  const entries: [string, unknown][] = Object.entries(strings)
  for (const [key, value] of entries) {
    const at = path === '' ? key : `${path}.${key}`
    if (typeof value === 'string') texts.set(at, value)
    else if (isFunction(value)) ARGUMENT_LISTS.forEach((args, index) => addResult(texts, `${at}.${index}`, value, args))
    else if (typeof value === 'object' && value !== null)
      for (const [inner, text] of textsOf(value, at)) texts.set(inner, text)
  }
  return texts
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function'
}

function addResult(
  texts: Map<string, string>,
  key: string,
  text: (...args: readonly unknown[]) => unknown,
  args: readonly unknown[],
): void {
  try {
    const result = text(...args)
    if (typeof result === 'string') texts.set(key, result)
  } catch {
    // Not every function accepts every argument list.
  }
}
