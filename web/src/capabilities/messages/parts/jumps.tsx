import type { Capability } from '../../../kernel/capability.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { conversationOf } from '../../../kernel/route.ts'
import { messages } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { unreadOf } from '../../unread/state.ts'
import { jumpButtons, type JumpButtonsProps } from './scrolling.ts'

/** Loads after the first paint, unlike the rest of the list. */
export const jumps: Capability = {
  name: 'jumps',
  begin: () => {
    jumpButtons.value = JumpButtons
  },
}

/** A component of its own, because it renders whenever the list scrolls by a row. */
function JumpButtons({ window, position: { isAtEnd, topmost, lowest }, toEnd }: JumpButtonsProps) {
  const { above, below } = countUnreadOutOfView(window, topmost.value, lowest.value)
  return (
    <>
      {above > 0 && (
        <button class="to-newest to-unread" onClick={() => messages.reload(window, 'first_unread')}>
          {tl().messages.unreadAbove(above)}
        </button>
      )}
      {!isAtEnd.value && (
        <button class="to-newest" onClick={() => toEnd()}>
          <Icon name="down" size={16} />
          {tl().messages.toNewest(below)}
        </button>
      )}
    </>
  )
}

interface UnreadOutOfView {
  readonly above: number
  readonly below: number
}

/** Includes unread messages of a conversation that are not loaded: they are above if its newest messages are loaded. */
function countUnreadOutOfView(window: MessageWindow, topmost = 0, lowest = 0): UnreadOutOfView {
  const { value: ids } = window.ids
  const [first, last] = [ids.indexOf(topmost), ids.indexOf(lowest)]
  const total = unreadOf(window.place)?.count ?? 0
  const isConversation = conversationOf(window.place) !== undefined
  if (first === -1 || (isConversation && total === 0)) return { above: 0, below: 0 }
  const unreadIn = (some: readonly number[]): number =>
    some.filter((id) => messages.get(id)?.value.flags.includes('read') === false).length
  const below = unreadIn(ids.slice(last + 1))
  if (!isConversation) return { above: 0, below }
  const above = unreadIn(ids.slice(0, first))
  const outOfView = Math.max(0, total - unreadIn(ids.slice(first, last + 1)))
  if (window.atNewest.value) return { above: outOfView - below, below }
  return { above, below: Math.max(0, outOfView - above) }
}
