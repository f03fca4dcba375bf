import { EXTRA_EMOJI } from '../capabilities/reactions/contract.ts'
import { emojiByShortName, loadShortNames } from '../platform/markdown/emoji/names.ts'
import type { NewEmoji } from './new-files.ts'
import type { NewReaction } from './new-messages.ts'

export type Emoji = Omit<NewReaction, 'userIds'>

export type EmojiFinder = (name: string) => Emoji | undefined

/** Returns a finder that prefers a custom emoji (`own`) to a standard emoji with the same name. */
export async function loadEmojiFinder(own: ReadonlyMap<string, NewEmoji>): Promise<EmojiFinder> {
  const standard = await loadShortNames('slack')
  return (given) =>
    emojiByShortName(given, (name): Emoji | undefined => {
      const mine = own.get(name.toLowerCase())
      if (mine !== undefined) return { type: 'realm_emoji', code: String(mine.id), name: mine.name }
      const found = standard.get(name)
      return found && { type: 'unicode_emoji', ...found }
    })
}

export const EXTRA_EMOJI_ITEM: Emoji = { type: 'service_extra_emoji', code: EXTRA_EMOJI, name: EXTRA_EMOJI }
