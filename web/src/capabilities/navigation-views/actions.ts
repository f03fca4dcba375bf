import { navigationViews } from '@parley/server/contract'
import { computed } from '@preact/signals'
import { store } from '../../platform/client.ts'
import { ask } from '../../platform/requests.ts'
import { chosenViews, wantedViews, type ChosenView, type View } from './state.ts'

/** Under which name the server keeps a view, if it does. */
function keptAs({ fragment, aliases }: View): string | undefined {
  const known = (name: string): boolean => name === fragment || aliases.includes(name)
  return store()
    .read('navigation_views')
    .find((kept) => known(kept.fragment))?.fragment
}

function isPinned(view: View): boolean | undefined {
  const fragment = keptAs(view)
  return store()
    .read('navigation_views')
    .find((kept) => kept.fragment === fragment)?.is_pinned
}

/** What was asked for is done one after the other, each upon the state that the one before left. */
let turn: Promise<void> = Promise.resolve()

function inTurn(run: () => Promise<void>): void {
  turn = turn.then(run)
}

/** Shows a view in the sidebar, or only behind the others. */
export function showView(view: View, isShown: boolean): void {
  const { fragment } = view
  wantedViews.value = new Map([...wantedViews.peek(), [fragment, isShown]])
  inTurn(async () => {
    const kept = keptAs(view)
    const answer =
      kept === undefined
        ? await ask(navigationViews.addNavigationView, { fragment, is_pinned: isShown })
        : await ask(navigationViews.updateNavigationView, { fragment: kept, is_pinned: isShown })
    if (answer !== undefined) await told(() => isPinned(view) === isShown)
    // Something else may have been chosen meanwhile.
    if (wantedViews.peek().get(fragment) !== isShown) return
    wantedViews.value = new Map([...wantedViews.peek()].filter(([other]) => other !== fragment))
  })
}

/**
 * Moves a view up or down. The server keeps views in the order in which they were added, so those from the first that is
 * elsewhere on are added anew.
 */
export function moveView({ fragment }: View, by: 1 | -1): void {
  inTurn(async () => {
    const before = chosenViews.peek()
    const at = before.findIndex((one) => one.fragment === fragment)
    const [view, other] = [before[at], before[at + by]]
    if (view === undefined || other === undefined) return
    const after = before.map((one, index) => (index === at ? other : index === at + by ? view : one))
    const isWhole = before.every((one) => keptAs(one) !== undefined)
    for (const one of after.slice(isWhole ? Math.min(at, at + by) : 0)) {
      if (!(await remove(one)) || !(await add(one))) return
    }
  })
}

async function add(view: ChosenView): Promise<boolean> {
  const given = { fragment: view.fragment, is_pinned: view.isShown }
  if ((await ask(navigationViews.addNavigationView, given)) === undefined) return false
  return told(() => keptAs(view) !== undefined)
}

async function remove(view: View): Promise<boolean> {
  const kept = keptAs(view)
  if (kept === undefined) return true
  if ((await ask(navigationViews.removeNavigationView, { fragment: kept })) === undefined) return false
  return told(() => keptAs(view) === undefined)
}

/** So long the server may take to tell of what it did; then the rest is left as it is. */
const TELL_MILLISECONDS = 5_000

/** Waits until the state says what was asked for. @returns whether it did */
async function told(isSo: () => boolean): Promise<boolean> {
  const state = computed(isSo)
  const ended = new AbortController()
  const isTold = await new Promise<boolean>((resolve) => {
    const stop = state.subscribe((value) => {
      if (value) resolve(true)
    })
    const timer = setTimeout(() => resolve(false), TELL_MILLISECONDS)
    ended.signal.addEventListener('abort', () => {
      stop()
      clearTimeout(timer)
    })
  })
  ended.abort()
  return isTold
}
