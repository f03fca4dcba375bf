import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { runWhenCalm } from '../../../platform/dom/idle.ts'
import { messages } from '../../../platform/client.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { density, fontSize } from '../../appearance/state.ts'
import { continuesAuthor } from './rows.tsx'

/** Minimum heights relative to the font size: a line of text, or an avatar in each density, with margins. */
const MIN_HEIGHTS = { line: 1.2, compact: 1.6, comfortable: 2.5 } as const

/** Rows rendered per step. A larger number would delay key presses more. */
const ROWS_PER_STEP = 8

/** A window loads 120 messages, of which about ten are visible. The rest are rendered in steps, one per paint. */
export function useDrawnIds(window: MessageWindow): readonly number[] {
  const grown = useSignal({ opening: -1, steps: 0 })
  const { value: opening } = window.openings
  const { value: ids } = window.ids
  const steps = grown.value.opening === opening ? grown.value.steps : 0
  const drawn = useMemo(() => messagesToDraw(ids, window.anchor.peek()?.id, steps), [ids, steps])
  const isWhole = drawn.length === ids.length
  useEffect(() => {
    if (steps === Infinity) return undefined
    return runWhenCalm(() => {
      // Messages loaded later are rendered immediately.
      grown.value = { opening, steps: isWhole ? Infinity : steps + 1 }
    })
  }, [window, opening, steps, isWhole])
  return drawn
}

/** Returns the IDs of messages that fill the screen at the opening position, and of those added by finished steps. */
function messagesToDraw(ids: readonly number[], anchor: number | undefined, steps: number): readonly number[] {
  if (steps === Infinity) return ids
  const room = window.innerHeight / fontSize.read()
  const found = ids.indexOf(anchor ?? 0)
  const isAtEnd = found === -1
  const at = isAtEnd ? ids.length : found
  const more = steps * ROWS_PER_STEP
  return ids.slice(
    Math.max(0, at - countFilling(ids.slice(0, at).toReversed(), isAtEnd ? room : room / 3) - more),
    at + countFilling(ids.slice(at), room) + more,
  )
}

function countFilling(ids: readonly number[], room: number): number {
  let filled = 0
  const last = ids.findIndex((id, index) => {
    filled += minHeight(ids[index - 1], id)
    return filled >= room
  })
  return last === -1 ? ids.length : last + 1
}

/** A message that continues its author's block can be a single line. */
function minHeight(neighbor: number | undefined, id: number): number {
  const [one, other] = [messages.get(neighbor ?? 0)?.peek(), messages.get(id)?.peek()]
  const isOfSameAuthor = one !== undefined && other !== undefined && continuesAuthor(one, other)
  return MIN_HEIGHTS[isOfSameAuthor ? 'line' : density.read()]
}
