import { placeKey, RECENT_FILTERS, type RecentFilter } from '../kernel/route.ts'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { fullTime, shortTimestamp } from '../kernel/time.ts'
import { useGrowingCount } from '../platform/dom/idle.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { mainLists } from '../platform/list/held-lists.ts'
import { useHeldOrder } from '../platform/list/held-order.tsx'
import { LoadMoreButton } from '../platform/list/more.tsx'
import { LoadFailure, EmptyState, LoadingRows } from '../platform/list/states.tsx'
import { go } from '../platform/router.ts'
import { channelById } from '../capabilities/channels/state.ts'
import { isHiddenMessage, shownName } from '../capabilities/muted-users/state.ts'
import { placeTitle, VisibilitySign } from '../capabilities/places/title.tsx'
import {
  conversationOfRecent,
  keyOfRecent,
  useConversations,
  type RecentConversation,
} from '../capabilities/recent/conversations.ts'
import { Badge } from '../capabilities/unread/badge.tsx'
import { unreadOf } from '../capabilities/unread/state.ts'
import { Avatar } from '../capabilities/users/parts/avatar.tsx'
import { isMutedUser } from '../capabilities/users/state.ts'
import { Header } from './header.tsx'
import './recent.css'

const INITIAL_ROWS = 20

export function RecentView({ filters }: { readonly filters: readonly RecentFilter[] }) {
  const { conversations, atOldest, hasFailed, isLoading, more } = useConversations(filters)
  const seen = useHeldOrder(mainLists, conversations ?? [], keyOfRecent, filters.join()).filter(isVisibleConversation)
  const drawn = useGrowingCount(INITIAL_ROWS, seen.length)
  const hasMore = conversations !== undefined && conversations.length > 0 && !atOldest
  return (
    <>
      <Header title={t().nav.recent} />
      <div class="view-scroll">
        <div class="topics">
          <Filters filters={filters} />
          {conversations === undefined && !hasFailed && <LoadingRows />}
          {conversations?.length === 0 && <NoConversations isFiltered={filters.length > 0} />}
          <ul class="recent-rows" aria-busy={isLoading}>
            {seen.slice(0, drawn).map((one) => (
              <ConversationRow key={keyOfRecent(one)} conversation={one} />
            ))}
          </ul>
          {hasFailed && <LoadFailure again={more} />}
          {hasMore && !hasFailed && (
            <LoadMoreButton
              label={isLoading ? tl().recent.loading : tl().recent.older}
              page={conversations.length}
              isLoading={isLoading}
              more={more}
            />
          )}
        </div>
      </div>
    </>
  )
}

/** False for channels that the person can no longer see, and for DMs in which all other participants are muted. */
function isVisibleConversation(conversation: RecentConversation): boolean {
  const place = conversationOfRecent(conversation)
  return place.view === 'topic' ? channelById(place.channelId) !== undefined : !place.userIds.every(isMutedUser)
}

function Filters({ filters }: { readonly filters: readonly RecentFilter[] }) {
  const toggle = (name: RecentFilter): void => {
    const next = RECENT_FILTERS.filter((one) => filters.includes(one) !== (one === name))
    go({ view: 'recent', ...(next.length === 0 ? {} : { filters: next }) }, { replace: true })
  }
  return (
    <div class="filters" role="group" aria-label={tl().recent.filters}>
      {RECENT_FILTERS.map((name) => (
        <button key={name} class="filter" aria-pressed={filters.includes(name)} onClick={() => toggle(name)}>
          {tl().recent[name]}
        </button>
      ))}
    </div>
  )
}

function NoConversations({ isFiltered }: { readonly isFiltered: boolean }) {
  const { recent: texts } = tl()
  return isFiltered ? (
    <EmptyState icon="recent" title={texts.emptyFiltered} more={texts.emptyFilteredMore} />
  ) : (
    <EmptyState icon="recent" title={texts.empty} more={texts.emptyMore} />
  )
}

/** The server's snippets of polls and to-do lists begin with the command that created them. */
function shownSnippet(snippet: string): string {
  const [command, type] = /^\/(poll|todo)\b */.exec(snippet) ?? []
  if (command === undefined) return snippet || t().messages.noText
  return t().messages.widgets[type === 'poll' ? 'poll' : 'todo'](snippet.slice(command.length))
}

function ConversationRow({ conversation }: { readonly conversation: RecentConversation }) {
  const { snippet, timestamp } = conversation
  const { participant_count: people, latest_sender_ids: senders } = conversation
  const isOfMuted = isHiddenMessage({ id: conversation.max_message_id, sender_id: conversation.sender_id })
  const shownSenders = senders.filter((id) => !isMutedUser(id))
  const place = conversationOfRecent(conversation)
  const unread = unreadOf(place)
  return (
    <li class="recent-row">
      <Link
        to={place}
        class={unread?.isMuted === false ? 'recent-link is-unread' : 'recent-link'}
        row={placeKey(place)}
      >
        <span class="recent-text">
          <span class="recent-title">
            {place.view === 'direct' && <Icon name="person" size={15} />}
            {placeTitle(place)}
            {place.view === 'topic' && <VisibilitySign {...place} />}
            <Badge {...unread} />
          </span>
          <span class="recent-snippet">
            <bdi>{shownName(conversation.sender_id)}</bdi>:{' '}
            <bdi>{isOfMuted ? t().people.hiddenText : shownSnippet(snippet)}</bdi>
          </span>
        </span>
        <span class="recent-people" title={senders.map(shownName).join(', ')}>
          {shownSenders.map((id) => (
            <Avatar key={id} userId={id} size={22} />
          ))}
          {people > shownSenders.length && <span class="recent-more">+{people - shownSenders.length}</span>}
          <span class="visually-hidden">{tl().recent.participants(people)}</span>
        </span>
        <time class="recent-time" title={fullTime(timestamp)}>
          {shortTimestamp(timestamp)}
        </time>
      </Link>
    </li>
  )
}
