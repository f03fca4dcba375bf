import { t } from '../../kernel/strings.ts'
import { toast } from '../overlay/toasts.tsx'
import { hasSingleKeys } from './choices.ts'
import { hasOverlay, isWriting, takeShortcut } from './keys.ts'

/** The longest time between two letters of a word; shortcuts are farther apart. */
const TYPING_MILLISECONDS = 250
/** A pause after which the next letter is a shortcut again. */
const PAUSE_MILLISECONDS = 1_000

/** Keys pressed in a row while no field has the focus. */
interface Burst {
  readonly key: string
  readonly at: number
  readonly isSearch: boolean
  readonly isTyping: boolean
}

let burst: Burst | undefined

/** A text typed while no field has the focus runs at most one shortcut: that of its first letter. */
export function stopStrayText(): void {
  const options = { capture: true }
  window.addEventListener(
    'keydown',
    (event) => {
      if (!isStray(event)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    options,
  )
  window.addEventListener(
    'click',
    () => {
      burst = undefined
    },
    options,
  )
}

function isStray({ key, timeStamp: at, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (/^(Shift|CapsLock|Dead)$/.test(key)) return false
  const before = burst
  burst = undefined
  const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey
  const continues = isText || (before?.isTyping === true && /^(Enter|Backspace)$/.test(key))
  if (!continues || isWriting(document.activeElement) || !hasSingleKeys.read()) return false
  if (before === undefined || at - before.at > (before.isTyping ? PAUSE_MILLISECONDS : TYPING_MILLISECONDS)) {
    takeShortcut()
    if (isText)
      burst = {
        key,
        at,
        isSearch: hasOverlay() || (document.activeElement?.closest('[data-item]') ?? null) !== null,
        isTyping: false,
      }
    return false
  }
  // The same key again repeats a shortcut.
  const isWord = key !== before.key && /\p{L}/u.test(key) && !before.isSearch
  burst = { ...before, key, at, isTyping: before.isTyping || isWord }
  if (isWord && !before.isTyping) toast(t().keys.stray(takeShortcut()))
  return burst.isTyping
}
