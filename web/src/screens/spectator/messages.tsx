import { call, type Answer } from '@parley/client'
import { history } from '@parley/server/contract'
import { withoutMe } from '@parley/server/markdown/me-message'
import { Fragment } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../kernel/later-texts.ts'
import type { FoundMessage, Term } from '../../kernel/message.ts'
import type { Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { dayTitle, fullTime, isSameDay, timeOfDay } from '../../kernel/time.ts'
import { emojiFromCode, trustHtml } from '../../platform/dom/html.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Link } from '../../platform/dom/link.tsx'
import { memo } from '../../platform/dom/memo.tsx'
import { useFetched } from '../../platform/list/fetched.ts'
import { LoadMoreButton } from '../../platform/list/more.tsx'
import { EmptyState, LoadFailure, LoadingRows } from '../../platform/list/states.tsx'
import { pageParameters, type Anchor, type PageKind } from '../../platform/messages/page.ts'
import { go, isPlainClick } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { continuesRun } from '../../capabilities/messages/parts/rows.tsx'
import { prepareText, routeOfLink, toggleSpoiler } from '../../capabilities/messages/parts/shown.tsx'
import { TopicTitle } from '../../capabilities/places/title.tsx'
import { layOutPictures } from '../../capabilities/uploads/parts/pictures.ts'
import '../../capabilities/reactions/parts/reactions.css'

type Page = Answer<typeof history.getMessages>

async function readPage(terms: readonly Term[], what: PageKind, around: Anchor, signal?: AbortSignal): Promise<Page> {
  const narrow = [{ operator: 'channels', operand: 'web-public' }, ...terms]
  return call(SESSION, history.getMessages, pageParameters(narrow, what, around), { signal })
}

interface PublicMessagesProps {
  readonly terms: readonly Term[]
  /** Message to start at; the newest by default. */
  readonly near: number | undefined
  /** Whether the messages are of several conversations. */
  readonly hasPlaces: boolean
}

type Side = 'older' | 'newer'

/** Loads messages around `near`, then more on either side. The visible messages stay in place. */
function useMessagePages(terms: readonly Term[], near: number | undefined) {
  const list = useRef<HTMLDivElement>(null)
  /** Height below the top of the visible part. */
  const heightBelow = useRef<number | undefined>(undefined)
  const [more, setMore] = useState<Readonly<Record<Side, readonly Page[]>>>({ older: [], newer: [] })
  const [loading, setLoading] = useState<Side | 'failed'>()
  /** Message, or end of a search, beside which each side was loaded last. The button can call a `load` that does not know of it yet. */
  const loadedBeside = useRef<{ [side in Side]?: number | undefined }>({}).current
  const first = useFetched(async (signal) => readPage(terms, 'all', near ?? 'newest', signal), 'first')
  const pages = first.value === undefined ? [] : [...more.older, first.value, ...more.newer]
  const messages = pages.flatMap((page) => page.messages)
  const load = async (side: Side): Promise<void> => {
    const edge =
      side === 'older'
        ? (pages[0]?.searched_from ?? messages[0]?.id)
        : (pages.at(-1)?.searched_to ?? messages.at(-1)?.id)
    if (edge === undefined || loadedBeside[side] === edge) return
    loadedBeside[side] = edge
    setLoading(side)
    try {
      const page = await readPage(terms, side, edge)
      if (side === 'older' && list.current !== null)
        heightBelow.current = list.current.scrollHeight - list.current.scrollTop
      setMore(({ older, newer }) =>
        side === 'older' ? { older: [page, ...older], newer } : { older, newer: [...newer, page] },
      )
      setLoading(undefined)
    } catch {
      loadedBeside[side] = undefined
      setLoading('failed')
    }
  }
  useLayoutEffect(() => {
    if (list.current === null || first.value === undefined) return
    const sought = list.current.querySelector('.is-sought')
    if (sought === null) list.current.scrollTop = list.current.scrollHeight
    else sought.scrollIntoView({ block: 'center' })
  }, [first.value])
  useLayoutEffect(() => {
    if (list.current === null || heightBelow.current === undefined) return
    list.current.scrollTop = list.current.scrollHeight - heightBelow.current
    heightBelow.current = undefined
  }, [more.older])
  const again = first.hasFailed ? first.again : () => setLoading(undefined)
  return { list, pages, messages, loading, load, hasFailed: first.hasFailed || loading === 'failed', again }
}

export function PublicMessages({ terms, near, hasPlaces }: PublicMessagesProps) {
  const { list, pages, messages, loading, load, hasFailed, again } = useMessagePages(terms, near)
  const isLoaded = pages.length > 0
  const hasStopped = (side: Side): boolean =>
    (side === 'older' ? pages[0]?.searched_from : pages.at(-1)?.searched_to) !== undefined
  const moreButton = (side: Side, label: string) => (
    <p class="list-note">
      <LoadMoreButton
        label={label}
        page={pages.length}
        isLoading={loading === side}
        // A search that found nothing so far goes on only if asked.
        isAutomatic={loading !== 'failed' && !hasStopped(side)}
        more={() => void load(side)}
      />
    </p>
  )
  return (
    <div ref={list} class="list" tabIndex={0} role="region" aria-label={t().messages.list}>
      <div class="list-rows">
        {!isLoaded && !hasFailed && <LoadingRows />}
        {isLoaded && messages.length === 0 && (
          <EmptyState
            title={terms.some(({ operator }) => operator === 'search') ? t().messages.emptySearch : t().messages.empty}
          />
        )}
        {pages[0]?.found_oldest === false && moreButton('older', tl().spectator.earlier)}
        <div role="feed" aria-label={t().messages.list} aria-busy={!isLoaded}>
          {messages.map((message, index) => (
            <MessageWithDay
              key={message.id}
              message={message}
              before={messages[index - 1]}
              hasPlace={hasPlaces}
              isSought={message.id === near}
            />
          ))}
        </div>
        {pages.at(-1)?.found_newest === false && moreButton('newer', tl().spectator.later)}
        {hasFailed && <LoadFailure again={again} />}
      </div>
    </div>
  )
}

interface MessageProps {
  readonly message: FoundMessage
  readonly before: FoundMessage | undefined
  readonly hasPlace: boolean
  readonly isSought: boolean
}

function MessageWithDay({ message, before, hasPlace, isSought }: MessageProps) {
  const isNewDay = before === undefined || !isSameDay(before.timestamp, message.timestamp)
  const isSamePlace = before?.stream_id === message.stream_id && before?.subject === message.subject
  const hasHead = isNewDay || before === undefined || (hasPlace && !isSamePlace) || !continuesRun(before, message)
  return (
    <Fragment>
      {isNewDay && (
        <div class="day">
          <span>{dayTitle(message.timestamp)}</span>
        </div>
      )}
      <PublicMessage
        message={message}
        hasHead={hasHead}
        hasPlace={hasPlace && (isNewDay || !isSamePlace)}
        isSought={isSought}
      />
    </Fragment>
  )
}

function routeOf({ id, stream_id: channelId, subject: topic }: FoundMessage): Route {
  return channelId === undefined ? { view: 'channels' } : { view: 'topic', channelId, topic, near: id }
}

function MessagePlace({ message }: { readonly message: FoundMessage }) {
  const { display_recipient: channel } = message
  return (
    <p class="spectator-place">
      <Link to={routeOf(message)}>
        <Icon name="hash" size={14} />
        <bdi>{typeof channel === 'string' ? channel : ''}</bdi> › <TopicTitle topic={message.subject} />
      </Link>
    </p>
  )
}

interface PublicMessageProps {
  readonly message: FoundMessage
  /** False for all messages of an author's block except the first. */
  readonly hasHead: boolean
  readonly hasPlace: boolean
  readonly isSought: boolean
}

function PublicMessage({ message, hasHead, hasPlace, isSought }: PublicMessageProps) {
  const { sender_full_name: name, timestamp, content, match_content: marked } = message
  const html = marked ?? content
  const time = timeOfDay(timestamp)
  const classes = ['message', hasHead && 'has-head', isSought && 'is-sought']
  return (
    <article class={classes.filter(Boolean).join(' ')} aria-label={t().messages.by(name, time)}>
      <div class="message-side">
        {hasHead && (
          <img
            class="avatar"
            loading="lazy"
            decoding="async"
            src={message.avatar_url ?? ''}
            alt=""
            width={36}
            height={36}
          />
        )}
      </div>
      <div class="message-main">
        {hasPlace && <MessagePlace message={message} />}
        {hasHead && (
          <div class="message-head">
            <strong class="message-author">
              <bdi>{name}</bdi>
            </strong>
            <Link to={routeOf(message)} class="message-time" title={fullTime(timestamp)}>
              {time}
            </Link>
          </div>
        )}
        <PublicContent html={message.is_me_message ? withoutMe(html) : html} />
        <Reactions message={message} />
        {message.last_edit_timestamp !== undefined && (
          <div class="message-marks">
            <span title={fullTime(message.last_edit_timestamp)}>{t().messages.edited}</span>
          </div>
        )}
      </div>
    </article>
  )
}

const PublicContent = memo(function PublicContent({ html }: { readonly html: string }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (element.current === null) return
    prepareText(element.current)
    layOutPictures(element.current)
    // The keyboard could not scroll long lines otherwise: unlike in the client, messages are not focusable.
    for (const code of element.current.querySelectorAll('pre')) code.tabIndex = 0
  }, [html])
  return (
    <div
      ref={element}
      class="content"
      dir="auto"
      dangerouslySetInnerHTML={trustHtml(html)}
      onClick={(event) => {
        const { target } = event
        if (!(target instanceof Element)) return
        toggleSpoiler(target)
        const link = target.closest('a')
        const route = link === null || !isPlainClick(event) ? undefined : routeOfLink(link)
        if (route === undefined) return
        event.preventDefault()
        go(route)
      }}
    />
  )
})

function Reactions({ message: { reactions } }: { readonly message: FoundMessage }) {
  if (reactions.length === 0) return null
  const counts = new Map<string, number>()
  for (const { emoji_name: name, emoji_code: code, reaction_type: type } of reactions) {
    const sign = type === 'unicode_emoji' ? emojiFromCode(code) : `:${name}:`
    counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return (
    <div class="reactions">
      {[...counts].map(([sign, count]) => (
        <span key={sign} class="reaction">
          {sign} {count}
        </span>
      ))}
    </div>
  )
}
