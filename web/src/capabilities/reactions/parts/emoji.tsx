import { emojiFromCode } from '../../../platform/dom/html.ts'
import { emojiPictureUrl, type Emoji } from '../state.ts'

/** The container provides the accessible name. */
export function EmojiSign({ emoji: { name, code, type } }: { readonly emoji: Emoji }) {
  if (type === 'unicode_emoji') return <span aria-hidden="true">{emojiFromCode(code)}</span>
  const picture = type === 'realm_emoji' ? emojiPictureUrl(code) : undefined
  return picture === undefined ? <span>:{name}:</span> : <img class="emoji" src={picture} alt="" />
}
