import { ApiError } from '@parley/client'
import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'
import { isChanging, reasonOf } from './requests.ts'

/** Something that the person did. */
interface Action {
  /** What was done, as a sentence. */
  readonly text: string
  /** Does the opposite; throws where that is refused. */
  readonly inverse: () => Promise<unknown>
  /** Takes away the note that tells of it. */
  dismiss: () => void
}

interface Options {
  /** What was done shows where it was done, so that no note tells of it; the key undoes it all the same. */
  readonly isQuiet?: boolean
  /** How long the note stays that offers to undo it. */
  readonly shownMilliseconds?: number
}

/** So many actions can be undone one after the other, the last one first. */
const MOST_ACTIONS = 100

const actions: Action[] = []
/** Those that note for themselves what is done while they last. */
const sessions = new Set<Action[]>()
const undone = new WeakSet<Action>()

/**
 * Notes an action with its inverse, and tells of it with a button that undoes it.
 * @returns what takes it out of the log, for an action that can be undone for some time only
 */
export function undoable(text: string, inverse: () => Promise<unknown>, options: Options = {}): () => void {
  const action: Action = { text, inverse, dismiss: () => undefined }
  actions.push(action)
  for (const session of sessions) session.push(action)
  if (actions.length > MOST_ACTIONS) actions.shift()
  if (options.isQuiet !== true) tell(action, options.shownMilliseconds)
  return () => void remove(action)
}

/** What is done in a while, to be undone as a whole. */
export interface ActionSession {
  /** Of `performance.now()`. */
  readonly began: number
  /** Notes nothing more. */
  readonly end: () => void
  /** Undoes what is not undone yet, the last first. @returns how many actions could not be undone */
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

/** How long an action that the server is being asked for is waited for, and how often it is looked. */
const MOST_WAITING_MILLISECONDS = 5_000
const LOOK_MILLISECONDS = 20

/**
 * Undoes the last action that is not undone yet. An action is noted when the server has taken it, and seen before: one that is on
 * its way is waited for, since it is what the person wants undone.
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
    // The server would refuse it again. An action that did not reach the server can be tried once more.
    if (!(error instanceof ApiError)) actions.push(action)
    toast(t().undo.refused(action.text, reasonOf(error)))
  }
}

/** @returns whether it was in the log */
function remove(action: Action): boolean {
  action.dismiss()
  const at = actions.indexOf(action)
  if (at !== -1) actions.splice(at, 1)
  return at !== -1
}
