import { ApiError } from '@parley/client'
import { t } from '../kernel/strings.ts'
import { toast, type ToastAction } from './overlay/toasts.tsx'
import { hasPendingChanges, reasonOf } from './requests.ts'

interface UndoableAction {
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

const actions: UndoableAction[] = []
let isActionNewest = false

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

const openSessions = new Set<UndoableAction[]>()
const undoneActions = new WeakSet<UndoableAction>()

/** Shows a toast with an Undo button. @returns a function that removes the action, for limited undo periods */
export function offerUndo(text: string, inverse: () => Promise<unknown>, options: UndoOptions = {}): () => void {
  const action: UndoableAction = { text, inverse, dismiss: () => undefined }
  actions.push(action)
  isActionNewest = true
  for (const session of openSessions) session.push(action)
  if (actions.length > MAX_ACTIONS) actions.shift()
  if (options.isQuiet !== true) showToast(action, options)
  return () => void removeAction(action)
}

export interface ActionSession {
  readonly began: number
  readonly end: () => void
  /** Undoes the last action first. @returns the number of failures */
  readonly undoAll: () => Promise<number>
}

export function beginSession(): ActionSession {
  const done: UndoableAction[] = []
  openSessions.add(done)
  return {
    began: performance.now(),
    end: () => void openSessions.delete(done),
    undoAll: async () => {
      let refused = 0
      for (const action of done.toReversed()) {
        if (undoneActions.has(action)) continue
        removeAction(action)
        try {
          await action.inverse()
          undoneActions.add(action)
        } catch {
          refused += 1
        }
      }
      return refused
    },
  }
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
  if (last === undefined) toast(t().undo.nothing)
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

function removeAction(action: UndoableAction): boolean {
  action.dismiss()
  const at = actions.indexOf(action)
  if (at !== -1) actions.splice(at, 1)
  return at !== -1
}
