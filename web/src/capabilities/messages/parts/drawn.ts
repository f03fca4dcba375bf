import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { whenIdle } from '../../../platform/dom/idle.ts'
import { messages } from '../../../platform/client.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { fontSize } from '../../appearance/state.ts'
import { isSaidOn } from './said-on.ts'

/** The least height of a message, in sizes of the text: a line, or the picture of its author beside it, with what is around them. */
const LEAST = { line: 1.2, picture: 2.5 } as const

/**
 * The messages of a window that are drawn: of one that opens those that are in view, and the others when these have been
 * painted. A window has 120 messages, of which ten are seen.
 */
export function useDrawn(window: MessageWindow): readonly number[] {
  const whole = useSignal(-1)
  const { value: opening } = window.openings
  const { value: ids } = window.ids
  useEffect(
    () =>
      whenIdle(() => {
        whole.value = opening
      }),
    [window, opening],
  )
  const isWhole = whole.value === opening
  return useMemo(() => (isWhole ? ids : around(ids, window.anchor.peek()?.id)), [ids, isWhole])
}

/** As many messages as fill the window, and for a third of it those before the place at which the list opens. */
function around(ids: readonly number[], anchor: number | undefined): readonly number[] {
  const room = window.innerHeight / fontSize.read()
  const at = anchor === undefined ? -1 : ids.indexOf(anchor)
  if (at === -1) return ids.slice(-filling(ids.toReversed(), room))
  return ids.slice(
    Math.max(0, at - filling(ids.slice(0, at).toReversed(), room / 3)),
    at + filling(ids.slice(at), room),
  )
}

/** How many of the messages, one after the other, fill a room at most. @param room in sizes of the text */
function filling(ids: readonly number[], room: number): number {
  let filled = 0
  const last = ids.findIndex((id, index) => {
    filled += leastHeight(ids[index - 1], id)
    return filled >= room
  })
  return last === -1 ? ids.length : last + 1
}

/** What a message takes at least that stands beside another. Going upwards, that of an author who wrote the next one counts as a line. */
function leastHeight(neighbour: number | undefined, id: number): number {
  const [one, other] = [messages.get(neighbour ?? 0)?.peek(), messages.get(id)?.peek()]
  const isOfSameAuthor = one !== undefined && other !== undefined && isSaidOn(one, other)
  return isOfSameAuthor ? LEAST.line : LEAST.picture
}
