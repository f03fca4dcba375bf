import { call } from '@parley/client'
import { navigationViews } from '@parley/server/contract'
import { computed } from '@preact/signals'
import type { Place } from '../../kernel/route.ts'
import { tl } from '../../kernel/later-texts.ts'
import { store } from '../../platform/client.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { placeName } from '../places/title.tsx'
import { viewToName, findCustomView, viewOrder, requestedVisibility, type ChosenView, type View } from './state.ts'

function storedNameOf({ fragment, aliases }: View): string | undefined {
  const known = (name: string): boolean => name === fragment || aliases.includes(name)
  return store()
    .read('navigation_views')
    .find((kept) => known(kept.fragment))?.fragment
}

function isPinned(view: View): boolean | undefined {
  const fragment = storedNameOf(view)
  return store()
    .read('navigation_views')
    .find((kept) => kept.fragment === fragment)?.is_pinned
}

/** Changes run one at a time, each on the result of the previous one. */
let lastChange: Promise<void> = Promise.resolve()

function enqueueChange(run: () => Promise<void>): void {
  lastChange = lastChange.then(run)
}

export function showView(view: View, isShown: boolean): void {
  const { fragment } = view
  requestedVisibility.value = new Map([...requestedVisibility.peek(), [fragment, isShown]])
  enqueueChange(async () => {
    const kept = storedNameOf(view)
    const answer =
      kept === undefined
        ? await callOrToast(navigationViews.addNavigationView, { fragment, is_pinned: isShown })
        : await callOrToast(navigationViews.updateNavigationView, { fragment: kept, is_pinned: isShown })
    if (answer !== undefined) await waitUntilTrue(() => isPinned(view) === isShown)
    // Keeps a newer choice if the user has changed the view again.
    if (requestedVisibility.peek().get(fragment) !== isShown) return
    requestedVisibility.value = new Map([...requestedVisibility.peek()].filter(([other]) => other !== fragment))
  })
}

export async function orderViews(views: readonly View[]): Promise<void> {
  const before = viewOrder.read()
  const written = await viewOrder.write(views.map(({ fragment }) => fragment))
  if (written !== 'refused') offerUndo(tl().views.ordered, async () => viewOrder.write(before), { isQuiet: true })
}

export function toggleView(place: Place): void {
  const view = findCustomView(place)
  if (view !== undefined) {
    void removeView(view)
    return
  }
  void withPart(import('../places/fragment-of.ts'), ({ fragmentOf }) => {
    const fragment = fragmentOf(place)
    if (fragment === undefined) toast(tl().views.noView)
    else viewToName.value = { fragment, name: place.view === 'search' ? place.query : placeName(place) }
  })
}

/** Throws errors, so that the calling form can show them. */
export async function addView(fragment: string, name: string): Promise<void> {
  await call(SESSION, navigationViews.addNavigationView, { fragment, name, is_pinned: true })
  offerUndo(tl().views.viewAdded(name), async () => call(SESSION, navigationViews.removeNavigationView, { fragment }))
}

export async function renameView(view: View, name: string): Promise<void> {
  const { fragment } = view
  const before = view.title()
  if (name === before) return
  await call(SESSION, navigationViews.updateNavigationView, { fragment, name })
  offerUndo(tl().views.viewRenamed(name), async () =>
    call(SESSION, navigationViews.updateNavigationView, { fragment, name: before }),
  )
}

export async function removeView({ fragment, title, isShown }: ChosenView): Promise<void> {
  const name = title()
  if ((await callOrToast(navigationViews.removeNavigationView, { fragment })) === undefined) return
  offerUndo(tl().views.viewRemoved(name), async () =>
    call(SESSION, navigationViews.addNavigationView, { fragment, name, is_pinned: isShown }),
  )
}

const EVENT_WAIT_MILLISECONDS = 5_000

async function waitUntilTrue(isSo: () => boolean): Promise<boolean> {
  const state = computed(isSo)
  const ended = new AbortController()
  const isReported = await new Promise<boolean>((resolve) => {
    const stop = state.subscribe((value) => {
      if (value) resolve(true)
    })
    const timer = setTimeout(() => resolve(false), EVENT_WAIT_MILLISECONDS)
    ended.signal.addEventListener('abort', () => {
      stop()
      clearTimeout(timer)
    })
  })
  ended.abort()
  return isReported
}
