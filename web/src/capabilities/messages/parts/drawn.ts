import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { whenIdle } from '../../../platform/dom/idle.ts'
import type { MessageWindow } from '../../../platform/messages/window.ts'

/** What is drawn at once of a list that opens, which fills a large screen: messages before the one at which it opens, and from it on. */
const BEFORE = 15
const FROM = 35

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
  const at = anchor === undefined ? -1 : ids.indexOf(anchor)
  return at === -1 ? ids.slice(-(BEFORE + FROM)) : ids.slice(Math.max(0, at - BEFORE), at + FROM)
}
