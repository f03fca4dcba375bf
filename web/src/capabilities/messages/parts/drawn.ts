import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { whenIdle } from '../../../platform/dom/idle.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'

/** No message is lower: as many as fill the window are drawn at once of a list that opens, and a third of them before its place. */
const LEAST_PIXELS = 24

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

function around(ids: readonly number[], anchor: number | undefined): readonly number[] {
  const most = Math.ceil(window.innerHeight / LEAST_PIXELS)
  const at = anchor === undefined ? -1 : ids.indexOf(anchor)
  return at === -1 ? ids.slice(-most) : ids.slice(Math.max(0, at - Math.ceil(most / 3)), at + most)
}
