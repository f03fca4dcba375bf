import { EmojiSign } from '../../reactions/parts/emoji.tsx'
import { emojiOf, statusOf } from '../status.ts'

/** The emoji of a person's status; its text is the tooltip. */
export function StatusSign({ userId }: { readonly userId: number }) {
  const status = statusOf(userId)
  const emoji = status === undefined ? undefined : emojiOf(status)
  if (status === undefined || emoji === undefined) return null
  return (
    <span class="status-sign" title={status.status_text}>
      <EmojiSign emoji={emoji} />
    </span>
  )
}
