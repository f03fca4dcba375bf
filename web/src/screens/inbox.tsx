import { useEffect } from 'preact/hooks'
import { placeKey } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { short } from '../kernel/time.ts'
import { messages } from '../platform/client.ts'
import { textOf } from '../platform/dom/html.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { markPlaceRead } from '../capabilities/flags/actions.ts'
import { ChannelSign, channelTitle, directName, placeName, TopicTitle } from '../capabilities/places/title.tsx'
import { unreadConversations, type UnreadConversation } from '../capabilities/unread/state.ts'
import { muteTopic } from '../capabilities/user-topics/actions.ts'
import { Avatar } from '../capabilities/users/parts/avatar.tsx'
import { Header } from './header.tsx'
import './inbox.css'

/** Conversations that are shown; the rest comes up as these are read. */
const MOST_SHOWN = 200

interface Group {
  readonly key: string
  readonly channelId: number | undefined
  readonly conversations: readonly UnreadConversation[]
}

/** Directs first, then channels, the one with the newest message first. */
function grouped(conversations: readonly UnreadConversation[]): readonly Group[] {
  const groups = new Map<string, UnreadConversation[]>([['directs', []]])
  for (const one of conversations) {
    const key = one.place.view === 'direct' ? 'directs' : String(one.place.channelId)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups]
    .filter(([, all]) => all.length > 0)
    .map(([key, all]) => ({ key, channelId: key === 'directs' ? undefined : Number(key), conversations: all }))
}

/** What is unread, by conversation. */
export function Inbox() {
  const waiting = unreadConversations.value.filter((one) => !one.isMuted || one.mentions > 0).slice(0, MOST_SHOWN)
  const lastIds = waiting.map(({ lastId }) => lastId)
  useEffect(() => {
    // A line of a message says what it is about; without it the conversation is still there.
    messages.fetch(lastIds).catch(() => undefined)
  }, [lastIds.join()])
  return (
    <>
      <Header title={t().nav.inbox} />
      <div class="view-scroll">
        {waiting.length === 0 ? (
          <div class="empty">
            <Icon name="check" size={40} />
            <strong>{t().inbox.empty}</strong>
            <span>{t().inbox.emptyMore}</span>
          </div>
        ) : (
          <div class="inbox">
            {grouped(waiting).map(({ key, channelId, conversations }) => (
              <div key={key} class="inbox-group">
                <h2>
                  {channelId === undefined ? (
                    t().nav.directs
                  ) : (
                    <Link to={{ view: 'channel', channelId }}>
                      <ChannelSign channelId={channelId} />
                      <bdi>{channelTitle(channelId)}</bdi>
                    </Link>
                  )}
                </h2>
                <ul>
                  {conversations.map((one) => (
                    <InboxRow key={placeKey(one.place)} conversation={one} />
                  ))}
                </ul>
              </div>
            ))}
          </div>
        )}
      </div>
    </>
  )
}

function InboxRow({ conversation }: { readonly conversation: UnreadConversation }) {
  const { place, count, mentions, lastId } = conversation
  // Drawn again when the messages arrived that are read for it.
  void messages.arrivals
  const last = messages.get(lastId)?.value
  const isMine = mentions > 0 || place.view === 'direct'
  return (
    <li class="inbox-row">
      <Link to={place} class="inbox-link">
        {last === undefined ? <span class="inbox-blank" /> : <Avatar userId={last.sender_id} size={32} />}
        <span class="inbox-text">
          <span class="inbox-title">
            {place.view === 'topic' ? <TopicTitle topic={place.topic} /> : <bdi>{directName(place.userIds)}</bdi>}
            <span class={isMine ? 'badge mine' : 'badge'}>
              {count}
              <span class="visually-hidden"> {t().messages.unread}</span>
            </span>
          </span>
          {last !== undefined && (
            <span class="inbox-snippet">
              <bdi>{last.sender_full_name}</bdi>: <bdi>{textOf(last.content)}</bdi>
            </span>
          )}
        </span>
        {last !== undefined && <span class="inbox-time">{short(last.timestamp)}</span>}
      </Link>
      <div class="inbox-tools">
        <button
          class="icon-button"
          aria-label={`${t().inbox.markRead}: ${placeName(place)}`}
          title={t().inbox.markRead}
          onClick={() => void markPlaceRead(place)}
        >
          <Icon name="check" />
        </button>
        {place.view === 'topic' && (
          <button
            class="icon-button"
            aria-label={`${t().inbox.mute}: ${placeName(place)}`}
            title={t().inbox.mute}
            onClick={() => void muteTopic(place.channelId, place.topic)}
          >
            <Icon name="mute" />
          </button>
        )}
      </div>
    </li>
  )
}
