import { computed, signal } from '@preact/signals'
import type { IconName } from '../../kernel/icons.ts'
import type { Route, ViewName } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { isNarrow, isSidebarFolded, openRegion } from '../../platform/frame.ts'
import { preference } from '../../platform/preferences.ts'
import { channelIcon } from '../channels/state.ts'
import { isSamePlace, routeOfFragment } from '../places/fragments.ts'
import { isModerator } from '../users/state.ts'

/** `fragment` is the name under which the server stores the view. */
export interface View {
  readonly fragment: string
  /** Fragments under which other clients store the same view. */
  readonly aliases: readonly string[]
  readonly to: Route
  readonly icon: IconName
  readonly title: () => string
  readonly isOwn?: boolean
}

const createBuiltInView = (
  name: ViewName,
  icon: IconName,
  fragment: string,
  aliases: readonly string[] = [],
): View => ({
  fragment,
  aliases,
  to: { view: name },
  icon,
  title: () => t().nav[name],
})

const BUILT_IN_VIEWS: readonly View[] = [
  createBuiltInView('inbox', 'inbox', 'inbox'),
  createBuiltInView('recent', 'recent', 'recent'),
  createBuiltInView('feed', 'feed', 'feed', ['all']),
  createBuiltInView('mentions', 'mentions', 'narrow/is/mentioned', ['mentions']),
  createBuiltInView('starred', 'starred', 'narrow/is/starred', ['starred']),
  createBuiltInView('reactions', 'smile', 'narrow/has/reaction/sender/me'),
  createBuiltInView('writing', 'writing', 'drafts'),
  createBuiltInView('scheduled', 'scheduled', 'scheduled'),
  createBuiltInView('reminders', 'reminders', 'reminders'),
  createBuiltInView('reports', 'report', 'reports'),
  createBuiltInView('files', 'attach', 'narrow/has/attachment'),
]

/** Number of reports and held messages to handle, set once their capability has loaded. */
export const reportCount = signal(0)

export interface ChosenView extends View {
  readonly isShown: boolean
}

/** Whether to show each changed view, by fragment, until the server confirms the change. */
export const requestedVisibility = signal<ReadonlyMap<string, boolean>>(new Map())

const DEFAULT_VIEW_ORDER: readonly string[] = []

export const viewOrder = preference('views.order', DEFAULT_VIEW_ORDER, isTextList)

function isTextList(kept: unknown): kept is readonly string[] {
  return Array.isArray(kept) && kept.every((one) => typeof one === 'string')
}

const VIEW_ICONS: Partial<Record<Route['view'], IconName>> = { direct: 'person', search: 'search' }

/** Skips views that this client cannot show. */
const customViews = computed((): readonly View[] =>
  store()
    .read('navigation_views')
    .filter(
      ({ fragment }) => !BUILT_IN_VIEWS.some((view) => view.fragment === fragment || view.aliases.includes(fragment)),
    )
    .flatMap(({ fragment, name }) => {
      const to = routeOfFragment(fragment)
      if (to === undefined || name === undefined) return []
      const icon = to.view === 'channel' ? channelIcon(to.channelId) : (VIEW_ICONS[to.view] ?? 'feed')
      return [{ fragment, aliases: [], to, icon, title: () => name, isOwn: true }]
    }),
)

export const chosenViews = computed((): readonly ChosenView[] => {
  const kept = store().read('navigation_views')
  const order = viewOrder.read()
  const placeOf = ({ fragment }: View): number => {
    const at = order.indexOf(fragment)
    return at === -1 ? order.length : at
  }
  const isKeptShown = ({ fragment, aliases }: View): boolean | undefined =>
    kept.find((one) => one.fragment === fragment || aliases.includes(one.fragment))?.is_pinned
  return [...BUILT_IN_VIEWS, ...customViews.value]
    .filter(({ to }) => to.view !== 'reports' || isModerator())
    .map((view) => ({
      ...view,
      isShown: requestedVisibility.value.get(view.fragment) ?? isKeptShown(view) ?? isShownByDefault(view),
    }))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
})

/** Views that few people use daily would take the room of conversations. */
function isShownByDefault({ to }: View): boolean {
  if (to.view === 'reminders') return store().read('reminders').length > 0
  if (to.view === 'reports') return reportCount.value > 0
  return !['feed', 'reactions', 'files'].includes(to.view)
}

export function findCustomView(route: Route): ChosenView | undefined {
  return chosenViews.value.find(({ isOwn, to }) => isOwn === true && isSamePlace(to, route))
}

export const sidebarFilter = signal('')

/** Maximum number of stored sidebar parts. Beyond it, the parts changed longest ago return to their default. */
const MAX_TOGGLED_PARTS = 200

/** Sidebar parts that the user expanded or collapsed. By default, only sections are expanded. */
const toggledParts = preference(
  'sidebar',
  [],
  (kept): kept is readonly string[] => Array.isArray(kept) && kept.every((part) => typeof part === 'string'),
)

export function isPartToggled(part: string): boolean {
  return toggledParts.read().includes(part)
}

export function togglePart(part: string): void {
  const before = toggledParts.read()
  const others = before.filter((one) => one !== part)
  void toggledParts.write(others.length < before.length ? others : [...others, part].slice(-MAX_TOGGLED_PARTS))
}

export const isViewsDialogOpen = signal(false)

export function openViewsDialog(): void {
  isViewsDialogOpen.value = true
}

export function closeViewsDialog(): void {
  isViewsDialogOpen.value = false
}

export const viewToName = signal<
  { readonly fragment: string; readonly name: string; readonly view?: View } | undefined
>(undefined)

export const filterBox: { current: HTMLInputElement | null } = { current: null }

export function openFilter(): void {
  if (isNarrow.peek()) {
    openRegion('channels')
    requestAnimationFrame(() => filterBox.current?.select())
  } else {
    isSidebarFolded.value = false
    filterBox.current?.select()
  }
}
