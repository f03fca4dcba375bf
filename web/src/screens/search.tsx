import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { tl } from '../kernel/later-texts.ts'
import { writeCondition, writeQuery } from '../kernel/query.ts'
import { t } from '../kernel/strings.ts'
import { messages, store } from '../platform/client.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import type { Anchor } from '../platform/messages/page.ts'
import type { MessageWindow } from '../platform/messages/window.ts'
import { announce } from '../platform/overlay/announce.tsx'
import { go, isPlainClick, shownRoute } from '../platform/router.ts'
import { focusSearch } from '../capabilities/history/actions.ts'
import { openInConversation } from '../capabilities/history/opening.ts'
import { createWindowSearch } from '../capabilities/history/matching.ts'
import { suggestCorrections } from '../capabilities/history/near-misses.ts'
import { SearchBox } from '../capabilities/history/parts/search-box.tsx'
import { parseSearchQuery, readQuery, type Search } from '../capabilities/history/search-query.ts'
import { OpenList } from '../capabilities/messages/parts/list.tsx'
import { PlaceTools } from '../capabilities/places/tools.tsx'
import { Header } from './header.tsx'
import { OtherResults } from './search-others.tsx'
import './search.css'

const SEARCH_DELAY_MILLISECONDS = 200

interface SearchViewProps {
  readonly query: string
  readonly near: number | undefined
}

/** Searches local messages on every key press and the server after a pause. */
export function SearchView({ query, near }: SearchViewProps) {
  // Text typed since the URL was updated.
  const [pending, setPending] = useState<string>()
  const typed = pending ?? query
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string, isDone: boolean): void => {
    setPending(next)
    clearTimeout(timer.current)
    const show = (): void => {
      setPending(undefined)
      // The person may have left while the next view is still loading.
      if (shownRoute().view === 'search') go({ view: 'search', query: next }, { replace: true })
    }
    if (isDone) show()
    else timer.current = setTimeout(show, SEARCH_DELAY_MILLISECONDS)
  }
  return (
    <>
      <Header title={t().search.title}>
        <PlaceTools place={{ view: 'search', query }} />
      </Header>
      <SearchBox query={query} onChange={change}>
        <OrderChoice query={typed} onChange={(next) => change(next, true)} />
      </SearchBox>
      <OtherResults query={query} />
      <SearchResults key={typed} query={typed} near={near} isAsked={typed === query} />
    </>
  )
}

const ORDERS = ['newest', 'best'] as const

interface OrderChoiceProps {
  readonly query: string
  readonly onChange: (query: string) => void
}

/** Without words, nothing can match better. */
function OrderChoice({ query, onChange }: OrderChoiceProps) {
  const { conditions, words } = readQuery(query)
  if (words === '') return null
  const others = conditions.filter(({ operator }) => operator !== 'order')
  const chosen = conditions.findLast(({ operator }) => operator === 'order')?.operand ?? 'newest'
  const choose = (order: (typeof ORDERS)[number]): void => {
    const own = order === 'newest' ? [] : [{ operator: 'order', operand: order, isNegated: false } as const]
    onChange(writeQuery({ conditions: [...others, ...own], words }))
  }
  return (
    <div class="search-order" role="group" aria-label={tl().search.order}>
      {ORDERS.map((order) => (
        <button key={order} class="quick-filter" aria-pressed={order === chosen} onClick={() => choose(order)}>
          {tl().search.orders[order]}
        </button>
      ))}
    </div>
  )
}

interface SearchResultsProps {
  readonly query: string
  readonly near: number | undefined
  readonly isAsked: boolean
}

function SearchResults({ query, near, isAsked }: SearchResultsProps) {
  const search = useMemo(() => parseSearchQuery(query, store()), [query])
  const [unknown] = search.unknown
  if (query === '') return <SearchIntroduction />
  if (unknown !== undefined) {
    return (
      <div class="empty" role="alert">
        <strong>{t().messages.emptySearch}</strong>
        <span>{tl().search.isUnknown(writeCondition(unknown))}</span>
        <Corrections query={query} />
      </div>
    )
  }
  return <Results query={query} search={search} near={near} isAsked={isAsked} />
}

function Corrections({ query }: { readonly query: string }) {
  const corrections = useMemo(() => suggestCorrections(query), [query])
  if (corrections.length === 0) return null
  return (
    <p class="search-corrections">
      {corrections.map((one) => (
        <Link key={one.query} class="button" to={{ view: 'search', query: one.query }} onFollow={focusSearch}>
          {tl().search.didYouMean(one.label)}
        </Link>
      ))}
    </p>
  )
}

function SearchIntroduction() {
  return (
    <div class="empty">
      <Icon name="search" size={40} />
      <strong>{tl().search.begin}</strong>
      <span>{tl().search.beginMore}</span>
    </div>
  )
}

function Results({ query, search, near, isAsked }: SearchResultsProps & { readonly search: Search }) {
  const window = useMemo(() => messages.find({ view: 'search', query }, createWindowSearch(search)), [query])
  useEffect(() => {
    if (isAsked) void messages.ask(window, searchAnchor(search, near))
  }, [window, isAsked])
  /** Whether text was selected before the click, which only clears the selection. */
  const hadSelection = useRef(false)
  const isOfKept = window.isOfKept.value
  useEffect(() => {
    if (!isOfKept) announce(resultCount(window))
  }, [window, isOfKept])
  return (
    <>
      {isAsked && <Corrections query={query} />}
      <ResultNote window={window} />
      <div
        class="search-results"
        onPointerDown={() => (hadSelection.current = hasSelection())}
        onClick={(event) => hadSelection.current || openClickedResult(event)}
      >
        <OpenList window={window} />
      </div>
    </>
  )
}

/** Parts of a message that a click operates. */
const CONTROL_SELECTOR =
  'a, button, input, textarea, select, label, summary, img, video, audio, [role=button], .spoiler-block'

function hasSelection(): boolean {
  return getSelection()?.isCollapsed === false
}

/** Opens the clicked message in its conversation, except after a selection of text. */
function openClickedResult(event: MouseEvent): void {
  const { target } = event
  if (!(target instanceof Element) || !isPlainClick(event) || target.closest(CONTROL_SELECTOR) !== null) return
  const id = Number(target.closest<HTMLElement>('.message[data-row]')?.dataset['row'])
  const message = messages.get(id)?.peek()
  if (message !== undefined && !hasSelection()) openInConversation(message)
}

function searchAnchor({ near, date }: Search, shownNear: number | undefined): Anchor {
  return shownNear ?? near ?? (date === undefined ? 'newest' : { date })
}

function resultCount({ ids, atOldest, atNewest, notes }: MessageWindow): string {
  const { length } = ids.peek()
  const { search_ranking: ranking } = notes.peek()
  if (ranking !== undefined && (ranking.matches > length || !ranking.found_oldest))
    return tl().search.ranked(length, ranking.matches, ranking.found_oldest)
  return atOldest.peek() && atNewest.peek() ? tl().search.found(length) : tl().search.foundMore(length)
}

function ResultNote({ window }: { readonly window: MessageWindow }) {
  const isEmpty = window.ids.value.length === 0
  if (!window.isOfKept.value) {
    const { search_corrections: corrections = [], search_incomplete: isIncomplete = false } = window.notes.value
    return (
      <>
        {corrections.map(({ word, corrected_to: terms }) => (
          <p key={word} class="search-note">
            {tl().search.corrected(word, terms)}
          </p>
        ))}
        {!isEmpty && <p class="search-note">{resultCount(window)}</p>}
        {isIncomplete && <p class="search-note">{tl().search.incomplete}</p>}
      </>
    )
  }
  if (isEmpty) return null
  return (
    <p class="search-note">
      {resultNote(window)}{' '}
      {window.failed.value && (
        <button class="button" onClick={() => messages.reload(window)}>
          {t().app.retry}
        </button>
      )}
    </p>
  )
}

function resultNote({ failed, isOutOfReach }: MessageWindow): string {
  if (!failed.value) return tl().search.ofKept
  return isOutOfReach.value ? tl().search.offline : t().app.failed
}
