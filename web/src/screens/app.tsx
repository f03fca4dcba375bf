import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { t } from '../kernel/strings.ts'
import { HOME_ROUTE, isPlace, placeKey, type Place } from '../kernel/route.ts'
import { Announcer } from '../platform/overlay/announce.tsx'
import { Confirmation } from '../platform/overlay/confirm.tsx'
import { Menus } from '../platform/overlay/menu.tsx'
import { Toasts } from '../platform/overlay/toasts.tsx'
import { LoadingField } from '../platform/dom/early-field.tsx'
import { Link } from '../platform/dom/link.tsx'
import { lazily } from '../platform/dom/lazy.tsx'
import { allCapabilities, lateOverlays } from '../platform/registry.ts'
import { drawnRoute, hasPanelDetails, viewNumber } from '../platform/router.ts'
import { channelById } from '../capabilities/channels/state.ts'
import { openMovedMessage } from '../capabilities/message-edits/following.ts'
import { opensAsFeed } from '../capabilities/channels/views.ts'
import { Composer } from '../capabilities/composer/parts/composer.tsx'
import { MessageList } from '../capabilities/messages/parts/list.tsx'
import { Typists } from '../capabilities/typing/typists.tsx'
import { EmptyState, LoadingRows } from '../platform/list/states.tsx'
import { isPanelShown, openRegion, openedRegion } from '../platform/frame.ts'
import { useLayer } from '../platform/layers.ts'
import { Connection } from './connection.tsx'
import { Header, PlaceHeader } from './header.tsx'
import { Inbox } from './inbox.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Sidebar } from './sidebar/sidebar.tsx'
import './panel/panel.css'
import './app.css'

const Panel = lazily(
  async () => (await import('./panel/panel.tsx')).Panel,
  () => null,
)

const ChannelView = lazily(async () => (await import('./channel.tsx')).ChannelView, LoadingView)
const RecentView = lazily(async () => (await import('./recent.tsx')).RecentView, LoadingView)
const SearchView = lazily(async () => (await import('./search.tsx')).SearchView, LoadingSearch)
const TriageView = lazily(async () => (await import('./triage.tsx')).TriageView, LoadingView)
const WritingView = lazily(async () => (await import('./writing.tsx')).WritingView, LoadingView)
const ScheduledView = lazily(async () => (await import('./writing.tsx')).ScheduledView, LoadingView)
const RemindersView = lazily(async () => (await import('./reminders.tsx')).RemindersView, LoadingView)
const ReportsView = lazily(async () => (await import('./reports.tsx')).ReportsView, LoadingView)
const FilesView = lazily(async () => (await import('./files.tsx')).FilesView, LoadingView)
const ChannelsView = lazily(async () => (await import('./channels.tsx')).ChannelsView, LoadingView)
const SettingsView = lazily(async () => (await import('./settings.tsx')).SettingsView, LoadingView)

/** Views whose end is the newest message, beside a composer. */
const VIEWS_WITH_LAST_MESSAGE: ReadonlySet<string> = new Set(['topic', 'direct', 'channel-feed'])

export function App() {
  useLayer(openedRegion.value === 'main' ? undefined : () => openRegion('main'))
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t().app.skipToMessages}
      </a>
      <Sidebar />
      <main id="main" class={openedRegion.value === 'main' ? 'main' : 'main is-behind'} tabIndex={-1}>
        <GuardedView />
        <Toasts isAbove={VIEWS_WITH_LAST_MESSAGE.has(drawnRoute().view)} />
        <Composer />
        <Menus />
        {allCapabilities().flatMap(({ name, overlays = [] }) =>
          overlays.map((Overlay, index) => <Overlay key={`${name}-${index}`} />),
        )}
        {lateOverlays.value.map((Overlay) => (
          <Overlay key={Overlay} />
        ))}
      </main>
      {isPanelShown() && hasPanelDetails() && <Panel />}
      <BottomBar />
      <Connection />
      <Confirmation />
      <Announcer />
    </div>
  )
}

/** Collects typed text until the search view has loaded. */
function LoadingSearch() {
  return (
    <>
      <Header title={t().search.title} />
      <div class="search-box">
        <div class="search-field">
          <LoadingField class="search-input" label={t().search.label} />
        </div>
      </div>
    </>
  )
}

function LoadingView() {
  return (
    <>
      <Header title={t().app.loading} />
      <div class="view-scroll">
        <div class="topics">
          <LoadingRows />
        </div>
      </div>
    </>
  )
}

/** Replaces a view that throws with a message, so that the rest of the window and other views keep working. */
function GuardedView() {
  const [brokenView, setBrokenView] = useState<number>()
  useErrorBoundary((error) => {
    reportError(error)
    setBrokenView(viewNumber())
  })
  return brokenView === viewNumber() ? <BrokenView again={() => setBrokenView(undefined)} /> : <View />
}

function BrokenView({ again }: { readonly again: () => void }) {
  return (
    <>
      <Header title={t().app.name} />
      <div class="view-scroll">
        <EmptyState title={t().errors.generic}>
          <button class="button primary" onClick={again}>
            {t().app.retry}
          </button>
          <button class="button" onClick={() => window.location.reload()}>
            {t().app.reload}
          </button>
        </EmptyState>
      </div>
    </>
  )
}

function View() {
  const route = drawnRoute()
  const isUnknown = 'channelId' in route && channelById(route.channelId) === undefined
  if (route.view === 'not-found' || isUnknown) return <NotFound near={'near' in route ? route.near : undefined} />
  if (route.view === 'search') return <SearchView query={route.query} near={route.near} />
  if (isPlace(route)) {
    const { near, ...place } = route
    return <PlaceView place={place} near={near} />
  }
  switch (route.view) {
    case 'channel':
      return opensAsFeed(route.channelId) ? (
        <PlaceView place={{ view: 'channel-feed', channelId: route.channelId }} near={undefined} />
      ) : (
        <ChannelView channelId={route.channelId} />
      )
    case 'channels':
      return <ChannelsView />
    case 'writing':
      return <WritingView />
    case 'scheduled':
      return <ScheduledView />
    case 'reminders':
      return <RemindersView />
    case 'reports':
      return <ReportsView />
    case 'files':
      return <FilesView query={route.query} />
    case 'settings':
      return <SettingsView section={route.section} setting={route.setting} />
    case 'triage':
      return <TriageView />
    case 'new-dm':
      return <NewDirectView />
    case 'recent':
      return <RecentView filters={route.filters ?? []} />
    case 'inbox':
      return <Inbox />
  }
}

interface PlaceViewProps {
  readonly place: Place
  readonly near: number | undefined
}

function PlaceView({ place, near }: PlaceViewProps) {
  const isConversation = place.view === 'topic' || place.view === 'direct'
  return (
    <>
      <PlaceHeader place={place} />
      <MessageList key={isConversation ? viewNumber() : placeKey(place)} place={place} near={near} />
      {isConversation && <Typists place={place} />}
    </>
  )
}

function NewDirectView() {
  return (
    <>
      <Header title={t().nav['new-dm']} />
      <div class="view-scroll">
        <EmptyState icon="person" title={t().composer.noRecipients} more={t().composer.noRecipientsMore} />
      </div>
    </>
  )
}

function NotFound({ near }: { readonly near: number | undefined }) {
  useEffect(() => {
    if (near !== undefined) void openMovedMessage(near)
  }, [near])
  return (
    <>
      <Header title={t().app.notFound} />
      <div class="view-scroll">
        <div class="empty">
          <strong>{t().app.notFound}</strong>
          <span>{t().app.notFoundMore}</span>
          <Link to={HOME_ROUTE} class="button primary">
            {t().triage.toInbox}
          </Link>
          {window.location.pathname.startsWith('/c/') && (
            <Link to={{ view: 'channels' }} class="button">
              {t().nav.browse}
            </Link>
          )}
          <Link to={{ view: 'search', query: '' }} class="button">
            {t().keys.search}
          </Link>
        </div>
      </div>
    </>
  )
}
