import type { ComponentChildren } from 'preact'
import type { Place } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { textOf } from '../platform/dom/html.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { lazily } from '../platform/dom/lazy.tsx'
import { Link } from '../platform/dom/link.tsx'
import { isNarrow, isPanelOpen, togglePanel } from '../platform/frame.ts'
import { mainLists } from '../platform/list/held-lists.ts'
import { NewRowsButton } from '../platform/list/held-order.tsx'
import { drawnRoute, goBack, hasPanelDetails } from '../platform/router.ts'
import { channelById } from '../capabilities/channels/state.ts'
import {
  ChannelSign,
  channelTitle,
  DirectTitle,
  placeName,
  TopicTitle,
  VisibilitySign,
} from '../capabilities/places/title.tsx'
import { HeaderParts, PlaceTools } from '../capabilities/places/tools.tsx'
import { presenceOf } from '../capabilities/presence/state.ts'
import { isMutedTopic } from '../capabilities/unread/state.ts'
import { GroupAvatar } from '../capabilities/users/parts/avatar.tsx'
import type { ChannelToolsProps } from './channel-tools.tsx'
import './header.css'

const ChannelTools = lazily<ChannelToolsProps>(
  async () => (await import('./channel-tools.tsx')).ChannelTools,
  () => <div class="header-channel-tools" />,
)

/** Views without a Back button, because the bottom bar opens them. */
const ROOT_VIEWS: readonly string[] = ['inbox', 'search']

/** Shown only on phones. */
export function BackButton() {
  return (
    <button class="icon-button header-back" aria-label={t().nav.back} onClick={goBack}>
      <Icon name="back" />
    </button>
  )
}

export function Header({
  title,
  description = '',
  children,
}: {
  readonly title: ComponentChildren
  readonly description?: string
  readonly children?: ComponentChildren
}) {
  return (
    <header class="header">
      {!ROOT_VIEWS.includes(drawnRoute().view) && <BackButton />}
      <div class="header-text">
        <h1 class="header-title">{typeof title === 'string' ? <span>{title}</span> : title}</h1>
        {description !== '' && (
          <button class="header-description" title={description} aria-expanded={isPanelOpen()} onClick={togglePanel}>
            <bdi>{description}</bdi>
          </button>
        )}
      </div>
      <NewRowsButton lists={mainLists} />
      <div class="header-tools">
        {children}
        {hasPanelDetails() && (
          <button
            class="icon-button"
            data-opens="panel"
            aria-label={t().panel.label}
            title={t().panel.label}
            aria-expanded={isPanelOpen()}
            onClick={togglePanel}
          >
            <Icon name="panel" />
          </button>
        )}
      </div>
    </header>
  )
}

export function PlaceHeader({ place }: { readonly place: Place }) {
  if (place.view === 'topic') return <TopicHeader channelId={place.channelId} topic={place.topic} />
  if (place.view === 'channel-feed') return <ChannelHeader channelId={place.channelId} view="feed" />
  if (place.view === 'direct') {
    const [first] = place.userIds
    const presence = place.userIds.length === 1 ? presenceOf(first ?? 0) : 'offline'
    return (
      <Header
        title={
          <button class="header-names" aria-expanded={isPanelOpen()} onClick={togglePanel}>
            <GroupAvatar userIds={place.userIds} size={24} />
            <DirectTitle userIds={place.userIds} />
            {presence !== 'offline' && <span class="header-note">{t().people[presence]}</span>}
          </button>
        }
      >
        <PlaceTools place={place} />
      </Header>
    )
  }
  return <Header title={placeName(place)} />
}

function TopicHeader({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const place = { view: 'topic', channelId, topic } as const
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
          {/* On wider screens, the Follow button shows that the topic is followed. */}
          {(isNarrow.value || isMutedTopic(channelId, topic)) && <VisibilitySign channelId={channelId} topic={topic} />}
        </>
      }
    >
      <HeaderParts place={place} />
      <PlaceTools place={place} />
    </Header>
  )
}

export function ChannelHeader({ channelId, view }: ChannelToolsProps) {
  const channel = channelById(channelId)
  return (
    <Header
      title={
        <>
          <ChannelSign channelId={channelId} />
          <bdi>{channelTitle(channelId)}</bdi>
        </>
      }
      description={textOf(channel?.rendered_description ?? '')}
    >
      <ChannelTools channelId={channelId} view={view} />
    </Header>
  )
}
