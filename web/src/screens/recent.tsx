import { call } from '@parley/client'
import { recent } from '@parley/server/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { placeKey, type Place } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { short } from '../kernel/time.ts'
import { sync } from '../platform/client.ts'
import { Link } from '../platform/dom/link.tsx'
import { SESSION } from '../platform/sync/sync.ts'
import { placeTitle } from '../capabilities/places/title.tsx'
import { Avatar } from '../capabilities/users/parts/avatar.tsx'
import { ownId, userName } from '../capabilities/users/state.ts'
import { Header } from './header.tsx'
import './recent.css'

const FILTERS = ['unread', 'participated', 'unresolved', 'followed'] as const
type Filter = (typeof FILTERS)[number]

type Conversation = Awaited<ReturnType<typeof fetchPage>>['conversations'][number]

/** However much happens, the list is not read more often. */
const BETWEEN_MILLISECONDS = 2_000
const CHANGING_EVENTS = ['message', 'update_message', 'delete_message', 'update_message_flags', 'user_topic']

async function fetchPage(filters: ReadonlySet<Filter>, before: number | undefined, signal: AbortSignal) {
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, filters.has(name)]))
  const given = { ...chosen, allow_empty_topic_name: true, ...(before === undefined ? {} : { before }) }
  return call(SESSION, recent.getRecentConversations, given, { signal })
}

interface Listed {
  readonly conversations: readonly Conversation[] | undefined
  readonly atOldest: boolean
  readonly hasFailed: boolean
  readonly more: () => void
}

/** Conversations page by page, the first of which is read again as things happen. */
function useConversations(filters: ReadonlySet<Filter>): Listed {
  const [pages, setPages] = useState<readonly (readonly Conversation[])[]>()
  const [atOldest, setAtOldest] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const aborter = useRef(new AbortController())
  const load = async (before: readonly (readonly Conversation[])[], { signal }: AbortController): Promise<void> => {
    try {
      const last = before.at(-1)?.at(-1)?.max_message_id
      const answer = await fetchPage(filters, last, signal)
      setPages([...before, answer.conversations])
      setAtOldest(answer.found_oldest)
      setFailed(false)
    } catch {
      if (!signal.aborted) setFailed(true)
    }
  }
  useEffect(() => {
    const own = (aborter.current = new AbortController())
    let timer: ReturnType<typeof setTimeout> | undefined
    void load([], own)
    const stop = sync.hear(({ type }) => {
      if (!CHANGING_EVENTS.includes(type)) return
      timer ??= setTimeout(() => {
        timer = undefined
        void load([], own)
      }, BETWEEN_MILLISECONDS)
    })
    return () => {
      own.abort()
      stop()
      clearTimeout(timer)
    }
  }, [filters])
  return { conversations: pages?.flat(), atOldest, hasFailed, more: () => void load(pages ?? [], aborter.current) }
}

/** Every conversation, the one with the newest message first. */
export function RecentView() {
  const [filters, setFilters] = useState<ReadonlySet<Filter>>(new Set())
  const { conversations, atOldest, hasFailed, more } = useConversations(filters)
  return (
    <>
      <Header title={t().nav.recent} />
      <div class="view-scroll">
        <div class="topics">
          <div class="filters" role="group" aria-label={t().recent.filters}>
            {FILTERS.map((name) => (
              <button
                key={name}
                class="filter"
                aria-pressed={filters.has(name)}
                onClick={() => {
                  const next = new Set(filters)
                  if (!next.delete(name)) next.add(name)
                  setFilters(next)
                }}
              >
                {t().recent[name]}
              </button>
            ))}
          </div>
          {hasFailed && (
            <p class="empty" role="alert">
              {t().app.failed}
            </p>
          )}
          {conversations === undefined && !hasFailed && <p class="empty">{t().app.loading}</p>}
          {conversations?.length === 0 && <p class="empty">{t().recent.empty}</p>}
          <ul>
            {conversations?.map((one) => (
              <ConversationRow key={placeKey(placeOf(one))} conversation={one} />
            ))}
          </ul>
          {conversations !== undefined && conversations.length > 0 && !atOldest && (
            <button class="button" onClick={more}>
              {t().recent.older}
            </button>
          )}
        </div>
      </div>
    </>
  )
}

function placeOf({ type, stream_id: channelId = 0, topic = '', user_ids: userIds = [] }: Conversation): Place {
  if (type === 'stream') return { view: 'topic', channelId, topic }
  return { view: 'direct', userIds: userIds.length === 0 ? [ownId()] : userIds }
}

function ConversationRow({ conversation }: { readonly conversation: Conversation }) {
  const { unread_count: unread, unread_mention_count: mentions, snippet, timestamp } = conversation
  const place = placeOf(conversation)
  const isMine = mentions > 0 || place.view === 'direct'
  return (
    <li class="recent-row">
      <Link to={place} class={unread > 0 ? 'recent-link is-unread' : 'recent-link'}>
        <span class="recent-text">
          <span class="recent-title">
            {placeTitle(place)}
            {unread > 0 && (
              <span class={isMine ? 'badge mine' : 'badge'}>
                {unread}
                <span class="visually-hidden"> {t().messages.unread}</span>
              </span>
            )}
          </span>
          <span class="recent-snippet">
            <bdi>{userName(conversation.sender_id)}</bdi>: <bdi>{snippet}</bdi>
          </span>
        </span>
        <span class="recent-people">
          {conversation.latest_sender_ids.map((id) => (
            <Avatar key={id} userId={id} size={22} />
          ))}
        </span>
        <span class="recent-time">{short(timestamp)}</span>
      </Link>
    </li>
  )
}
