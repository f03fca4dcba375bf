import { ApiError } from '@parley/client'
import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'
import { isChanging, reasonOf } from './requests.ts'

interface Action {
  /** A sentence that describes the finished action. */
  readonly text: string
  /** Reverts the action; throws if refused. */
  readonly inverse: () => Promise<unknown>
  dismiss: () => void
}

interface Options {
  /** Whether no toast is shown, because the result is visible in place. Undo still works. */
  readonly isQuiet?: boolean
  /** Time for which the toast stays. */
  readonly shownMilliseconds?: number
}

const MOST_ACTIONS = 100

const actions: Action[] = []
/** Sessions that record actions separately. */
const sessions = new Set<Action[]>()
const undone = new WeakSet<Action>()

/**
 * Records an action with its inverse and shows a toast with an Undo button.
 * @returns a function that removes the action, for limited undo periods
 */
export function undoable(text: string, inverse: () => Promise<unknown>, options: Options = {}): () => void {
  const action: Action = { text, inverse, dismiss: () => undefined }
  actions.push(action)
  for (const session of sessions) session.push(action)
  if (actions.length > MOST_ACTIONS) actions.shift()
  if (options.isQuiet !== true) tell(action, options.shownMilliseconds)
  return () => void remove(action)
}

/** A group of actions that can be undone together. */
export interface ActionSession {
  /** A `performance.now()` value. */
  readonly began: number
  readonly end: () => void
  /** Undoes the remaining actions, last first. @returns the number that failed */
  readonly undoAll: () => Promise<number>
}

export function beginSession(): ActionSession {
  const done: Action[] = []
  sessions.add(done)
  return {
    began: performance.now(),
    end: () => void sessions.delete(done),
    undoAll: async () => {
      let refused = 0
      for (const action of done.toReversed()) {
        if (undone.has(action)) continue
        remove(action)
        try {
          await action.inverse()
          undone.add(action)
        } catch {
          refused += 1
        }
      }
      return refused
    },
  }
}

/** Timeout for pending requests, and the interval of checks. */
const MOST_WAITING_MILLISECONDS = 5_000
const LOOK_MILLISECONDS = 20

/**
 * Undoes the last action. Actions are shown earlier than they are recorded, which is when the server accepts them.
 * Therefore, this waits for pending requests, whose actions the user wants to undo.
 */
export function undoLast(until = performance.now() + MOST_WAITING_MILLISECONDS): void {
  if (isChanging() && performance.now() < until) {
    setTimeout(() => undoLast(until), LOOK_MILLISECONDS)
    return
  }
  const last = actions.at(-1)
  if (last === undefined) toast(t().undo.nothing)
  else void undo(last)
}

function tell(action: Action, milliseconds?: number): void {
  action.dismiss = toast(action.text, { title: t().app.undo, run: () => void undo(action) }, milliseconds)
}

async function undo(action: Action): Promise<void> {
  if (!remove(action)) return
  try {
    await action.inverse()
    undone.add(action)
    toast(t().undo.undone(action.text))
  } catch (error) {
    // The server would refuse again. An action that did not reach the server can be retried.
    if (!(error instanceof ApiError)) actions.push(action)
    toast(t().undo.refused(action.text, reasonOf(error)))
  }
}

/** @returns whether the action was recorded */
function remove(action: Action): boolean {
  action.dismiss()
  const at = actions.indexOf(action)
  if (at !== -1) actions.splice(at, 1)
  return at !== -1
}
