import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { EXTRA_EMOJI } from '../capabilities/reactions/contract.ts'
import { emojiCode } from '../platform/markdown/emoji/codes.ts'
import { loadEmojiNames } from '../platform/markdown/emoji/names.ts'
import type { NewEmoji } from './new-files.ts'
import type { NewReaction } from './new-messages.ts'

const { resolve } = createRequire(import.meta.url)

export type Emoji = Omit<NewReaction, 'userIds'>

export type EmojiFinder = (name: string) => Emoji | undefined

/** All skin tones become one emoji. */
const COLOR = /(?:::skin[-_]tone[-_]\d|(?:_(?:medium_light|medium_dark|light|medium|dark)_skin_tone){1,2})$/
/** Early Slack names that later lists omit. */
const FORMER: readonly (readonly [name: string, code: string])[] = [
  ['simple_smile', '1f642'],
  ['thumbsup_all', '1f44d'],
]

/**
 * Uses the short names of emoji-datasource and, for Mattermost, those of GitHub as well. `own` custom emoji take
 * precedence.
 */
export async function loadEmojiFinder(own: ReadonlyMap<string, NewEmoji>): Promise<EmojiFinder> {
  const [short, { gemoji }, { codeByName, namesByCode }] = await Promise.all([
    readShortNames(),
    import('gemoji'),
    loadEmojiNames(),
  ])
  const codes = new Map([
    ...codeByName,
    ...FORMER,
    ...gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emojiCode(emoji)] as const)),
    ...short,
  ])
  return (given) => {
    const plain = given.replace(COLOR, '')
    for (const name of [given, plain, plain.toLowerCase(), plain.toLowerCase().replaceAll('-', '_')]) {
      const mine = own.get(name.toLowerCase())
      if (mine !== undefined) return { type: 'realm_emoji', code: String(mine.id), name: mine.name }
      const code = codes.get(name)
      const [canonical] = namesByCode.get(code ?? '') ?? []
      if (code === undefined || canonical === undefined) continue
      return { type: 'unicode_emoji', code, name: codeByName.get(name) === code ? name : canonical }
    }
    return undefined
  }
}

export async function readShortNames(): Promise<(readonly [name: string, code: string])[]> {
  const lines = await readFile(resolve('#server/src/converting/short-names.txt'), 'utf8')
  return lines
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [code = '', ...names] = line.split(' ')
      return names.map((name) => [name, code] as const)
    })
}

export const EXTRA_EMOJI_ITEM: Emoji = { type: 'service_extra_emoji', code: EXTRA_EMOJI, name: EXTRA_EMOJI }
