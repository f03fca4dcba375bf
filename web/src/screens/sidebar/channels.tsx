import { caseKey } from '@parley/server/kernel/case-key'
import { computed, useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { isDemoted, type ChannelSection, type Subscription } from '../../capabilities/channels/state.ts'
import { newestTopicsOf, retryNewestTopics } from '../../capabilities/channels/topics.ts'
import { hasDraft } from '../../capabilities/drafts/stored.ts'
import { togglePart, isPartToggled, sidebarFilter } from '../../capabilities/navigation-views/state.ts'
import {
  ChannelSign,
  DraftSign,
  MutedSign,
  TopicTitle,
  topicTitle,
  VisibilitySign,
} from '../../capabilities/places/title.tsx'
import type { BadgeProps } from '../../capabilities/unread/badge.tsx'
import {
  followedTopicsOf,
  isMutedTopic,
  unreadOf,
  unreadOfChannel,
  unreadTopicsOf,
} from '../../capabilities/unread/state.ts'
import { store } from '../../platform/client.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { sidebarLists } from '../../platform/list/held-lists.ts'
import { showNewOrder, useHeldOrder } from '../../platform/list/held-order.tsx'
import { drawnRoute, shownRoute } from '../../platform/router.ts'
import { openPlaceMenu } from '../../capabilities/places/tools.tsx'
import { isFiltered, Item, ItemsWithRest, matchesFilter, Section } from './item.tsx'

const MAX_TOPICS = 8

/** Muted and inactive channels come last. */
export function Channels({ section }: { readonly section: ChannelSection }) {
  const channels = isFiltered()
    ? section.channels.filter(({ stream_id, name }) => matchesFilter(name) || matchingTopics(stream_id).length > 0)
    : section.channels
  if (channels.length === 0) return null
  const title = section.name ?? (section.key === 'pinned' ? t().nav.pinned : t().nav.channels)
  return (
    <Section id={section.key} title={title}>
      <ItemsWithRest
        section={section.key}
        all={channels}
        keyOf={({ stream_id }) => stream_id}
        isCurrent={({ stream_id }) => stream_id === currentChannel.value}
        isUrgent={({ stream_id }) => unreadOfChannel(stream_id).mentions > 0}
        isMain={(channel) => channel.pin_to_top || isChannelShown(channel)}
        rowsOf={({ stream_id }) => (isFiltered() ? 2 + Math.min(MAX_TOPICS, matchingTopics(stream_id).length) : 1)}
      >
        {({ stream_id: channelId, name, is_muted: isMuted }) => (
          <Channel key={channelId} channelId={channelId} name={name} isMuted={isMuted} />
        )}
      </ItemsWithRest>
    </Section>
  )
}

function isChannelShown(channel: Subscription): boolean {
  const { count, mentions } = unreadOfChannel(channel.stream_id)
  if (mentions > 0) return true
  return !channel.is_muted && (count > 0 || !isDemoted(channel))
}

const currentChannel = computed(() => {
  const route = shownRoute()
  return 'channelId' in route ? route.channelId : undefined
})

interface ChannelProps {
  readonly channelId: number
  readonly name: string
  readonly isMuted: boolean
}

const CHANNEL_PARTS = ['name', 'topics'] as const

function Channel({ channelId, name, isMuted }: ChannelProps) {
  const current = useComputed(() => currentTopicIn(channelId)).value
  // The current topic's channel is expanded unless the user collapses it, so its state is stored separately.
  const fold = `channel-${channelId}${current === undefined ? '' : '-current'}`
  const isOpen = isFiltered() || isPartToggled(fold) !== (current !== undefined)
  const parts = CHANNEL_PARTS.slice(0, isOpen ? 2 : 1)
  // While the pointer is in the sidebar, leaving a topic does not collapse its channel, which would move other rows.
  const isShown = useHeldOrder(sidebarLists, parts, (part) => part, `${isPartToggled(fold)}`).includes('topics')
  const place = { view: 'channel-feed', channelId } as const
  return (
    <li data-branch>
      <div class="sidebar-row">
        <Item
          to={{ view: 'channel', channelId }}
          unread={channelBadge(channelId)}
          isMuted={isMuted}
          onMenu={(from) => openPlaceMenu(from, place)}
        >
          <ChannelSign channelId={channelId} />
          <bdi>{name}</bdi>
          {isMuted && <MutedSign />}
          {hasDraft(place) && <DraftSign />}
        </Item>
        <button
          class="icon-button sidebar-unfold"
          tabIndex={-1}
          aria-expanded={isShown}
          aria-label={t().nav.expand(name)}
          onClick={() => (isShown === isOpen ? togglePart(fold) : showNewOrder(sidebarLists))}
        >
          <Icon name="chevron" size={13} />
        </button>
      </div>
      {isShown && <Topics channelId={channelId} current={current} />}
      {!isShown && current !== undefined && (
        <ul class="sidebar-topics">
          <Topic channelId={channelId} topic={current} />
        </ul>
      )}
    </li>
  )
}

/** Reads the rendered route, which changes after the click is painted: expanding a channel would delay that paint. */
function currentTopicIn(channelId: number): string | undefined {
  const route = drawnRoute()
  return route.view === 'topic' && route.channelId === channelId ? route.topic : undefined
}

const COUNT_POLICIES = { all: 1, unmuted: 2, none: 3 } as const

function channelBadge(channelId: number): BadgeProps {
  const { count, mutedCount, mentions } = unreadOfChannel(channelId)
  const policy = store().read('user_settings')['web_stream_unreads_count_display_policy']
  if (policy === COUNT_POLICIES.all) return { count: count + mutedCount, mentions }
  const isNumber = policy !== COUNT_POLICIES.none && count > 0
  return isNumber ? { count, mentions } : { count: count + mutedCount, mentions, isMuted: true }
}

function matchingTopics(channelId: number): readonly string[] {
  const current = currentTopicIn(channelId)
  const topics = current === undefined ? firstTopics(channelId) : [...firstTopics(channelId), current]
  return topics.filter((topic) => matchesFilter(topicTitle(topic)))
}

function firstTopics(channelId: number): readonly string[] {
  const unread = unreadTopicsOf(channelId).filter(({ isMuted, mentions }) => !isMuted || mentions > 0)
  return [...unread.map(({ topic }) => topic), ...followedTopicsOf(channelId)]
}

function uniqueTopics(topics: readonly string[]): readonly string[] {
  const known = new Set<string>()
  return topics.filter((topic) => {
    const isNew = !known.has(caseKey(topic))
    known.add(caseKey(topic))
    return isNew
  })
}

function Topics({ channelId, current }: { readonly channelId: number; readonly current: string | undefined }) {
  // Expanding a channel again retries a failed load.
  useEffect(() => retryNewestTopics(channelId), [channelId])
  const all = isFiltered() ? matchingTopics(channelId) : [...firstTopics(channelId), ...newestTopicsOf(channelId)]
  const isCurrent = (topic: string): boolean => current !== undefined && caseKey(topic) === caseKey(current)
  const newest = uniqueTopics(all).slice(0, MAX_TOPICS)
  const isMissing = current !== undefined && !isFiltered() && !newest.some(isCurrent)
  const wanted = isMissing ? [...newest.slice(0, MAX_TOPICS - 1), current] : newest
  const topics = useHeldOrder(sidebarLists, wanted, caseKey, sidebarFilter.value).filter(
    (topic, index) => index < MAX_TOPICS || isCurrent(topic),
  )
  return (
    <ul class="sidebar-topics">
      {topics.map((topic) => (
        <Topic key={caseKey(topic)} channelId={channelId} topic={topic} />
      ))}
      <li>
        <Item to={{ view: 'channel', channelId }} isSecond>
          {t().nav.allTopics}
        </Item>
      </li>
    </ul>
  )
}

function Topic({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const place = { view: 'topic', channelId, topic } as const
  return (
    <li>
      <Item
        to={place}
        unread={unreadOf(place)}
        isMuted={isMutedTopic(channelId, topic)}
        onMenu={(from) => openPlaceMenu(from, place)}
      >
        <TopicTitle topic={topic} />
        <VisibilitySign channelId={channelId} topic={topic} />
        {hasDraft(place) && <DraftSign />}
      </Item>
    </li>
  )
}
