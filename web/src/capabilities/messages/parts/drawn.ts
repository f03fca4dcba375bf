import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { whenCalm } from '../../../platform/dom/idle.ts'
import { messages } from '../../../platform/client.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { fontSize } from '../../appearance/state.ts'
import { isSaidOn } from './said-on.ts'

/** The least height of a message, in sizes of the text: a line, or the picture of its author beside it, with what is around them. */
const LEAST = { line: 1.2, picture: 2.5 } as const

/** So many more messages are drawn before and behind those that are, each time these have been painted: a press waits for no more. */
const STEP = 8

/**
 * The messages of a window that are drawn: of one that opens those that are in view, and the others step by step when these have
 * been painted. A window has 120 messages, of which ten are seen.
 */
export function useDrawn(window: MessageWindow): readonly number[] {
  const grown = useSignal({ opening: -1, steps: 0 })
  const { value: opening } = window.openings
  const { value: ids } = window.ids
  const steps = grown.value.opening === opening ? grown.value.steps : 0
  const drawn = useMemo(() => around(ids, window.anchor.peek()?.id, steps), [ids, steps])
  const isWhole = drawn.length === ids.length
  useEffect(() => {
    if (steps === Infinity) return undefined
    return whenCalm(() => {
      // What is read in from now on is drawn at once.
      grown.value = { opening, steps: isWhole ? Infinity : steps + 1 }
    })
  }, [window, opening, steps, isWhole])
  return drawn
}

/** As many messages as fill the window, and for a third of it those before the place at which the list opens; and those of some steps. */
function around(ids: readonly number[], anchor: number | undefined, steps: number): readonly number[] {
  if (steps === Infinity) return ids
  const room = window.innerHeight / fontSize.read()
  const found = ids.indexOf(anchor ?? 0)
  const isAtEnd = found === -1
  const at = isAtEnd ? ids.length : found
  const more = steps * STEP
  return ids.slice(
    Math.max(0, at - filling(ids.slice(0, at).toReversed(), isAtEnd ? room : room / 3) - more),
    at + filling(ids.slice(at), room) + more,
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
