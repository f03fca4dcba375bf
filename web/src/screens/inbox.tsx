import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { placeKey } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { shortTimestamp } from '../kernel/time.ts'
import { messages } from '../platform/client.ts'
import { useGrowingCount } from '../platform/dom/idle.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { memo } from '../platform/dom/memo.tsx'
import { isNarrow } from '../platform/frame.ts'
import { mainLists } from '../platform/list/held-lists.ts'
import { useHeldOrder } from '../platform/list/held-order.tsx'
import { LoadingRows } from '../platform/list/states.tsx'
import { openMenu } from '../platform/overlay/menu.tsx'
import { channelSections } from '../capabilities/channels/state.ts'
import { previewOf } from '../capabilities/muted-users/state.ts'
import { openPlaceMenu } from '../capabilities/places/tools.tsx'
import {
  ChannelSign,
  channelTitle,
  DirectTitle,
  MutedSign,
  placeName,
  TopicTitle,
  VisibilitySign,
} from '../capabilities/places/title.tsx'
import { useFirstSteps } from '../capabilities/onboarding/index.tsx'
import { conversationOfRecent, useConversations } from '../capabilities/recent/conversations.ts'
import { INBOX_ACTIONS } from '../capabilities/unread/actions.ts'
import { Badge } from '../capabilities/unread/badge.tsx'
import {
  chosenConversation,
  isChosen,
  unreadConversations,
  unreadOf,
  unreadTotal,
  type UnreadConversation,
} from '../capabilities/unread/state.ts'
import { Avatar, GroupAvatar } from '../capabilities/users/parts/avatar.tsx'
import { isMutedUser, ownId } from '../capabilities/users/state.ts'
import { Header } from './header.tsx'
import './inbox.css'

/** Maximum number of conversations to show. More appear as these are read. */
const MAX_CONVERSATIONS = 200
/** Number of rows to render first, enough to fill a large screen. */
const INITIAL_ROWS = 30
const MAX_SENDERS = 3

interface Channel {
  readonly channelId: number
  readonly conversations: readonly UnreadConversation[]
}

interface Section {
  readonly key: string
  readonly title: string
  readonly directs: readonly UnreadConversation[]
  readonly channels: readonly Channel[]
}

/** DMs first, then the sidebar's sections. In each section, channels keep the order of their first conversations. */
function sectionsOf(conversations: readonly UnreadConversation[]): readonly Section[] {
  const byChannel = new Map<number, UnreadConversation[]>()
  for (const one of conversations) {
    if (one.place.view !== 'topic') continue
    const { channelId } = one.place
    byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), one])
  }
  const ranks = new Map([...byChannel.keys()].map((channelId, index) => [channelId, index]))
  const rankOf = ({ channelId }: Channel): number => ranks.get(channelId) ?? ranks.size
  const inChannels = channelSections.value.map(({ key, name, channels }) => ({
    key,
    title: name ?? (key === 'pinned' ? t().nav.pinned : t().nav.channels),
    directs: [],
    channels: channels
      .map(({ stream_id: channelId }) => ({ channelId, conversations: byChannel.get(channelId) ?? [] }))
      .filter((channel) => channel.conversations.length > 0)
      .toSorted((one, other) => rankOf(one) - rankOf(other)),
  }))
  const directs = conversations.filter(({ place }) => place.view === 'direct')
  return [{ key: 'directs', title: t().nav.directs, directs, channels: [] }, ...inChannels].filter(
    (section) => section.directs.length + section.channels.length > 0,
  )
}

/** Keys of the listed conversations, kept while other views are open. */
let listed: readonly string[] = []

function chosenIndex(): number {
  const { value: chosen } = chosenConversation
  return chosen === undefined ? -1 : listed.indexOf(placeKey(chosen))
}

/** Focuses the chosen row when the person comes back, and the row below it when the chosen row is removed. */
function useChosenFocus(order: readonly UnreadConversation[]): void {
  const isArriving = useRef(true)
  useLayoutEffect(() => {
    const keys = order.map(keyOf)
    const at = chosenIndex()
    const below = listed.slice(at).find((key) => keys.includes(key))
    const isMoved = at !== -1 && below !== listed[at]
    if (isMoved) chosenConversation.value = (order[keys.indexOf(below ?? '')] ?? order.at(-1))?.place
    listed = keys
    if ((isMoved || isArriving.current) && document.activeElement === document.body)
      findRow(listed[chosenIndex()])?.focus()
    isArriving.current = false
  })
}

function findRow(key: string | undefined): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('.inbox [data-row]')].find((row) => row.dataset['row'] === key)
}

const keyOf = ({ place }: UnreadConversation): string => placeKey(place)

export function Inbox() {
  const unread = unreadConversations.value.filter((one) => !one.isMuted || one.mentions > 0)
  const waiting = useHeldOrder(mainLists, unread.slice(0, MAX_CONVERSATIONS), keyOf, '', true).map(
    // A conversation that was read or muted keeps its row.
    (one) => unreadOf(one.place) ?? { ...one, count: 0, mentions: 0 },
  )
  const lastIds = waiting.map(({ lastId }) => lastId)
  const order = sectionsOf(waiting).flatMap(({ directs, channels }) => [
    ...directs,
    ...channels.flatMap(({ conversations }) => conversations),
  ])
  const drawn = useGrowingCount(Math.max(INITIAL_ROWS, chosenIndex() + 1), order.length)
  const sections = sectionsOf(order.slice(0, drawn))
  const senders = useSenders()
  const steps = useFirstSteps()
  useChosenFocus(order)
  useEffect(() => {
    // Without the optional preview, the conversation is still listed.
    messages.fetch(lastIds).catch(() => undefined)
  }, [lastIds.join(), messages.gaps])
  const isKnown = order.some(({ place }) => isChosen(place))
  const row = (one: UnreadConversation, index: number) => (
    <InboxRow
      key={placeKey(one.place)}
      conversation={one}
      senders={senders.get(placeKey(one.place)) ?? NO_SENDERS}
      isInTabOrder={isChosen(one.place) || (!isKnown && index === 0 && one === order[0])}
    />
  )
  if (waiting.length === 0 || steps === undefined) {
    return (
      <>
        <Header title={t().nav.inbox} />
        <div class="view-scroll">{steps ?? (steps === null ? <AllRead /> : <LoadingInbox />)}</div>
      </>
    )
  }
  return (
    <>
      <Header title={t().nav.inbox}>
        <Link to={{ view: 'triage' }} class="button" title={t().triage.open}>
          <Icon name="feed" size={16} />
          {t().nav.triage}
        </Link>
      </Header>
      <div class="view-scroll">
        {steps}
        <div class="inbox">
          <p class="note">{t().inbox.waiting(unreadTotal.value, unread.length)}</p>
          {sections.map(({ key, title, directs, channels }) => (
            <div key={key} class="inbox-section" role="group" aria-label={title}>
              <h2>
                <bdi>{title}</bdi>
              </h2>
              {directs.length > 0 && <ul class="inbox-rows">{directs.map(row)}</ul>}
              {channels.map(({ channelId, conversations }) => (
                <div key={channelId} class="inbox-channel">
                  <h3>
                    <Link
                      to={{ view: 'channel', channelId }}
                      onMenu={(from) => openPlaceMenu(from, { view: 'channel-feed', channelId })}
                    >
                      <ChannelSign channelId={channelId} />
                      <bdi>{channelTitle(channelId)}</bdi>
                    </Link>
                  </h3>
                  <ul class="inbox-rows">{conversations.map(row)}</ul>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

const UNREAD_FILTER = ['unread'] as const
const NO_SENDERS: readonly number[] = []

function useSenders(): ReadonlyMap<string, readonly number[]> {
  const { conversations = [] } = useConversations(UNREAD_FILTER)
  return useMemo(
    () => new Map(conversations.map((one) => [placeKey(conversationOfRecent(one)), one.latest_sender_ids])),
    [conversations],
  )
}

interface InboxRowProps {
  readonly conversation: UnreadConversation
  readonly senders: readonly number[]
  readonly isInTabOrder: boolean
}

/** Memoized, so that list changes do not rerender every row. */
const InboxRow = memo(function InboxRow({ conversation, senders, isInTabOrder }: InboxRowProps) {
  const { place, lastId, isMuted } = conversation
  // Rerenders when the fetched messages arrive.
  void messages.arrivals
  const last = messages.get(lastId)?.value
  const writers = [...new Set([...(last === undefined ? [] : [last.sender_id]), ...senders])]
  const people = writers
    .filter((id) => (id !== ownId() || writers.length === 1) && !isMutedUser(id))
    .slice(0, MAX_SENDERS)
  const preview = last === undefined ? undefined : previewOf(last)
  return (
    <li
      class={isChosen(place) ? 'inbox-row is-chosen' : 'inbox-row'}
      onFocusIn={() => {
        chosenConversation.value = place
      }}
    >
      <Link
        to={place}
        class="inbox-link"
        row={placeKey(place)}
        tabIndex={isInTabOrder ? 0 : -1}
        onMenu={(from) => openActions(from, conversation)}
      >
        <span class="inbox-people">
          {place.view === 'direct' ? (
            <GroupAvatar userIds={place.userIds} size={32} />
          ) : (
            people.map((id) => <Avatar key={id} userId={id} size={people.length === 1 || isNarrow.value ? 32 : 24} />)
          )}
        </span>
        <span class="inbox-text">
          <span class="inbox-title">
            {place.view === 'topic' ? <TopicTitle topic={place.topic} /> : <DirectTitle userIds={place.userIds} />}
            {place.view === 'topic' ? <VisibilitySign {...place} /> : isMuted && <MutedSign />}
            <Badge {...conversation} />
          </span>
          <span class="inbox-snippet">
            {preview === undefined ? (
              '\u00A0'
            ) : (
              <>
                <bdi>{preview.author}</bdi>: <bdi>{preview.text}</bdi>
              </>
            )}
          </span>
          {last !== undefined && <span class="inbox-time">{shortTimestamp(last.timestamp)}</span>}
        </span>
      </Link>
      <Tools conversation={conversation} isInTabOrder={isInTabOrder} />
    </li>
  )
})

function openActions(from: HTMLElement, conversation: UnreadConversation): void {
  const items = INBOX_ACTIONS.filter(({ when }) => when(conversation)).map(({ id, title, icon, run }) => ({
    id,
    title: title(conversation),
    icon,
    run: () => void run(conversation),
  }))
  openMenu(from, placeName(conversation.place), items)
}

/** On narrow screens and touch screens, the actions are in a menu. */
function Tools({ conversation, isInTabOrder }: Omit<InboxRowProps, 'senders'>) {
  const actions = INBOX_ACTIONS.filter(({ when }) => when(conversation))
  const name = placeName(conversation.place)
  const tabIndex = isInTabOrder ? 0 : -1
  return (
    <div class="inbox-tools">
      {actions.map(({ id, title, icon, run }) => (
        <button
          key={id}
          class="icon-button inbox-tool"
          tabIndex={tabIndex}
          aria-label={`${title(conversation)}: ${name}`}
          title={title(conversation)}
          onClick={() => void run(conversation)}
        >
          <Icon name={icon} />
        </button>
      ))}
      <button
        class="icon-button inbox-more"
        tabIndex={tabIndex}
        aria-label={`${t().app.more}: ${name}`}
        aria-haspopup="menu"
        onClick={({ currentTarget: from }) => openActions(from, conversation)}
      >
        <Icon name="more" />
      </button>
    </div>
  )
}

function LoadingInbox() {
  return (
    <div class="inbox">
      <LoadingRows />
    </div>
  )
}

function AllRead() {
  return (
    <div class="empty glad">
      <svg viewBox="0 0 200 120" width={200} height={120} aria-hidden="true" focusable="false">
        <circle class="glad-sun" cx="100" cy="70" r="26" />
        <path class="glad-rays" d="M100 30V16M128 42l10-10M72 42L62 32M141 70h14M45 70h14" />
        <path class="glad-far" d="M0 92q50-30 100-8t100-8v44H0z" />
        <path class="glad-near" d="M0 104q60-24 110-6t90-2v24H0z" />
        <path class="glad-sprout" d="M100 102V84m0 6q-12 0-14-12q13 0 14 12m0-4q0-12 14-14q0 14-14 14" />
      </svg>
      <strong>{t().inbox.empty}</strong>
      <span>{t().inbox.quiet}</span>
      <Link to={{ view: 'recent' }} class="button">
        {t().nav.recent}
      </Link>
    </div>
  )
}
