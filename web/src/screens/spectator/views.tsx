import { call } from '@parley/client'
import { messages } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import { narrowOf } from '../../kernel/message.ts'
import type { Place, Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { FilterField } from '../../platform/dom/filter-field.tsx'
import { textOf } from '../../platform/dom/html.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Link } from '../../platform/dom/link.tsx'
import { useFetched } from '../../platform/list/fetched.ts'
import { EmptyState, LoadFailure, LoadingRows } from '../../platform/list/states.tsx'
import { drawnRoute, go, hrefOf, shownRoute } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { TopicTitle, topicTitle } from '../../capabilities/places/title.tsx'
import type { PublicChannel, PublicOrganization } from './organization.ts'
import { PublicMessages } from './messages.tsx'
import './spectator.css'

interface SpectatorProps {
  readonly organization: PublicOrganization
  readonly home: Route
  readonly signIn: () => void
}

export function SpectatorFrame(props: SpectatorProps) {
  const { organization, home } = props
  const route = drawnRoute()
  const isCurrent = (id: number): boolean => 'channelId' in route && route.channelId === id
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t().app.skipToMessages}
      </a>
      <nav class="sidebar" aria-label={tl().spectator.channels}>
        <div class="sidebar-head">
          <Link to={home} class="sidebar-me">
            <img src={organization.iconUrl} alt="" width={32} height={32} class="avatar" />
            <bdi>{organization.name}</bdi>
          </Link>
        </div>
        <ul class="sidebar-scroll">
          {organization.channels.map(({ stream_id: channelId, name }) => (
            <li key={channelId}>
              <Link to={{ view: 'channel', channelId }} class="sidebar-item" current={isCurrent(channelId)}>
                <Icon name="hash" size={16} />
                <span class="sidebar-label">
                  <bdi>{name}</bdi>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" class="main" tabIndex={-1}>
        <SpectatorView key={viewKey(route)} {...props} />
      </main>
    </div>
  )
}

/** A search keeps its field while its query changes. */
function viewKey(route: ReturnType<typeof drawnRoute>): string {
  return route.view === 'search' || route.view === 'not-found' ? route.view : hrefOf(route)
}

function SpectatorView(props: SpectatorProps) {
  const route = drawnRoute()
  const channel =
    'channelId' in route ? props.organization.channels.find(({ stream_id: id }) => id === route.channelId) : undefined
  if (route.view === 'search') return <SearchView {...props} query={route.query} near={route.near} />
  if (channel !== undefined && (route.view === 'topic' || route.view === 'channel-feed')) {
    const { near, ...place } = route
    return <ConversationView {...props} channel={channel} place={place} near={near} />
  }
  return channel === undefined ? <ChannelsView {...props} /> : <TopicsView {...props} channel={channel} />
}

interface HeaderProps extends SpectatorProps {
  /** Text of the title. */
  readonly name: string
  /** Destination of the Back button on phones, which have no sidebar. */
  readonly back?: Route
  /** False if the view has a field to write in. */
  readonly takesFocus?: boolean
  readonly children?: ComponentChildren
}

let isFirstView = true

function SpectatorHeader({ name, back, takesFocus = true, organization, signIn, children }: HeaderProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${name} · ${organization.name}`
    // Says where a link led, and keeps the focus in the page.
    if (!isFirstView && takesFocus && document.activeElement === document.body) title.current?.focus()
    isFirstView = false
  }, [name])
  return (
    <header class="header">
      {back !== undefined && (
        <Link to={back} class="icon-button header-back" label={t().nav.back}>
          <Icon name="back" />
        </Link>
      )}
      <div class="header-text">
        <h1 class="header-title" ref={title} tabIndex={-1}>
          {children ?? <bdi>{name}</bdi>}
        </h1>
      </div>
      <div class="header-tools">
        <Link to={{ view: 'search', query: '' }} class="icon-button" label={t().search.label}>
          <Icon name="search" />
        </Link>
        <button class="button primary" onClick={signIn}>
          {tl().signIn.submit}
        </button>
      </div>
    </header>
  )
}

function ChannelsView(props: SpectatorProps) {
  return (
    <>
      <SpectatorHeader {...props} name={tl().spectator.channels} />
      <div class="view-scroll">
        <ul class="topics">
          {props.organization.channels.map(({ stream_id: channelId, name, rendered_description: description }) => (
            <li key={channelId} class="browse-row">
              <Icon name="hash" />
              <div class="browse-text">
                <Link to={{ view: 'channel', channelId }}>
                  <bdi>{name}</bdi>
                </Link>
                <span class="note" dir="auto">
                  {textOf(description)}
                </span>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

/** Maximum number of topics listed at once. The filter also searches the rest. */
const MAX_TOPICS = 300

function TopicsView({ channel, ...props }: SpectatorProps & { readonly channel: PublicChannel }) {
  const { stream_id: channelId, name, rendered_description: description } = channel
  const [filter, setFilter] = useState('')
  const query = caseKey(filter.trim())
  const {
    value: topics,
    hasFailed,
    again,
  } = useFetched(async (signal) => {
    const asked = { stream_id: channelId, allow_empty_topic_name: true }
    return (await call(SESSION, messages.getStreamTopics, asked, { signal })).topics
  }, channelId)
  const found = (topics ?? []).filter((topic) => caseKey(topicTitle(topic.name)).includes(query)).slice(0, MAX_TOPICS)
  return (
    <>
      <SpectatorHeader {...props} name={name} back={props.home}>
        <Icon name="hash" />
        <bdi>{name}</bdi>
      </SpectatorHeader>
      <div class="view-scroll">
        <div class="topics">
          <p class="note spectator-about" dir="auto">
            {textOf(description)}
          </p>
          <div class="topics-head">
            <FilterField label={tl().spectator.findTopic} value={filter} onChange={setFilter} />
          </div>
          {hasFailed && <LoadFailure again={again} />}
          {topics === undefined && !hasFailed && <LoadingRows />}
          {topics?.length === 0 && (
            <EmptyState icon="channels" title={t().messages.empty} more={tl().spectator.noTopicsMore} />
          )}
          <ul class="topic-list">
            {found.map((topic) => (
              <li key={topic.name}>
                <Link to={{ view: 'topic', channelId, topic: topic.name }} class="topic-link">
                  <span class="topic-name">
                    <TopicTitle topic={topic.name} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

interface ConversationViewProps extends SpectatorProps {
  readonly channel: PublicChannel
  readonly place: Extract<Place, { view: 'topic' | 'channel-feed' }>
  readonly near: number | undefined
}

function ConversationView({ channel, place, near, ...props }: ConversationViewProps) {
  const toChannel: Route = { view: 'channel', channelId: channel.stream_id }
  return (
    <>
      <SpectatorHeader
        {...props}
        name={place.view === 'topic' ? t().place.topicOf(topicTitle(place.topic), channel.name) : channel.name}
        back={toChannel}
      >
        <Link to={toChannel} class="header-channel">
          <Icon name="hash" />
          <bdi>{channel.name}</bdi>
        </Link>
        {place.view === 'topic' && (
          <>
            <span class="place-then">›</span>
            <TopicTitle topic={place.topic} />
          </>
        )}
      </SpectatorHeader>
      <PublicMessages terms={narrowOf(place)} near={near} hasPlaces={place.view !== 'topic'} />
      <footer class="spectator-foot">
        <button class="button" onClick={props.signIn}>
          {tl().spectator.reply}
        </button>
      </footer>
    </>
  )
}

/** Pause in typing after which the search starts. Without an account, a search reads many messages. */
const TYPING_PAUSE_MILLISECONDS = 1_000

interface SearchViewProps extends SpectatorProps {
  readonly query: string
  readonly near: number | undefined
}

function SearchView({ query, near, ...props }: SearchViewProps) {
  return (
    <>
      <SpectatorHeader {...props} name={t().search.title} back={props.home} takesFocus={false} />
      <SearchField query={query} />
      {query.trim() === '' ? (
        <EmptyState icon="search" title={t().search.label} more={tl().spectator.searchMore} />
      ) : (
        <PublicMessages key={query} terms={[{ operator: 'search', operand: query }]} near={near} hasPlaces />
      )}
    </>
  )
}

function SearchField({ query }: { readonly query: string }) {
  const [text, setText] = useState(query)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    if (text === query) return undefined
    const timer = setTimeout(() => {
      // The person may have left while the next view is still loading.
      if (shownRoute().view === 'search') go({ view: 'search', query: text }, { replace: true })
    }, TYPING_PAUSE_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div ref={box} class="search-box" role="search">
      <FilterField label={t().search.label} value={text} onChange={setText} />
    </div>
  )
}
