import { computed, effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { channelSections } from '../../capabilities/channels/state.ts'
import { mayInvite, waitingCount } from '../../capabilities/invitations/inviting.ts'
import { invitePeople } from '../../capabilities/invitations/open.ts'
import {
  filterBox,
  sidebarFilter,
  openViewsDialog,
  chosenViews,
  reportCount,
  type ChosenView,
} from '../../capabilities/navigation-views/state.ts'
import { openPalette } from '../../capabilities/palette/state.ts'
import type { BadgeProps } from '../../capabilities/unread/badge.tsx'
import { unreadMentions, unreadTotal } from '../../capabilities/unread/state.ts'
import { openOwnMenu } from '../../capabilities/users/own-menu.ts'
import { Avatar } from '../../capabilities/users/parts/avatar.tsx'
import { ownId, userName } from '../../capabilities/users/state.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { useTreeNavigation } from '../../platform/dom/branches.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { lazily } from '../../platform/dom/lazy.tsx'
import { afterPaint } from '../../platform/dom/painted.ts'
import { isNarrow, isSidebarFolded, openedRegion, toggleSidebar } from '../../platform/frame.ts'
import { wasShortcut, titleWithKey } from '../../platform/keys/keys.ts'
import { sidebarLists } from '../../platform/list/held-lists.ts'
import { NewRowsButton } from '../../platform/list/held-order.tsx'
import { navigationCount } from '../../platform/router.ts'
import { Channels } from './channels.tsx'
import { DirectConversations } from './directs.tsx'
import { isCurrentRoute, isFiltered, Item, matchesFilter, ItemsWithRest, Section } from './item.tsx'
import './sidebar.css'

/** Uses the administration texts, which are loaded by the time the number of waiting people is known. */
const WaitingPeople = lazily(
  async () => (await import('./waiting-people.tsx')).WaitingPeople,
  () => null,
)

const SidebarEdge = lazily(
  async () => (await import('./edge.tsx')).SidebarEdge,
  () => null,
)

/** Text in the filter field; `sidebarFilter` gets the same text after the paint. */
const typedFilter = signal('')

export function Sidebar() {
  const branches = useRef<HTMLDivElement>(null)
  useTreeNavigation(branches)
  const { value: place } = openedRegion
  return (
    <nav id="sidebar" class={`sidebar shows-${place}`} aria-label={t().nav.label}>
      <div class="sidebar-head">
        <OwnMenuButton />
        <button
          class="icon-button sidebar-fold"
          aria-label={t().nav.toggleSidebar}
          aria-expanded={!isSidebarFolded.value}
          title={titleWithKey(t().nav.toggleSidebar, 'frame.sidebar')}
          onClick={toggleSidebar}
        >
          <Icon name="sidebar" />
        </button>
        <button
          class="icon-button"
          aria-label={t().keys.palette}
          title={titleWithKey(t().keys.palette, 'palette.open')}
          onClick={() => openPalette()}
        >
          <Icon name="search" />
        </button>
      </div>
      <div class="sidebar-find">
        <Filter branches={branches} />
        <NewRowsButton lists={sidebarLists} />
      </div>
      <div class="sidebar-scroll" ref={branches}>
        {waitingCount.value > 0 && <WaitingPeople />}
        {!isNarrow.value && <Views />}
        <DirectConversations />
        {channelSections.value.map((section) => (
          <Channels key={section.key} section={section} />
        ))}
        {isNarrow.value && <Views />}
        {isFiltered() && (
          <>
            <p class="note sidebar-none">{t().nav.noMatch}</p>
            <button
              class="sidebar-item sidebar-more sidebar-everywhere"
              data-item
              onClick={() => openPalette(sidebarFilter.value)}
            >
              <Icon name="search" size={17} />
              <bdi class="sidebar-label">{t().nav.findEverywhere(sidebarFilter.value.trim())}</bdi>
            </button>
          </>
        )}
        <ul class="sidebar-list sidebar-end">
          {matchesFilter(t().nav.browse) && (
            <li>
              <Item to={{ view: 'channels' }} icon="channels">
                {t().nav.browse}
              </Item>
            </li>
          )}
          {mayInvite() && matchesFilter(t().nav.invite) && (
            <li>
              <button class="sidebar-item sidebar-more" data-item onClick={invitePeople}>
                <Icon name="person" size={17} />
                {t().nav.invite}
              </button>
            </li>
          )}
        </ul>
      </div>
      {!isNarrow.value && <SidebarEdge />}
    </nav>
  )
}

/** Enter opens the first match, or without one, searches everything. The typed letter is painted before the matches. */
function Filter({ branches }: { readonly branches: { readonly current: HTMLElement | null } }) {
  const filterBy = (text: string): void => {
    typedFilter.value = text
    afterPaint(() => {
      sidebarFilter.value = typedFilter.peek()
    })
  }
  useEffect(
    () =>
      // Runs immediately, while the palette still has the focus, unlike `useSignalEffect`.
      effect(() => {
        void navigationCount.value
        // The views that a person goes to without the sidebar may not match the filter.
        const isFromPalette = document.activeElement?.matches('.palette-overlay *') === true
        if ((isFromPalette || wasShortcut()) && typedFilter.peek() !== '') filterBy('')
      }),
    [],
  )
  const openFirst = (): void => {
    const { current: list } = branches
    const first = list?.querySelector<HTMLElement>('a[data-item]')
    const target = first ?? list?.querySelector<HTMLElement>('.sidebar-everywhere')
    target?.click()
    if (first instanceof HTMLElement) filterBy('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isEmpty = typedFilter.peek() === ''
    const first = isEmpty ? '[data-item]' : 'a[data-item]'
    // Waits for the matches of the last letter.
    if (event.key === 'ArrowDown') afterPaint(() => branches.current?.querySelector<HTMLElement>(first)?.focus())
    else if (event.key === 'Enter' && !isEmpty) afterPaint(openFirst)
    else if (event.key === 'Escape' && !isEmpty) filterBy('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <input
      ref={(element) => {
        filterBox.current = element
      }}
      class="input sidebar-filter"
      type="search"
      aria-label={t().nav.filter}
      placeholder={t().nav.filter}
      value={typedFilter.value}
      onInput={(event) => filterBy(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

function OwnMenuButton() {
  return (
    <button class="sidebar-me" aria-haspopup="menu" onClick={({ currentTarget }) => openOwnMenu(currentTarget)}>
      <Avatar userId={ownId()} size={28} />
      <span class="sidebar-names">
        <strong>
          <bdi>{store().read('realm_name')}</bdi>
        </strong>
        <bdi>{userName(ownId())}</bdi>
      </span>
      <Icon name="chevron" size={14} />
    </button>
  )
}

const currentView = computed(() => chosenViews.value.find(({ to }) => isCurrentRoute(to))?.fragment)

function Views() {
  const views = chosenViews.value.filter((view) => matchesFilter(view.title()) && isNeeded(view))
  if (views.length === 0) return null
  const tools = (
    <button
      class="icon-button sidebar-tool"
      tabIndex={-1}
      aria-label={t().nav.editViews}
      title={t().nav.editViews}
      onClick={openViewsDialog}
    >
      <Icon name="more" size={15} />
    </button>
  )
  return (
    <Section id="views" title={t().nav.views} tools={tools}>
      <ItemsWithRest
        section="views"
        all={views}
        keyOf={({ fragment }) => fragment}
        isCurrent={({ fragment }) => fragment === currentView.value}
        hidesSingle
        isMain={({ isShown }) => isShown}
      >
        {(view) => (
          <li key={view.fragment}>
            <Item to={view.to} icon={view.icon} {...countsOfView(view)}>
              <bdi>{view.title()}</bdi>
            </Item>
          </li>
        )}
      </ItemsWithRest>
    </Section>
  )
}

/** Most people schedule messages rarely. */
function isNeeded({ fragment, to }: ChosenView): boolean {
  return to.view !== 'scheduled' || fragment === currentView.value || store().read('scheduled_messages').length > 0
}

function countsOfView({ to }: ChosenView): { readonly unread?: BadgeProps; readonly size?: number } {
  switch (to.view) {
    case 'inbox':
      return { unread: { count: unreadTotal.value, mentions: unreadMentions.value } }
    case 'mentions':
      return { unread: { count: unreadMentions.value, mentions: unreadMentions.value } }
    case 'reports':
      return { size: reportCount.value }
    case 'reminders':
      return { size: store().read('reminders').length }
    case 'writing':
      return { size: store().read('drafts').length }
    case 'scheduled':
      return { size: store().read('scheduled_messages').length }
    case 'starred': {
      const isCounted = store().read('user_settings')['starred_message_counts'] !== false
      return isCounted ? { size: store().read('starred_messages').length } : {}
    }
    default:
      return {}
  }
}
