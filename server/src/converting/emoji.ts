import { EXTRA_EMOJI } from '../capabilities/reactions/contract.ts'
import type { EmojiNames } from '../platform/markdown/emoji/codes.ts'
import type { NewEmoji } from './new-files.ts'
import type { NewReaction } from './new-messages.ts'

type Emoji = Omit<NewReaction, 'userIds'>

/** Which emoji is meant by a name that another service has for it; undefined for one that nobody knows. */
export function emojiNamed(given: string, names: EmojiNames, own: ReadonlyMap<string, NewEmoji>): Emoji | undefined {
  // All colors of a hand are one emoji.
  const name = given.replace(/(::|_)skin[-_]tone[-_]\d$|_(?:light|medium|dark|medium_light|medium_dark)_skin_tone$/, '')
  const mine = own.get(name.toLowerCase())
  if (mine !== undefined) return { type: 'realm_emoji', code: String(mine.id), name: mine.name }
  for (const candidate of candidatesOf(name)) {
    const code = names.codeByName.get(candidate)
    if (code !== undefined) return { type: 'unicode_emoji', code, name: candidate }
  }
  return undefined
}

function candidatesOf(name: string): string[] {
  const plain = name.toLowerCase().replaceAll('-', '_')
  const country = /^flag_([a-z]{2})$/.exec(plain)?.[1]
  return [name, plain, ...(country === undefined ? [] : [country]), ...(Object.hasOwn(SHORT_NAMES, plain) ? (SHORT_NAMES[plain] ?? []) : [])]
}

/** Names that are usual elsewhere alone. */
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = {
  simple_smile: ['slight_smile'],
  slightly_smiling_face: ['slight_smile'],
  thumbsup_all: ['+1'],
  white_check_mark: ['check'],
  heavy_check_mark: ['check_mark'],
}

/** The one emoji that is neither one of Unicode nor of the organization's own. */
export const EXTRA: Emoji = { type: 'service_extra_emoji', code: EXTRA_EMOJI, name: EXTRA_EMOJI }
