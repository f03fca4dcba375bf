import { caseKey } from '@parley/server/kernel/case-key'
import { useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { IconName } from '../../kernel/icons.ts'
import { isPlace, placeKey, type Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { togglePart, isPartToggled, sidebarFilter } from '../../capabilities/navigation-views/state.ts'
import { Badge, type BadgeProps } from '../../capabilities/unread/badge.tsx'
import { useGrowingCount } from '../../platform/dom/idle.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Link } from '../../platform/dom/link.tsx'
import { afterPaint } from '../../platform/dom/painted.ts'
import { sidebarLists } from '../../platform/list/held-lists.ts'
import { useHeldOrder } from '../../platform/list/held-order.tsx'
import { shownRoute } from '../../platform/router.ts'

export function matchesFilter(name: string): boolean {
  return caseKey(name).includes(caseKey(sidebarFilter.value.trim()))
}

export function isFiltered(): boolean {
  return sidebarFilter.value.trim() !== ''
}

interface ItemProps {
  readonly to: Route
  readonly icon?: IconName
  readonly unread?: BadgeProps | undefined
  /** Number of items in the view, such as drafts. */
  readonly size?: number
  readonly isMuted?: boolean
  /** Whether another link has the same target. Only the other link is then shown as current. */
  readonly isSecond?: boolean
  readonly onMenu?: (from: HTMLElement) => void
  readonly children: ComponentChildren
}

export function Item({ to, icon, unread, size = 0, isMuted = false, isSecond = false, onMenu, children }: ItemProps) {
  // Uses a computed signal, so that navigation rerenders only two of hundreds of links.
  const isCurrent = useComputed(() => !isSecond && isCurrentRoute(to)).value
  const classes = ['sidebar-item', isMuted && 'is-muted', isSecond && 'is-second']
  return (
    <Link to={to} class={classes.filter(Boolean).join(' ')} current={isCurrent} isItem onMenu={onMenu}>
      {icon !== undefined && <Icon name={icon} size={17} />}
      <span class="sidebar-label">
        {children}
        {size > 0 && <span>({size})</span>}
      </span>
      <Badge {...unread} />
    </Link>
  )
}

export function isCurrentRoute(to: Route): boolean {
  const route = shownRoute()
  if (route.view === 'not-found') return false
  if (isPlace(to)) return isPlace(route) && placeKey(route) === placeKey(to)
  if (to.view === 'channel') {
    return (route.view === 'channel' || route.view === 'channel-feed') && route.channelId === to.channelId
  }
  if (to.view === 'settings') return route.view === 'settings' && route.section === to.section
  return route.view === to.view
}

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** The filter also searches collapsed sections. */
export function isSectionOpen(id: string): boolean {
  return isFiltered() || !isPartToggled(id)
}

export function Section({ id, title, tools, children }: SectionProps) {
  const isOpen = isSectionOpen(id)
  return (
    <section class="sidebar-section" aria-label={title} data-branch data-part={id}>
      <div class="sidebar-row">
        <button class="sidebar-title" aria-expanded={isOpen} data-item onClick={() => togglePart(id)}>
          <Icon name="chevron" size={13} />
          <bdi>{title}</bdi>
        </button>
        {tools}
      </div>
      <ul class="sidebar-list">{children}</ul>
    </section>
  )
}

interface ItemsWithRestProps<Thing extends object> {
  readonly section: string
  readonly all: readonly Thing[]
  readonly keyOf: (thing: Thing) => string | number
  readonly isCurrent: (thing: Thing) => boolean
  readonly isMain: (thing: Thing, index: number) => boolean
  /** Whether the thing is shown even while the list keeps its order: then in the row of the title, moving nothing. */
  readonly isUrgent?: (thing: Thing) => boolean
  /** Newest order, if `all` keeps an older one. */
  readonly newest?: readonly Thing[]
  readonly rowsOf?: (thing: Thing) => number
  readonly hidesSingle?: boolean
  readonly children: (thing: Thing) => ComponentChildren
}

/** Hides less important items behind “+5 more”. A collapsed section shows only the current item. */
export function ItemsWithRest<Thing extends object>({
  section,
  all,
  keyOf,
  isCurrent,
  isMain,
  isUrgent = () => false,
  newest = all,
  rowsOf = () => 1,
  hidesSingle = false,
  children,
}: ItemsWithRestProps<Thing>) {
  const isExpanded = isSectionOpen(section)
  const of = `${isExpanded} ${sidebarFilter.value}`
  const wantedMain = all.filter((thing, index) => isCurrent(thing) || isMain(thing, index))
  // People change the length, for example by joining or pinning a channel, and see the result at once.
  const held = new Set(useHeldOrder(sidebarLists, wantedMain, keyOf, `${of} ${all.length}`).map(keyOf))
  const main = all.filter((thing) => isCurrent(thing) || held.has(keyOf(thing)))
  const hidden = all.length - main.length
  const rest = `${section}-more`
  const others = !isExpanded || isFiltered() || (hidden === 1 && !hidesSingle) ? 0 : hidden
  const isOpen = others === 0 || isPartToggled(rest)
  const listed = isOpen ? all : main
  const wanted = isExpanded ? listed : all.filter(isCurrent)
  const shownKeys = new Set(wanted.map(keyOf))
  const arrived = isFiltered() ? undefined : newest.find((thing) => isUrgent(thing) && !shownKeys.has(keyOf(thing)))
  const first = useMemo(() => countFittingItems(wanted, rowsOf), [of])
  const drawn = useGrowingCount(first, wanted.length, of)
  return (
    <>
      {arrived !== undefined && (
        <li class="sidebar-arrived">
          <ul>{children(arrived)}</ul>
        </li>
      )}
      {wanted.slice(0, drawn).map(children)}
      {others > 0 && drawn === wanted.length && (
        <li>
          <button class="sidebar-item sidebar-more" aria-expanded={isOpen} data-item onClick={() => togglePart(rest)}>
            {isOpen ? t().nav.fewer : t().nav.others(others)}
          </button>
        </li>
      )}
    </>
  )
}

const MIN_ROW_HEIGHT_PIXELS = 24

/** Number of rows that still fit into the window in the next paint. */
let remainingRows: number | undefined

/** Counts the items of a section that fit into the window in the next paint, below earlier sections. */
function countFittingItems<Thing>(things: readonly Thing[], rowsOf: (thing: Thing) => number): number {
  if (remainingRows === undefined) {
    remainingRows = Math.ceil(window.innerHeight / MIN_ROW_HEIGHT_PIXELS)
    afterPaint(() => {
      remainingRows = undefined
    })
  }
  let room = remainingRows
  const last = things.findIndex((thing) => {
    const hasRoom = room > 0
    if (hasRoom) room -= rowsOf(thing)
    return !hasRoom
  })
  remainingRows = room
  return last === -1 ? things.length : last
}
