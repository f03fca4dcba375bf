import { computed, signal } from '@preact/signals'
import { tl } from '../../kernel/later-texts.ts'
import { languageCode } from '../../kernel/strings.ts'
import germanEmoji from '../../strings/de/emoji.txt'
import englishEmoji from '../../strings/en/emoji.txt'
import { indexEmoji, searchEmoji, type SearchableEmoji } from './emoji-search.ts'
import { allEmoji, emojiKey, recentEmoji, type Emoji } from './state.ts'

export interface OfferedEmoji extends Emoji {
  readonly label: string
  readonly hasTones: boolean
}

export interface EmojiSection {
  readonly id: string
  readonly title: string
  /** Emoji that represents the section in the tab bar; undefined for an icon. */
  readonly sign?: Emoji | undefined
  readonly emoji: readonly OfferedEmoji[]
}

interface DescribedEmoji extends OfferedEmoji, SearchableEmoji {
  readonly group: string
}

const CUSTOM_SECTION_ID = 'custom'
const FALLBACK_GROUP = 'symbols'

/** In CLDR order, with the code of the emoji that represents each group. */
const EMOJI_GROUPS = [
  ['smileys', '1f600'],
  ['people', '1f44b'],
  ['animals', '1f43b'],
  ['food', '1f354'],
  ['travel', '2708'],
  ['activities', '26bd'],
  ['objects', '1f4a1'],
  ['symbols', '2705'],
  ['flags', '1f6a9'],
] as const

/** All emoji by key: custom emoji, then Unicode's in CLDR order. */
const describedEmoji = computed((): ReadonlyMap<string, DescribedEmoji> => {
  const namesByKey = new Map<string, [Emoji, ...Emoji[]]>()
  for (const emoji of allEmoji()) {
    const known = namesByKey.get(emojiKey(emoji))
    if (known === undefined) namesByKey.set(emojiKey(emoji), [emoji])
    else known.push(emoji)
  }
  const found = new Map<string, DescribedEmoji>()
  const add = (emoji: readonly [Emoji, ...Emoji[]], description: EmojiDescription | undefined): void => {
    const key = emojiKey(emoji[0])
    if (!found.has(key)) found.set(key, describeEmoji(emoji, description))
  }
  for (const emoji of namesByKey.values()) if (emoji[0].type === 'realm_emoji') add(emoji, undefined)
  for (const [code, description] of descriptions.value) {
    const emoji = namesByKey.get(`unicode_emoji:${code}`)
    if (emoji !== undefined) add(emoji, description)
  }
  // A newer server can have emoji for which this build has no description.
  for (const emoji of namesByKey.values()) add(emoji, undefined)
  return found
})

function describeEmoji(all: readonly [Emoji, ...Emoji[]], description: EmojiDescription | undefined): DescribedEmoji {
  const [emoji] = all
  return {
    ...emoji,
    label: description?.label ?? emoji.name.replaceAll('_', ' '),
    names: all.map(({ name }) => name),
    keywords: description?.keywords ?? '',
    group: emoji.type === 'realm_emoji' ? CUSTOM_SECTION_ID : (description?.group ?? FALLBACK_GROUP),
    hasTones: description?.hasTones === true,
  }
}

/** The groups are empty until the descriptions are loaded, so that their emoji appear in the right order. */
export const allSections = computed((): readonly EmojiSection[] => {
  const all = describedEmoji.value
  const inGroup = (id: string): readonly OfferedEmoji[] =>
    id !== CUSTOM_SECTION_ID && descriptions.value.size === 0
      ? []
      : [...all.values()].filter(({ group }) => group === id)
  const recent = recentEmoji().map((emoji) => all.get(emojiKey(emoji)) ?? describeEmoji([emoji], undefined))
  const custom = inGroup(CUSTOM_SECTION_ID)
  const texts = tl().emoji
  return [
    { id: 'recent', title: texts.recent, emoji: recent },
    ...(custom.length === 0 ? [] : [{ id: CUSTOM_SECTION_ID, title: texts.custom, sign: custom[0], emoji: custom }]),
    ...EMOJI_GROUPS.map(([id, code]): EmojiSection => {
      return { id, title: texts.groups[id], sign: { name: id, code, type: 'unicode_emoji' }, emoji: inGroup(id) }
    }),
  ]
})

/** Made by the first search, because splitting all names and keywords takes longer than showing the picker. */
const searchIndex = computed(() => [...describedEmoji.value.values()].map(indexEmoji))

export function findEmoji(query: string): readonly OfferedEmoji[] {
  const recent = new Set(recentEmoji().map(emojiKey))
  return searchEmoji(searchIndex.value, query, (emoji) => recent.has(emojiKey(emoji)))
}

/* Names and keywords of emoji from Unicode CLDR, in the person's language and in English. */

interface EmojiDescription {
  readonly label: string
  readonly group: string
  readonly hasTones: boolean
  readonly keywords: string
}

/** By code, in CLDR order. */
type Descriptions = ReadonlyMap<string, EmojiDescription>

const DESCRIPTION_FILES: Readonly<Record<string, string>> = { de: germanEmoji }

const descriptions = signal<Descriptions>(new Map())

let describedLanguage: string | undefined

export async function loadDescriptions(): Promise<void> {
  const language = languageCode()
  if (describedLanguage === language) return
  describedLanguage = language
  const file = DESCRIPTION_FILES[language]
  try {
    const [english, own] = await Promise.all([englishEmoji, file].map(readDescriptions))
    if (describedLanguage === language && english !== undefined) descriptions.value = addEnglishKeywords(english, own)
  } catch {
    // If offline, the picker offers the names that the server knows, and the next picker tries again.
    describedLanguage = undefined
  }
}

async function readDescriptions(file: string | undefined): Promise<Descriptions | undefined> {
  if (file === undefined) return undefined
  const response = await fetch(new URL(file, import.meta.url))
  if (!response.ok) throw new Error(`${file}: ${response.status}`)
  return parseDescriptions(await response.text())
}

/** Parses the files that `tools/emoji.js` writes. */
function parseDescriptions(text: string): Descriptions {
  const found = new Map<string, EmojiDescription>()
  let group = ''
  for (const line of text.split('\n')) {
    const [code = '', label, keywords = ''] = line.split('\t')
    if (line.startsWith('#') || line === '') continue
    if (label === undefined) group = code
    else
      found.set(code.replace('+', ''), {
        label,
        group,
        hasTones: code.endsWith('+'),
        keywords,
      })
  }
  return found
}

function addEnglishKeywords(english: Descriptions, own: Descriptions | undefined): Descriptions {
  if (own === undefined) return english
  return new Map(
    [...own].map(([code, description]) => {
      const { label = '', keywords = '' } = english.get(code) ?? {}
      return [code, { ...description, keywords: [description.keywords, label, keywords].join(' ') }]
    }),
  )
}
