import { computed, signal } from '@preact/signals'
import type { IconName } from '../../kernel/icons.ts'
import type { Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'

/** A view that every person has, under the name that the server keeps for it. */
export interface View {
  readonly fragment: string
  /** Other names of it, under which other clients keep it. */
  readonly aliases: readonly string[]
  readonly to: Route
  readonly icon: IconName
  readonly title: () => string
  /** Shown unless the person says otherwise. */
  readonly isUsual: boolean
}

/** All of them, in the order in which they stand unless the person says otherwise. */
const VIEWS: readonly View[] = [
  { fragment: 'inbox', aliases: [], to: { view: 'inbox' }, icon: 'inbox', title: () => t().nav.inbox, isUsual: true },
  {
    fragment: 'recent',
    aliases: [],
    to: { view: 'recent' },
    icon: 'recent',
    title: () => t().nav.recent,
    isUsual: true,
  },
  { fragment: 'feed', aliases: ['all'], to: { view: 'feed' }, icon: 'feed', title: () => t().nav.feed, isUsual: true },
  {
    fragment: 'narrow/is/mentioned',
    aliases: ['mentions'],
    to: { view: 'mentions' },
    icon: 'mentions',
    title: () => t().nav.mentions,
    isUsual: true,
  },
  {
    fragment: 'narrow/is/starred',
    aliases: ['starred'],
    to: { view: 'starred' },
    icon: 'starred',
    title: () => t().nav.starred,
    isUsual: true,
  },
  {
    fragment: 'narrow/has/reaction/sender/me',
    aliases: [],
    to: { view: 'reactions' },
    icon: 'smile',
    title: () => t().nav.reactions,
    isUsual: false,
  },
  {
    fragment: 'drafts',
    aliases: ['scheduled', 'reminders'],
    to: { view: 'writing' },
    icon: 'writing',
    title: () => t().nav.writing,
    isUsual: true,
  },
]

export interface ChosenView extends View {
  readonly isShown: boolean
}

/** What the person chose of views, by their fragments, until the server has it: it may have to move others before. */
export const wantedViews = signal<ReadonlyMap<string, boolean>>(new Map())

/** The views as the person wants them. Their order is chosen once the server keeps all of them. */
export const chosenViews = computed((): readonly ChosenView[] => {
  const kept = store().read('navigation_views')
  const placeOf = ({ fragment, aliases }: View): number =>
    kept.findIndex((one) => one.fragment === fragment || aliases.includes(one.fragment))
  const views = VIEWS.map((view) => ({
    ...view,
    isShown: wantedViews.value.get(view.fragment) ?? kept[placeOf(view)]?.is_pinned ?? view.isUsual,
  }))
  if (views.some((view) => placeOf(view) === -1)) return views
  return views.toSorted((one, other) => placeOf(one) - placeOf(other))
})

/** What the names of conversations have to contain to be shown in the sidebar. */
export const filter = signal('')
