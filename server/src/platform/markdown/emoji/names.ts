import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Unicode emoji by the names that people type. A code is `1f44d`, or `1f1eb-1f1f7` for several code points. */
export interface EmojiNames {
  readonly codeByName: ReadonlyMap<string, string>
  /** The name to show first, then the others. */
  readonly namesByCode: ReadonlyMap<string, readonly string[]>
}

/** Names that chat apps give another emoji than the two name lists do, or that neither has. */
const CHAT_NAMES: Readonly<Record<string, string>> = {
  smile: '1f642',
  slight_smile: '1f642',
  big_smile: '1f604',
  frown: '1f641',
  slight_frown: '1f641',
  sad: '1f622',
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

let loading: Promise<EmojiNames> | undefined
let loaded: EmojiNames | undefined

/** Reads the names once, when the first text needs them. */
export async function loadEmojiNames(): Promise<EmojiNames> {
  loading ??= readEmojiNames()
  loaded = await loading
  return loaded
}

export function emojiNames(): EmojiNames {
  if (!loaded) throw new Error('the emoji names were not loaded')
  return loaded
}

/** The code of an emoji character or sequence, with or without the sign that asks for its coloured form. */
export function emojiCode(characters: string): string {
  return Array.from(characters, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter((code) => code !== 'fe0f')
    .join('-')
}

/**
 * Two lists: the short names that became customary (`tada`) and those of Unicode (`party_popper`). Where both use a
 * name, the customary meaning wins: `:dog:` is a face.
 */
async function readEmojiNames(): Promise<EmojiNames> {
  const { gemoji } = await import('gemoji')
  const unicode = await readUnicodeNames()
  const codeByName = new Map<string, string>(Object.entries(CHAT_NAMES))
  const add = (name: string, emoji: string) => {
    if (!codeByName.has(name)) codeByName.set(name, emojiCode(emoji))
  }
  for (const { emoji, names } of gemoji) for (const name of names) add(name, emoji)
  for (const [emoji, { slug }] of unicode) if (slug.startsWith('flag_')) add(slug.slice('flag_'.length), emoji)
  for (const [emoji, { slug }] of unicode) add(slug, emoji)
  return { codeByName, namesByCode: namesByCode(codeByName) }
}

function namesByCode(codeByName: ReadonlyMap<string, string>): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const [name, code] of codeByName) names.set(code, [...(names.get(code) ?? []), name])
  for (const ofOne of names.values()) ofOne.sort((a, b) => Number(tellsMore(b)) - Number(tellsMore(a)))
  return names
}

/** `+1`, `100` and `fr` are typed, but in a tooltip `thumbs_up`, `hundred_points` and `france` say more. */
function tellsMore(name: string): boolean {
  return /^[a-z]..+/.test(name) && name !== 'thumbsup' && name !== 'thumbsdown'
}

async function readUnicodeNames(): Promise<[emoji: string, { slug: string }][]> {
  const path = createRequire(import.meta.url).resolve('unicode-emoji-json/data-by-emoji.json')
  const data: unknown = JSON.parse(await readFile(path, 'utf8'))
  return Object.entries(data as Record<string, { slug: string }>) // the documented form of that file
}
