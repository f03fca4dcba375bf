import { t } from '../../kernel/strings.ts'
import { toast } from '../overlay/toasts.tsx'
import { hasSingleKeys } from './choices.ts'
import {
  availableCommands,
  combinationsOf,
  hasOverlay,
  isWriting,
  recordShortcut,
  takeShortcut,
  findByKeys,
} from './keys.ts'

/** Longest time between two letters of a typed word. Shortcuts are farther apart. */
const MAX_TYPING_GAP_MILLISECONDS = 250
/** After a pause of this length, the next letter is a shortcut again. */
const MIN_PAUSE_MILLISECONDS = 1_000

/** Commands that only move between messages or conversations. The first part of an ID is the kind of move. */
const MOVE_COMMANDS: ReadonlySet<string> = new Set([
  'messages.down',
  'messages.up',
  'go.nextUnread',
  'go.nextDirect',
  'triage.skip',
  'triage.back',
])

/** Keys pressed in a row while no field has the focus. */
interface KeyBurst {
  readonly key: string
  readonly at: number
  readonly isSearch: boolean
  /** Kind of moves, if all keys were moves of one kind. */
  readonly moves: string | undefined
  readonly isTyping: boolean
}

/** Key press that waits until it is clear whether it is a shortcut or the second letter of a word. */
interface HeldKey {
  readonly event: KeyboardEvent
  readonly timer: ReturnType<typeof setTimeout>
}

let currentBurst: KeyBurst | undefined
let heldKey: HeldKey | undefined
let releasedKey: KeyboardEvent | undefined

/**
 * Lets text typed while no field has the focus run at most one shortcut: that of its first letter. Moves of
 * one kind, such as `j` and `k`, are repeated and combined quickly, so they alone are never text. Another letter right
 * after a move waits: it is a shortcut (`j`, `e`) if no letter follows in time, and otherwise part of a word (`just`).
 */
export function preventAccidentalShortcuts(): void {
  const options = { capture: true }
  window.addEventListener(
    'keydown',
    (event) => {
      if (event === releasedKey || !isAccidental(event)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    options,
  )
  window.addEventListener(
    'click',
    () => {
      takeHeldKey()
      currentBurst = undefined
    },
    options,
  )
}

function isAccidental(event: KeyboardEvent): boolean {
  const { key, timeStamp: at, ctrlKey, metaKey, altKey } = event
  if (/^(Shift|CapsLock|Dead)$/.test(key)) return false
  if (event.repeat && key === heldKey?.event.key) return true
  const before = currentBurst
  currentBurst = undefined
  const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey
  const mayEnd = before?.isTyping === true || heldKey !== undefined
  const continues = isText || (mayEnd && /^(Enter|Backspace)$/.test(key))
  if (!continues || isWriting(document.activeElement) || !hasSingleKeys.read()) {
    releaseHeldKey()
    return false
  }
  if (
    before === undefined ||
    at - before.at > (before.isTyping ? MIN_PAUSE_MILLISECONDS : MAX_TYPING_GAP_MILLISECONDS)
  ) {
    releaseHeldKey()
    if (isText) startBurst(event)
    return false
  }
  const moves = before.moves === undefined ? undefined : moveCommandKind(event)
  const isMoving = moves !== undefined && moves === before.moves
  // Pressing the same key again repeats a shortcut.
  const isWord = !isMoving && key !== before.key && /\p{L}/u.test(key) && !before.isSearch
  const isTyping = before.isTyping || takeHeldKey() !== undefined || (isWord && before.moves === undefined)
  currentBurst = { ...before, key, at, moves: isMoving ? moves : undefined, isTyping }
  if (!isTyping && !isWord) return false
  const ran = takeShortcut()
  // Keeps the keys typed after the shortcut out of the view that it opens.
  recordShortcut(ran)
  if (!isTyping) holdKey(event)
  else if (!before.isTyping) toast(t().keys.stray(ran))
  return true
}

function startBurst(event: KeyboardEvent): void {
  takeShortcut()
  currentBurst = {
    key: event.key,
    at: event.timeStamp,
    isSearch: hasOverlay() || document.querySelector('[data-by-keys] :focus') !== null,
    moves: moveCommandKind(event),
    isTyping: false,
  }
}

function moveCommandKind(event: KeyboardEvent): string | undefined {
  const id = findByKeys(availableCommands(), combinationsOf(event))?.id
  return id !== undefined && MOVE_COMMANDS.has(id) ? id.split('.')[0] : undefined
}

function holdKey(event: KeyboardEvent): void {
  heldKey = { event, timer: setTimeout(releaseHeldKey, MAX_TYPING_GAP_MILLISECONDS) }
}

function takeHeldKey(): KeyboardEvent | undefined {
  const { event, timer } = heldKey ?? {}
  clearTimeout(timer)
  heldKey = undefined
  return event
}

/** Dispatches the held key again, on the element that now has the focus, to run its shortcut. */
function releaseHeldKey(): void {
  const event = takeHeldKey()
  const { activeElement: target } = document
  if (event === undefined || target === null || isWriting(target)) return
  takeShortcut()
  releasedKey = new KeyboardEvent('keydown', {
    key: event.key,
    code: event.code,
    shiftKey: event.shiftKey,
    bubbles: true,
    cancelable: true,
  })
  target.dispatchEvent(releasedKey)
  releasedKey = undefined
}
