import { useMemo, useRef } from 'preact/hooks'
import { conversationOfMessage, type Message } from '../../../kernel/message.ts'
import { placeKey, type Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { isSameDay } from '../../../kernel/time.ts'
import { messages } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { placeTitle } from '../../places/title.tsx'
import { isHidden } from '../../muted-users/state.ts'
import { ownId } from '../../users/state.ts'
import { outgoing } from '../outbox.ts'
import { focused } from '../reading.ts'
import { Day } from './day.tsx'
import { useDrawn } from './drawn.ts'
import { Pending } from './pending.tsx'
import { isSaidOn } from './said-on.ts'
import { Row } from './row.tsx'
import { useScrolling } from './scrolling.ts'
import './list.css'

interface MessageListProps {
  readonly place: Place
  readonly near: number | undefined
  /** What is seen is not marked as read. */
  readonly marksNothing?: boolean
}

/** The messages of a place, from the first unread one on. */
export function MessageList({ place, near, marksNothing = false }: MessageListProps) {
  const key = placeKey(place)
  const window = useMemo(() => messages.open(place, near), [key, near])
  return <OpenList key={key} window={window} near={near} marksNothing={marksNothing} />
}

interface OpenListProps {
  readonly window: MessageWindow
  readonly near?: number | undefined
  readonly marksNothing?: boolean
}

/** The messages of a window that is there already. */
export function OpenList({ window, near, marksNothing = false }: OpenListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useDrawn(window)
  const { unseen, isAtEnd, toEnd } = useScrolling(scroller, window, { drawn, near, marksNothing })
  const ids = window.ids.value
  const isConversation = window.place.view === 'topic' || window.place.view === 'direct'
  const loading = window.loading.value
  const isEmpty = ids.length === 0 && (!isConversation || outgoing(window.place).length === 0)
  return (
    <div class="list-frame">
      <div ref={scroller} class="list" tabIndex={-1}>
        <div
          class="list-rows"
          // A feed may hold articles alone; where messages are of several conversations, links to these stand between them.
          role={isEmpty ? undefined : isConversation ? 'feed' : 'region'}
          aria-label={isEmpty ? undefined : t().messages.list}
          aria-busy={loading !== 'none'}
        >
          {loading === 'older' && <p class="list-note">{t().app.loading}</p>}
          <Rows window={window} ids={drawn} hasPlaces={!isConversation} near={near} />
          {isConversation && <Pending place={window.place} newest={messages.get(drawn.at(-1) ?? 0)?.value} />}
          {loading === 'newer' && <p class="list-note">{t().app.loading}</p>}
        </div>
        {ids.length === 0 && <Nothing window={window} />}
      </div>
      {!isAtEnd.value && ids.length > 0 && (
        <button class="to-newest" onClick={toEnd}>
          <Icon name="down" size={16} />
          {t().messages.toNewest(unseen.value)}
        </button>
      )}
    </div>
  )
}

function Nothing({ window }: { readonly window: MessageWindow }) {
  if (window.failed.value && window.isOutOfReach.value) {
    const isSearch = window.place.view === 'search'
    return (
      <div class="empty" role="alert">
        <strong>{isSearch ? t().search.offlineEmpty : t().messages.offlineEmpty}</strong>
        <span>{isSearch ? t().search.offlineEmptyMore : t().messages.offlineEmptyMore}</span>
      </div>
    )
  }
  if (window.failed.value) {
    return (
      <div class="empty" role="alert">
        <strong>{t().app.failed}</strong>
        <button class="button" onClick={() => messages.retry(window)}>
          {t().app.retry}
        </button>
      </div>
    )
  }
  if (window.loading.value !== 'none' || window.isOfKept.value) return <p class="empty">{t().app.loading}</p>
  return (
    <div class="empty">
      <strong>{emptyText(window.place)}</strong>
      {window.place.view === 'search' && <span>{t().messages.emptySearchMore}</span>}
    </div>
  )
}

function emptyText({ view }: Place): string {
  if (view === 'search') return t().messages.emptySearch
  if (view === 'mentions') return t().messages.emptyMentions
  if (view === 'starred') return t().messages.emptyStarred
  return view === 'reactions' ? t().messages.emptyReactions : t().messages.empty
}

interface RowsProps {
  readonly window: MessageWindow
  readonly ids: readonly number[]
  /** Shows where messages are, since the list is of several conversations. */
  readonly hasPlaces: boolean
  /** The message to which a link led. */
  readonly near: number | undefined
}

/** Where messages are read one after the other, the first unread one is marked; elsewhere some of them are shown. */
function hasDivider({ view }: Place): boolean {
  return ['topic', 'direct', 'channel-feed', 'feed'].includes(view)
}

function Rows({ window, ids, hasPlaces, near }: RowsProps) {
  const own = ownId()
  const { value: marks } = window.marks
  const inTabOrder = ids.includes(focused.value ?? 0) ? focused.value : ids.at(-1)
  let before: Message | undefined
  return (
    <>
      {ids.map((id) => {
        const known = messages.get(id)
        if (known === undefined) return null
        // What decides about the rows around it changes seldom; the row itself follows the rest.
        const message = known.value
        const isNewDay = before === undefined || !isSameDay(before.timestamp, message.timestamp)
        const placeOf = (one: Message): string => placeKey(conversationOfMessage(one, own))
        const isNewPlace = hasPlaces && (before === undefined || placeOf(before) !== placeOf(message))
        const isDivider = hasDivider(window.place) && window.divider.value === id
        const goesOn =
          before !== undefined &&
          !isNewDay &&
          !isNewPlace &&
          !isDivider &&
          // Who a hidden message is of is not seen beside it.
          !isHidden(before) &&
          isSaidOn(before, message)
        before = message
        return (
          <div key={id} class="list-item">
            {isNewDay && <Day seconds={message.timestamp} />}
            {isNewPlace && <PlaceBar message={message} markedTopic={marks.get(id)?.topic} />}
            {isDivider && (
              <div class="divider">
                <span>{t().messages.newMessages}</span>
              </div>
            )}
            <Row
              message={known}
              hasHead={!goesOn}
              isInTabOrder={id === inTabOrder}
              marked={marks.get(id)?.content}
              isSought={id === near}
            />
          </div>
        )
      })}
    </>
  )
}

/** Where the messages that follow are, as a link to it. */
function PlaceBar({ message, markedTopic }: { readonly message: Message; readonly markedTopic: string | undefined }) {
  const place = conversationOfMessage(message, ownId())
  return (
    <div class="place-bar">
      <Link to={{ ...place, near: message.id }}>{placeTitle(place, markedTopic)}</Link>
    </div>
  )
}
