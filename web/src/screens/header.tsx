import type { ComponentChildren } from 'preact'
import type { Place } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { messages } from '../platform/client.ts'
import { textOf } from '../platform/dom/html.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { openMenu, type MenuItem } from '../platform/overlay/menu.tsx'
import { go } from '../platform/router.ts'
import { join, leave, setProperty } from '../capabilities/channels/actions.ts'
import { openPeople } from '../capabilities/channels/parts/people.tsx'
import { bareTopic, channelById, isResolved, RESOLVED, subscriptionTo } from '../capabilities/channels/state.ts'
import { markPlaceRead } from '../capabilities/flags/actions.ts'
import { renameTopic } from '../capabilities/message-edits/state.ts'
import { ChannelSign, channelTitle, directName, placeName, TopicTitle } from '../capabilities/places/title.tsx'
import { unreadIdsOf, VISIBILITY, visibilityOf } from '../capabilities/unread/state.ts'
import { setVisibility } from '../capabilities/user-topics/actions.ts'
import { presenceOf } from '../capabilities/users/state.ts'
import { openSidebar } from './narrow.ts'
import './header.css'

/** The head of a view: what it is, and what can be done with it as a whole. */
export function Header({
  title,
  children,
}: {
  readonly title: ComponentChildren
  readonly children?: ComponentChildren
}) {
  return (
    <header class="header">
      <button class="icon-button header-menu" aria-label={t().nav.menu} onClick={openSidebar}>
        <Icon name="menu" />
      </button>
      <h1 class="header-title">{title}</h1>
      <div class="header-tools">{children}</div>
    </header>
  )
}

/** The head of a list of messages. */
export function PlaceHeader({ place }: { readonly place: Place }) {
  if (place.view === 'topic') return <TopicHeader channelId={place.channelId} topic={place.topic} />
  if (place.view === 'channel-feed') return <ChannelHeader channelId={place.channelId} view="feed" />
  if (place.view === 'direct') {
    const [first] = place.userIds
    const presence = place.userIds.length === 1 ? presenceOf(first ?? 0, Date.now() / 1000) : 'offline'
    return (
      <Header
        title={
          <>
            <Icon name="person" />
            <bdi>{directName(place.userIds)}</bdi>
            {presence !== 'offline' && <span class="header-note">{t().people[presence]}</span>}
          </>
        }
      />
    )
  }
  if (place.view === 'search') return <SearchHeader key={place.query} query={place.query} />
  return <Header title={placeName(place)} />
}

/** The head of a search is where it is changed. */
function SearchHeader({ query }: { readonly query: string }) {
  const submit = (form: HTMLFormElement): void => {
    const text = form.querySelector('input')?.value.trim() ?? ''
    if (text !== '') go({ view: 'search', query: text })
  }
  return (
    <Header
      title={
        <form
          class="header-search"
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            submit(event.currentTarget)
          }}
        >
          <Icon name="search" />
          <input
            class="input"
            type="search"
            aria-label={t().search.label}
            placeholder={t().search.placeholder}
            defaultValue={query}
          />
        </form>
      }
    />
  )
}

function TopicHeader({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const place = { view: 'topic', channelId, topic } as const
  const isFollowed = visibilityOf(channelId, topic) === VISIBILITY.followed
  const toggleResolved = async (): Promise<void> => {
    const [first] = messages.shownIn(place)
    const name = isResolved(topic) ? bareTopic(topic) : RESOLVED + topic
    if (first !== undefined && (await renameTopic(first.id, name))) go({ ...place, topic: name }, { replace: true })
  }
  const label = isResolved(topic) ? t().channel.unresolve : t().channel.resolve
  return (
    <Header
      title={
        <>
          <Link to={{ view: 'channel', channelId }} class="header-channel">
            <ChannelSign channelId={channelId} />
            <bdi>{channelTitle(channelId)}</bdi>
          </Link>
          <span class="place-then">›</span>
          <TopicTitle topic={topic} />
        </>
      }
    >
      <button
        class="icon-button"
        aria-label={isFollowed ? t().channel.unfollow : t().channel.follow}
        title={isFollowed ? t().channel.unfollow : t().channel.follow}
        aria-pressed={isFollowed}
        onClick={() => void setVisibility(channelId, topic, isFollowed ? VISIBILITY.inherit : VISIBILITY.followed)}
      >
        <Icon name="follow" />
      </button>
      {topic !== '' && (
        <button
          class="icon-button"
          aria-label={label}
          title={label}
          aria-pressed={isResolved(topic)}
          onClick={() => void toggleResolved()}
        >
          <Icon name="check" />
        </button>
      )}
      <button
        class="icon-button"
        aria-label={t().app.more}
        aria-haspopup="menu"
        onClick={(event) => openMenu(event.currentTarget, placeName(place), topicItems(place))}
      >
        <Icon name="more" />
      </button>
    </Header>
  )
}

function topicItems(place: Extract<Place, { view: 'topic' }>): MenuItem[] {
  const { channelId, topic } = place
  const isMuted = visibilityOf(channelId, topic) === VISIBILITY.muted
  return [
    {
      id: 'read',
      title: t().channel.markRead,
      icon: 'check',
      run: () => void markPlaceRead(place, unreadIdsOf(place)),
    },
    {
      id: 'mute',
      title: isMuted ? t().channel.unmuteTopic : t().channel.muteTopic,
      icon: 'mute',
      run: () => void setVisibility(channelId, topic, isMuted ? VISIBILITY.inherit : VISIBILITY.muted),
    },
  ]
}

/** The head of a channel: its topics and its feed are two views of it. */
export function ChannelHeader({ channelId, view }: { readonly channelId: number; readonly view: 'topics' | 'feed' }) {
  const channel = channelById(channelId)
  return (
    <Header
      title={
        <>
          <ChannelSign channelId={channelId} />
          <bdi>{channelTitle(channelId)}</bdi>
          {channel !== undefined && channel.description !== '' && (
            <span class="header-note">{textOf(channel.rendered_description)}</span>
          )}
        </>
      }
    >
      <nav class="header-views" aria-label={channelTitle(channelId)}>
        <Link to={{ view: 'channel', channelId }} current={view === 'topics'}>
          {t().channel.topics}
        </Link>
        <Link to={{ view: 'channel-feed', channelId }} current={view === 'feed'}>
          {t().channel.feed}
        </Link>
      </nav>
      {channel !== undefined && (
        <button
          class="icon-button"
          aria-label={t().app.more}
          aria-haspopup="menu"
          onClick={(event) => openMenu(event.currentTarget, channel.name, channelItems(channelId))}
        >
          <Icon name="more" />
        </button>
      )}
    </Header>
  )
}

function channelItems(channelId: number): MenuItem[] {
  const name = channelTitle(channelId)
  const own = subscriptionTo(channelId)
  if (own === undefined) return [{ id: 'join', title: t().channel.join, icon: 'plus', run: () => void join(name) }]
  const feed = { view: 'channel-feed', channelId } as const
  return [
    { id: 'read', title: t().channel.markRead, icon: 'check', run: () => void markPlaceRead(feed, unreadIdsOf(feed)) },
    { id: 'people', title: t().channel.people, icon: 'person', run: () => openPeople(channelId) },
    {
      id: 'mute',
      title: own.is_muted ? t().channel.unmute : t().channel.mute,
      icon: 'mute',
      run: () => void setProperty(channelId, 'is_muted', !own.is_muted),
    },
    {
      id: 'pin',
      title: own.pin_to_top ? t().channel.unpin : t().channel.pin,
      icon: 'follow',
      run: () => void setProperty(channelId, 'pin_to_top', !own.pin_to_top),
    },
    { id: 'leave', title: t().channel.leave, icon: 'close', isDangerous: true, run: () => void leave(name) },
  ]
}
