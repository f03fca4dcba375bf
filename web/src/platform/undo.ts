import { ApiError } from '@parley/client'
import { t } from '../kernel/strings.ts'
import { toast, type ToastAction } from './overlay/toasts.tsx'
import { hasPendingChanges, reasonOf } from './requests.ts'

export interface UndoableAction {
  readonly at: number
  readonly text: string
  /** Throws if the server refuses. */
  readonly inverse: () => Promise<unknown>
  dismiss: () => void
}

interface UndoOptions {
  /** Whether no toast appears, because the result is visible in place. Undo still works. */
  readonly isQuiet?: boolean
  readonly shownMilliseconds?: number
  /** Shown before Undo. */
  readonly link?: ToastAction
}

const MAX_ACTIONS = 100
/** Older actions have been forgotten by the person, and may be out of sight. */
const MAX_AGE_MILLISECONDS = 5 * 60_000

const actions: UndoableAction[] = []
let isActionNewest = false
let sentAt = 0

addEventListener(
  'input',
  () => {
    isActionNewest = false
  },
  { capture: true, passive: true },
)

/** Whether the latest change was typed text, which the browser undoes. */
export function isLatestChangeText(): boolean {
  return !isActionNewest
}

/** Actions of each view that offers to undo all of them. */
export const openSessions = new Set<UndoableAction[]>()
export const undoneActions = new WeakSet<UndoableAction>()

/** Shows a toast with an Undo button. @returns a function that removes the action, for limited undo periods */
export function offerUndo(text: string, inverse: () => Promise<unknown>, options: UndoOptions = {}): () => void {
  const action: UndoableAction = { at: performance.now(), text, inverse, dismiss: () => undefined }
  actions.push(action)
  isActionNewest = true
  for (const session of openSessions) session.push(action)
  if (actions.length > MAX_ACTIONS) actions.shift()
  if (options.isQuiet !== true) showToast(action, options)
  return () => void removeAction(action)
}

/** Keeps Ctrl+Z after a sent message from undoing an earlier action. Buttons of toasts still work. */
export function noteSentMessage(): void {
  sentAt = performance.now()
}

const MAX_WAIT_MILLISECONDS = 5_000
const POLL_INTERVAL_MILLISECONDS = 20

/** Waits for pending requests: an action is visible before the server accepts it, but can be undone only afterward. */
export function undoLastAction(until = performance.now() + MAX_WAIT_MILLISECONDS): void {
  if (hasPendingChanges() && performance.now() < until) {
    setTimeout(() => undoLastAction(until), POLL_INTERVAL_MILLISECONDS)
    return
  }
  const last = actions.at(-1)
  if (last === undefined || last.at < Math.max(sentAt, performance.now() - MAX_AGE_MILLISECONDS))
    toast(t().undo.nothing)
  else void undoAction(last)
}

function showToast(action: UndoableAction, { shownMilliseconds, link }: UndoOptions): void {
  const undo = { title: t().app.undo, isUndo: true, run: () => void undoAction(action) }
  action.dismiss = toast(action.text, undo, shownMilliseconds, link)
}

async function undoAction(action: UndoableAction): Promise<void> {
  if (!removeAction(action)) return
  try {
    await action.inverse()
    undoneActions.add(action)
    toast(t().undo.undone(action.text))
  } catch (error) {
    // Keeps actions that can succeed later: after a confirmation, or if the server was unreachable.
    if (!(error instanceof ApiError) || error.code === 'CONFIRMATION_REQUIRED') actions.push(action)
    toast(t().undo.refused(action.text, reasonOf(error)))
  }
}

/** @returns whether the action could still be undone */
export function removeAction(action: UndoableAction): boolean {
  action.dismiss()
  const at = actions.indexOf(action)
  if (at !== -1) actions.splice(at, 1)
  return at !== -1
}
