import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ApiNames } from '../../http/names.ts'
import { emojiCode, type EmojiNames } from './codes.ts'

const { resolve: resolveModule } = createRequire(import.meta.url)

/** Common names, preferred to less common names that come first in other lists. */
const PREFERRED_NAMES: Readonly<Record<string, string>> = {
  smile: '1f642',
  slight_smile: '1f642',
  big_smile: '1f604',
  frown: '1f641',
  slight_frown: '1f641',
  check: '2705',
  working_on_it: '1f6e0',
  thumbs_up: '1f44d',
  thumbs_down: '1f44e',
  peace_sign: '270c',
  ok: '1f44c',
  light_bulb: '1f4a1',
  question: '2753',
  exclamation: '2757',
  prohibited: '1f6ab',
  time_ticking: '23f3',
}

export type KnownNames = ReadonlyMap<string, readonly string[]>

const pendingLoads = new Map<ApiNames, Promise<EmojiNames>>()
const loadedNames = new Map<ApiNames, EmojiNames>()

export async function loadEmojiNames(apiNames: ApiNames = 'neutral'): Promise<EmojiNames> {
  const begun = pendingLoads.get(apiNames) ?? readEmojiNames(apiNames)
  pendingLoads.set(apiNames, begun)
  const names = await begun
  loadedNames.set(apiNames, names)
  return names
}

export function emojiNames(apiNames: ApiNames = 'neutral'): EmojiNames {
  const names = loadedNames.get(apiNames)
  if (!names) throw new Error('the emoji names were not loaded')
  return names
}

/** Merges existing clients' emoji names, short names (`tada`), and Unicode's (`party_popper`). Earlier lists win. */
async function readEmojiNames(apiNames: ApiNames): Promise<EmojiNames> {
  const [known, { gemoji }, unicode] = await Promise.all([readKnownNames(), import('gemoji'), readUnicodeNames()])
  const codeByKnownName = new Map([...known].flatMap(([code, names]) => names.map((name) => [name, code] as const)))
  const codeByName = new Map<string, string>()
  const add = (name: string, code: string): void => {
    if (!codeByName.has(name)) codeByName.set(name, codeByKnownName.get(name) ?? code)
  }
  for (const [name, code] of Object.entries(PREFERRED_NAMES)) add(name, code)
  for (const { emoji, names } of gemoji) for (const name of names) add(name, emojiCode(emoji))
  for (const [emoji, { slug }] of unicode) {
    if (slug.startsWith('flag_')) add(slug.slice('flag_'.length), emojiCode(emoji))
  }
  for (const [emoji, { slug }] of unicode) add(slug, emojiCode(emoji))
  for (const [name, code] of codeByKnownName) add(name, code)
  const neutral = namesByCode(codeByName)
  if (apiNames === 'neutral')
    return { apiNames, codeByName, namesByCode: neutral, compatibleName: (_code, given) => given }
  return {
    apiNames,
    codeByName,
    namesByCode: new Map([...neutral].map(([code, names]) => [code, moveToFront(known.get(code) ?? [], names)])),
    compatibleName(code, given) {
      const names = known.get(code)
      return names === undefined || names.includes(given) ? given : (names[0] ?? given)
    },
  }
}

function namesByCode(codeByName: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const [name, code] of codeByName) {
    const ofOne = names.get(code)
    if (ofOne === undefined) names.set(code, [name])
    else ofOne.push(name)
  }
  for (const ofOne of names.values()) ofOne.sort((a, b) => Number(isDescriptiveName(b)) - Number(isDescriptiveName(a)))
  return names
}

function moveToFront(first: readonly string[], all: readonly string[]): string[] {
  return [...first, ...all.filter((name) => !first.includes(name))]
}

function isDescriptiveName(name: string): boolean {
  return /^[a-z]..+/.test(name) && name !== 'thumbsup' && name !== 'thumbsdown'
}

/** Reads a separate file, so that most starts do not have to parse it. */
export async function readKnownNames(): Promise<KnownNames> {
  const lines = await readFile(resolveModule('#server/src/platform/markdown/emoji/known-names.txt'), 'utf8')
  return new Map(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [code = '', ...names] = line.split(' ')
        return [code, names]
      }),
  )
}

/** Slack's names are those of emoji-datasource. GitHub and other forges give some of them another meaning. */
export type ShortNameSource = 'slack' | 'github'

export interface NamedEmoji {
  readonly name: string
  readonly code: string
}

/** Early Slack names that later lists omit. */
const FORMER_SLACK_NAMES: readonly (readonly [name: string, code: string])[] = [
  ['simple_smile', '1f642'],
  ['thumbsup_all', '1f44d'],
]

const pendingShortNames = new Map<ShortNameSource, Promise<ReadonlyMap<string, NamedEmoji>>>()

export async function loadShortNames(source: ShortNameSource): Promise<ReadonlyMap<string, NamedEmoji>> {
  const begun = pendingShortNames.get(source) ?? makeShortNames(source)
  pendingShortNames.set(source, begun)
  return begun
}

async function makeShortNames(source: ShortNameSource): Promise<ReadonlyMap<string, NamedEmoji>> {
  const [short, { gemoji }, { codeByName, namesByCode: allNames }] = await Promise.all([
    readShortNames(),
    import('gemoji'),
    loadEmojiNames(),
  ])
  const ofGithub = gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emojiCode(emoji)] as const))
  const lists = source === 'slack' ? [ofGithub, short] : [short, ofGithub]
  const codes = new Map([...codeByName, ...FORMER_SLACK_NAMES, ...lists.flat()])
  return new Map(
    [...codes].flatMap(([name, code]) => {
      const [canonical] = allNames.get(code) ?? []
      if (canonical === undefined) return []
      return [[name, { code, name: codeByName.get(name) === code ? name : canonical }] as const]
    }),
  )
}

export async function readShortNames(): Promise<(readonly [name: string, code: string])[]> {
  const lines = await readFile(resolveModule('#server/src/platform/markdown/emoji/short-names.txt'), 'utf8')
  return lines
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [code = '', ...names] = line.split(' ')
      return names.map((name) => [name, code] as const)
    })
}

/** Matches the skin tone in a name, because all tones become one emoji. */
const SKIN_TONE_PATTERN =
  /(?:::skin[-_]tone[-_]\d(?:-\d)?|(?:_(?:medium_light|medium_dark|light|medium|dark)_skin_tone){1,2})$/

export function emojiByShortName<Found>(given: string, find: (name: string) => Found | undefined): Found | undefined {
  const plain = given.replace(SKIN_TONE_PATTERN, '')
  for (const name of [given, plain, plain.toLowerCase(), plain.toLowerCase().replaceAll('-', '_')]) {
    const found = find(name)
    if (found !== undefined) return found
  }
  return undefined
}

async function readUnicodeNames(): Promise<[emoji: string, { slug: string }][]> {
  const data: unknown = JSON.parse(await readFile(resolveModule('unicode-emoji-json/data-by-emoji.json'), 'utf8'))
  return Object.entries(data as Record<string, { slug: string }>) // safe: the documented format of that file
}
