import type { ComponentChildren } from 'preact'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { isPlace, placeKey, type Route } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { store } from '../platform/client.ts'
import { Icon } from '../platform/dom/icons.tsx'
import type { IconName } from '../kernel/icons.ts'
import { Link } from '../platform/dom/link.tsx'
import { openMenu } from '../platform/overlay/menu.tsx'
import { go, shown } from '../platform/router.ts'
import { channelSections, type ChannelSection } from '../capabilities/channels/state.ts'
import { openPalette } from '../capabilities/palette/state.ts'
import { ChannelSign, directName, TopicTitle } from '../capabilities/places/title.tsx'
import { signOut } from '../capabilities/sessions/actions.ts'
import {
  isMutedTopic,
  unreadMentions,
  unreadOf,
  unreadOfChannel,
  unreadTopicsOf,
  unreadTotal,
} from '../capabilities/unread/state.ts'
import { Avatar } from '../capabilities/users/parts/avatar.tsx'
import { isMutedUser, ownId, presenceOf, userName } from '../capabilities/users/state.ts'
import { closeSidebar, isSidebarOpen } from './narrow.ts'
import './sidebar.css'

/** Directs that are shown without asking for more. */
const MOST_DIRECTS = 12
/** Topics that are shown below a channel. */
const MOST_TOPICS = 8

const folded = signal<ReadonlySet<string>>(new Set())
const unfoldedChannels = signal<ReadonlySet<number>>(new Set())

function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

/** Everything one can go to. */
export function Sidebar() {
  const [filter, setFilter] = useState('')
  const query = filter.trim().toLowerCase()
  const matches = (name: string): boolean => query === '' || name.toLowerCase().includes(query)
  const sections = channelSections.value
    .map((section) => ({ ...section, channels: section.channels.filter(({ name }) => matches(name)) }))
    .filter(({ channels }) => channels.length > 0)
  return (
    <nav class={isSidebarOpen.value ? 'sidebar is-open' : 'sidebar'} aria-label={t().nav.label} onClick={onNavigation}>
      <div class="sidebar-head">
        <Me />
        <button class="icon-button sidebar-close" aria-label={t().app.close} onClick={closeSidebar}>
          <Icon name="close" />
        </button>
      </div>
      <button class="sidebar-search" onClick={openPalette}>
        <Icon name="search" size={16} />
        <span>{t().palette.placeholder}</span>
        <kbd>Ctrl+K</kbd>
      </button>
      <div class="sidebar-scroll">
        <Views />
        <input
          class="input sidebar-filter"
          type="search"
          aria-label={t().nav.filter}
          placeholder={t().nav.filter}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <Directs matches={matches} />
        {sections.map((section) => (
          <ChannelGroup key={section.key} section={section} />
        ))}
        <ul class="sidebar-list">
          <Item to={{ view: 'channels' }} icon="plus">
            {t().nav.browse}
          </Item>
        </ul>
      </div>
    </nav>
  )
}

/** Going somewhere leaves the sidebar, where it lies over the view. */
function onNavigation({ target }: MouseEvent): void {
  if (target instanceof Element && target.closest('a') !== null) closeSidebar()
}

function Me() {
  const items = [
    { id: 'settings', title: t().nav.settings, icon: 'settings', run: () => go({ view: 'settings' }) },
    { id: 'out', title: t().signIn.signOut, icon: 'back', run: () => void signOut() },
  ] as const
  return (
    <button
      class="sidebar-me"
      aria-haspopup="menu"
      onClick={(event) => openMenu(event.currentTarget, userName(ownId()), items)}
    >
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

function Views() {
  return (
    <ul class="sidebar-list" aria-label={t().nav.views}>
      <Item to={{ view: 'inbox' }} icon="inbox" count={unreadTotal.value}>
        {t().nav.inbox}
      </Item>
      <Item to={{ view: 'recent' }} icon="recent">
        {t().nav.recent}
      </Item>
      <Item to={{ view: 'feed' }} icon="feed">
        {t().nav.feed}
      </Item>
      <Item to={{ view: 'mentions' }} icon="mentions" count={unreadMentions.value} isMine>
        {t().nav.mentions}
      </Item>
      <Item to={{ view: 'starred' }} icon="starred">
        {t().nav.starred}
      </Item>
      <Item to={{ view: 'writing' }} icon="writing" count={store().read('drafts').length} isQuiet>
        {t().nav.writing}
      </Item>
    </ul>
  )
}

interface ItemProps {
  readonly to: Route
  readonly icon?: IconName
  readonly count?: number
  /** It is for oneself: a mention or a direct message. */
  readonly isMine?: boolean
  /** The count is of something else than unread messages. */
  readonly isQuiet?: boolean
  readonly isMuted?: boolean
  readonly children: ComponentChildren
}

function Item({ to, icon, count = 0, isMine = false, isQuiet = false, isMuted = false, children }: ItemProps) {
  const classes = ['sidebar-item', count > 0 && !isQuiet && 'is-unread', isMuted && 'is-muted']
  return (
    <li>
      <Link to={to} class={classes.filter(Boolean).join(' ')} current={isShown(to)}>
        {icon !== undefined && <Icon name={icon} size={17} />}
        <span class="sidebar-label">{children}</span>
        {isMuted && <span class="visually-hidden">, {t().nav.muted}</span>}
        <Badge count={count} isMine={isMine} isQuiet={isQuiet} />
      </Link>
    </li>
  )
}

function isShown(to: Route): boolean {
  const route = shown()
  if (route.view === 'not-found') return false
  if (isPlace(to)) return isPlace(route) && placeKey(route) === placeKey(to)
  if (to.view === 'channel') {
    return (route.view === 'channel' || route.view === 'channel-feed') && route.channelId === to.channelId
  }
  return route.view === to.view
}

interface BadgeProps {
  readonly count: number
  readonly isMine: boolean
  readonly isQuiet?: boolean
}

function Badge({ count, isMine, isQuiet = false }: BadgeProps) {
  if (count === 0) return null
  return (
    <span class={isMine ? 'badge mine' : 'badge'}>
      <span aria-hidden="true">{count > 999 ? '999+' : count}</span>
      <span class="visually-hidden">
        {isQuiet ? count : isMine ? t().nav.mentionCount(count) : t().nav.unread(count)}
      </span>
    </span>
  )
}

function Section({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}) {
  const isFolded = folded.value.has(id)
  return (
    <section class="sidebar-section" aria-label={title}>
      <button
        class="sidebar-title"
        aria-expanded={!isFolded}
        onClick={() => {
          folded.value = toggled(folded.value, id)
        }}
      >
        <Icon name="chevron" size={13} />
        <bdi>{title}</bdi>
      </button>
      {!isFolded && <ul class="sidebar-list">{children}</ul>}
    </section>
  )
}

function Directs({ matches }: { readonly matches: (name: string) => boolean }) {
  const now = Date.now() / 1000
  const found = store()
    .read('recent_private_conversations')
    .map(({ user_ids }) => (user_ids.length === 0 ? [ownId()] : [...user_ids]))
    .filter((userIds) => !userIds.every(isMutedUser) && matches(directName(userIds)))
  return (
    <Section id="directs" title={t().nav.directs}>
      {found.slice(0, MOST_DIRECTS).map((userIds) => {
        const place = { view: 'direct', userIds } as const
        const [first = 0] = userIds
        const presence = userIds.length === 1 ? presenceOf(first, now) : 'offline'
        return (
          <Item key={placeKey(place)} to={place} count={unreadOf(place)?.count ?? 0} isMine>
            <span class="sidebar-person">
              <Avatar userId={first} size={20} />
              <span class={`presence is-${presence}`} />
            </span>
            <bdi>{directName(userIds)}</bdi>
            {presence !== 'offline' && <span class="visually-hidden">, {t().people[presence]}</span>}
          </Item>
        )
      })}
    </Section>
  )
}

function ChannelGroup({ section }: { readonly section: ChannelSection }) {
  const title = section.name ?? (section.key === 'pinned' ? t().nav.pinned : t().nav.channels)
  return (
    <Section id={section.key} title={title}>
      {section.channels.map((channel) => (
        <ChannelItem
          key={channel.stream_id}
          channelId={channel.stream_id}
          name={channel.name}
          isMuted={channel.is_muted}
        />
      ))}
    </Section>
  )
}

interface ChannelItemProps {
  readonly channelId: number
  readonly name: string
  readonly isMuted: boolean
}

function ChannelItem({ channelId, name, isMuted }: ChannelItemProps) {
  const { count, mentions } = unreadOfChannel(channelId)
  const route = shown()
  const current = route.view === 'topic' && route.channelId === channelId ? route.topic : undefined
  const isUnfolded = unfoldedChannels.value.has(channelId) || current !== undefined
  const waiting = unreadTopicsOf(channelId)
    .map(({ place, count: unread }) => ({ topic: place.view === 'topic' ? place.topic : '', unread }))
    .slice(0, MOST_TOPICS)
  const isCurrentThere = waiting.some(({ topic }) => topic.toLowerCase() === current?.toLowerCase())
  const topics = current === undefined || isCurrentThere ? waiting : [{ topic: current, unread: 0 }, ...waiting]
  const classes = ['sidebar-item', count > 0 && 'is-unread', isMuted && 'is-muted']
  return (
    <li class="sidebar-channel">
      <div class="sidebar-row">
        <Link
          to={{ view: 'channel', channelId }}
          class={classes.filter(Boolean).join(' ')}
          current={isShown({ view: 'channel', channelId })}
        >
          <ChannelSign channelId={channelId} />
          <span class="sidebar-label">
            <bdi>{name}</bdi>
          </span>
          {isMuted && <span class="visually-hidden">, {t().nav.muted}</span>}
          <Badge count={mentions > 0 ? mentions : count} isMine={mentions > 0} />
        </Link>
        {waiting.length > 0 && (
          <button
            class="icon-button sidebar-unfold"
            aria-expanded={isUnfolded}
            aria-label={t().nav.expand(name)}
            onClick={() => {
              unfoldedChannels.value = toggled(unfoldedChannels.value, channelId)
            }}
          >
            <Icon name="chevron" size={13} />
          </button>
        )}
      </div>
      {isUnfolded && (
        <ul class="sidebar-topics">
          {topics.map(({ topic, unread }) => (
            <Item
              key={topic}
              to={{ view: 'topic', channelId, topic }}
              count={unread}
              isMuted={isMutedTopic(channelId, topic)}
            >
              <TopicTitle topic={topic} />
            </Item>
          ))}
        </ul>
      )}
    </li>
  )
}
