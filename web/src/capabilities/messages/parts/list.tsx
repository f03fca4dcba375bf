import { useSignal } from '@preact/signals'
import { useMemo, useRef, useEffect } from 'preact/hooks'
import type { IconName } from '../../../kernel/icons.ts'
import { placeKey, type Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { messages, sync } from '../../../platform/client.ts'
import { runAfterInputPause } from '../../../platform/dom/idle.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { LoadFailure, EmptyState, LoadingRows } from '../../../platform/list/states.tsx'
import type { MessageWindow } from '../../../platform/messages/window.ts'
import { density, fontSize } from '../../appearance/state.ts'
import { outgoingMessagesIn } from '../outbox.ts'
import { PendingMessages } from './pending.tsx'
import { Rows, continuesRun } from './rows.tsx'
import { jumpButtons, useScrolling } from './scrolling.ts'
import './list.css'

interface MessageListProps {
  readonly place: Place
  readonly near: number | undefined
  readonly marksNothing?: boolean
}

export function MessageList({ place, near, marksNothing = false }: MessageListProps) {
  const key = placeKey(place)
  const opened = useRef<{ readonly window: MessageWindow; readonly near: number | undefined }>(undefined)
  const window = useMemo(() => {
    const { current: last } = opened
    // The open window may have followed a renamed topic, and already show this place.
    const isSame = last !== undefined && last.near === near && placeKey(last.window.place) === key
    return isSame ? last.window : messages.open(place, near)
  }, [key, near])
  opened.current = { window, near }
  return <OpenList window={window} near={near} marksNothing={marksNothing} />
}

interface OpenListProps {
  readonly window: MessageWindow
  readonly near?: number | undefined
  readonly marksNothing?: boolean
}

export function OpenList({ window, near, marksNothing = false }: OpenListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useDrawnIds(window)
  const { position, toEnd } = useScrolling(scroller, window, { drawn, near, marksNothing })
  const ids = window.ids.value
  const JumpButtons = jumpButtons.value
  const isConversation = window.place.view === 'topic' || window.place.view === 'direct'
  const loading = window.loading.value
  const isEmpty = ids.length === 0 && (!isConversation || outgoingMessagesIn(window.place).length === 0)
  return (
    <div class="list-frame">
      <div ref={scroller} class={isConversation ? 'list' : `list has-places in-${window.place.view}`} tabIndex={-1}>
        <div
          class="list-rows"
          // The feed role allows only articles. Lists of several conversations also contain links.
          role={isEmpty ? undefined : isConversation ? 'feed' : 'region'}
          aria-label={isEmpty ? undefined : t().messages.list}
          aria-busy={loading !== 'none'}
        >
          <OlderMessagesNotice window={window} isLoading={loading === 'older'} />
          <Rows window={window} ids={drawn} hasPlaces={!isConversation} near={near} />
          {isConversation && <PendingMessages place={window.place} newest={messages.get(drawn.at(-1) ?? 0)?.value} />}
          {loading === 'newer' && <p class="list-note">{t().app.loading}</p>}
          {hasFailedAt(window, 'newer') && <RetryNote window={window} edge="newer" />}
        </div>
        {ids.length === 0 && <NoMessages window={window} isEmpty={isEmpty} />}
      </div>
      {ids.length > 0 && JumpButtons !== undefined && <JumpButtons window={window} position={position} toEnd={toEnd} />}
    </div>
  )
}

/** Notice that keeps its space while older messages exist: showing it during scrolling would shift the anchor. */
function OlderMessagesNotice({ window, isLoading }: { readonly window: MessageWindow; readonly isLoading: boolean }) {
  if (hasFailedAt(window, 'older')) return <RetryNote window={window} edge="older" />
  if (window.atOldest.value || window.ids.value.length === 0) return null
  return <p class={isLoading ? 'list-note' : 'list-note is-hidden'}>{t().app.loading}</p>
}

interface RetryNoteProps {
  readonly window: MessageWindow
  readonly edge: 'older' | 'newer'
}

function RetryNote({ window, edge }: RetryNoteProps) {
  return (
    <p class="list-note">
      {t().app.failed}{' '}
      <button class="button" onClick={() => void messages.again(window, edge)}>
        {t().app.retry}
      </button>
    </p>
  )
}

/** Whether to show a failure at an edge. If offline, the connection banner reports failures for all lists. */
function hasFailedAt(window: MessageWindow, edge: RetryNoteProps['edge']): boolean {
  const { ids, failed, isOfKept, loading, atOldest, atNewest } = window
  const isWhole = (edge === 'older' ? atOldest : atNewest).value
  const isOfThis = failed.value && loading.value === 'none' && !isOfKept.value && sync.isConnected.value
  return !isWhole && isOfThis && ids.value.length > 0
}

interface NoMessagesProps {
  readonly window: MessageWindow
  /** Whether the list shows no messages at all, not even outgoing ones. */
  readonly isEmpty: boolean
}

function NoMessages({ window, isEmpty }: NoMessagesProps) {
  if (window.failed.value && window.isOutOfReach.value) {
    const isSearch = window.place.view === 'search'
    return (
      <div class="empty" role="alert">
        <strong>{isSearch ? t().search.offlineEmpty : t().messages.offlineEmpty}</strong>
        <span>{isSearch ? t().search.offlineEmptyMore : t().messages.offlineEmptyMore}</span>
        <button class="button" onClick={() => messages.reload(window)}>
          {t().app.retry}
        </button>
      </div>
    )
  }
  if (window.failed.value) return <LoadFailure again={() => messages.reload(window)} />
  if (window.loading.value !== 'none' || window.isOfKept.value) {
    return (
      <div class="list-waiting">
        <LoadingRows />
      </div>
    )
  }
  if (!isEmpty) return null
  const [icon, title, more] = emptyTexts(window.place)
  return (
    <EmptyState icon={icon} title={title} more={more}>
      {window.place.view === 'search' && <SearchPublicChannels query={window.place.query} />}
    </EmptyState>
  )
}

/** Offers to search all public channels, because a search finds only messages that the user has received. */
function SearchPublicChannels({ query }: { readonly query: string }) {
  // With filters, a search of all public channels might find nothing.
  if (query.includes(':')) return null
  return (
    <Link class="button" to={{ view: 'search', query: `channels:public ${query}` }}>
      {t().search.public}
    </Link>
  )
}

function emptyTexts({ view }: Place): readonly [icon: IconName, title: string, more?: string] {
  const { messages: texts } = t()
  if (view === 'search') return ['search', texts.emptySearch, texts.emptySearchMore]
  if (view === 'mentions') return ['mentions', texts.emptyMentions, texts.emptyMentionsMore]
  if (view === 'starred') return ['starred', texts.emptyStarred, texts.emptyStarredMore]
  if (view === 'reactions') return ['smile', texts.emptyReactions]
  return view === 'topic' || view === 'direct' ? ['writing', texts.empty, texts.emptyMore] : ['feed', texts.empty]
}

/** Minimum heights relative to the font size: a line of text, or an avatar in each density, with margins. */
const MIN_ROW_HEIGHTS_EM = { line: 1.2, compact: 1.6, comfortable: 2.5 } as const

/** Rows rendered per step. A larger number would delay key presses more. */
const ROWS_PER_STEP = 8

/** A window loads 120 messages, of which about ten are visible. The rest are rendered in steps, one per paint. */
function useDrawnIds(window: MessageWindow): readonly number[] {
  const grown = useSignal({ opening: -1, steps: 0 })
  const { value: opening } = window.openings
  const { value: ids } = window.ids
  const steps = grown.value.opening === opening ? grown.value.steps : 0
  const drawn = useMemo(() => messagesToDraw(ids, window.anchor.peek()?.id, steps), [ids, steps])
  const isWhole = drawn.length === ids.length
  useEffect(() => {
    if (steps === Infinity) return undefined
    return runAfterInputPause(() => {
      // Messages loaded later are rendered immediately.
      grown.value = { opening, steps: isWhole ? Infinity : steps + 1 }
    })
  }, [window, opening, steps, isWhole])
  return drawn
}

/** Returns the IDs of messages that fill the screen at the opening position, and of those added by finished steps. */
function messagesToDraw(ids: readonly number[], anchor: number | undefined, steps: number): readonly number[] {
  if (steps === Infinity) return ids
  const room = window.innerHeight / fontSize.read()
  const found = ids.indexOf(anchor ?? 0)
  const isAtEnd = found === -1
  const at = isAtEnd ? ids.length : found
  const more = steps * ROWS_PER_STEP
  return ids.slice(
    Math.max(0, at - countToFill(ids.slice(0, at).toReversed(), isAtEnd ? room : room / 3) - more),
    at + countToFill(ids.slice(at), room) + more,
  )
}

function countToFill(ids: readonly number[], room: number): number {
  let filled = 0
  const last = ids.findIndex((id, index) => {
    filled += minRowHeight(ids[index - 1], id)
    return filled >= room
  })
  return last === -1 ? ids.length : last + 1
}

/** A message that continues its author's block can be a single line. */
function minRowHeight(neighbor: number | undefined, id: number): number {
  const [one, other] = [messages.get(neighbor ?? 0)?.peek(), messages.get(id)?.peek()]
  const isOfSameAuthor = one !== undefined && other !== undefined && continuesRun(one, other)
  return MIN_ROW_HEIGHTS_EM[isOfSameAuthor ? 'line' : density.read()]
}
