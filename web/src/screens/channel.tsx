import { caseKey } from '@parley/server/kernel/case-key'
import { useEffect, useState } from 'preact/hooks'
import { writeQuery } from '../kernel/query.ts'
import { placeKey, type Place } from '../kernel/route.ts'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { shortTimestamp } from '../kernel/time.ts'
import { messages } from '../platform/client.ts'
import { FilterField } from '../platform/dom/filter-field.tsx'
import { useGrowingCount } from '../platform/dom/idle.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { mainLists } from '../platform/list/held-lists.ts'
import { useHeldOrder } from '../platform/list/held-order.tsx'
import { LoadFailure, EmptyState, LoadingRows } from '../platform/list/states.tsx'
import { go } from '../platform/router.ts'
import { joinChannel } from '../capabilities/channels/actions.ts'
import { previewOf } from '../capabilities/muted-users/state.ts'
import { draftText } from '../capabilities/drafts/state.ts'
import { DraftSign, TopicTitle, topicTitle, VisibilitySign } from '../capabilities/places/title.tsx'
import { mayJoin } from '../capabilities/channels/rights.ts'
import { channelById, channelName, maxTopicLength, subscriptionTo } from '../capabilities/channels/state.ts'
import { hasTopicListFailed, retryTopicList, topicListOf, type Topic } from '../capabilities/channels/topics.ts'
import { Badge } from '../capabilities/unread/badge.tsx'
import { isMutedTopic, unreadOf } from '../capabilities/unread/state.ts'
import { ChannelHeader } from './header.tsx'
import './channel.css'

/** Maximum number of topics listed at once. The filter also searches the rest. */
const MAX_TOPICS = 300
const INITIAL_ROWS = 30
const SNIPPETS_PER_REQUEST = 60
/** Pause in typing after which missing snippets are fetched. */
const TYPING_PAUSE_MILLISECONDS = 300

export function ChannelView({ channelId }: { readonly channelId: number }) {
  const hasFailed = hasTopicListFailed(channelId)
  const topics = topicListOf(channelId) ?? (hasFailed ? storedTopics(channelId) : undefined)
  const channel = channelById(channelId)
  const [filter, setFilter] = useState('')
  const query = caseKey(filter.trim())
  const matching = (topics ?? [])
    .filter(({ name }) => query === '' || caseKey(topicTitle(name)).includes(query))
    .slice(0, MAX_TOPICS)
  const found = useHeldOrder(mainLists, matching, ({ name }) => caseKey(name), `${channelId} ${query}`)
  const drawn = useGrowingCount(INITIAL_ROWS, found.length)
  useSnippets(found.slice(0, Math.ceil(drawn / SNIPPETS_PER_REQUEST) * SNIPPETS_PER_REQUEST), query !== '')
  const newTopic = filter.trim()
  const isNew = newTopic !== '' && topics?.every(({ name }) => caseKey(name) !== query) === true
  return (
    <>
      {/* A call instead of an element, so that the header from the loading state keeps its focus. */}
      {ChannelHeader({ channelId, view: 'topics' })}
      <div class="view-scroll">
        <div class="topics">
          <form
            class="topics-head"
            onSubmit={(event) => {
              event.preventDefault()
              if (newTopic !== '') go({ view: 'topic', channelId, topic: newTopic })
            }}
          >
            <FilterField
              label={tl().channel.findTopic}
              value={filter}
              onChange={setFilter}
              maxLength={maxTopicLength(filter)}
            />
            {isNew && (
              <button class="button primary" type="submit">
                <Icon name="plus" size={16} />
                {tl().channel.newTopic}
              </button>
            )}
            {channel !== undefined && subscriptionTo(channelId) === undefined && mayJoin(channel) && (
              <button class="button" type="button" onClick={() => void joinChannel(channel.name)}>
                {t().channel.join}
              </button>
            )}
          </form>
          {hasFailed && <LoadFailure again={() => retryTopicList(channelId)} />}
          {topics === undefined && !hasFailed && <LoadingRows />}
          {topics?.length === 0 && !hasFailed && (
            <EmptyState icon="channels" title={tl().channel.noTopics} more={tl().channel.noTopicsMore} />
          )}
          {topics !== undefined && topics.length > 0 && found.length === 0 && (
            <NoMatch place={{ view: 'topic', channelId, topic: newTopic }} />
          )}
          <ul class="topic-list">
            {found.slice(0, drawn).map(({ name, lastId }) => (
              <TopicRow key={name} channelId={channelId} topic={name} lastId={lastId} />
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

function NoMatch({ place }: { readonly place: Extract<Place, { view: 'topic' }> }) {
  const { channelId, topic } = place
  const channel = { operator: 'channel', operand: channelName(channelId), isNegated: false } as const
  return (
    <EmptyState icon="search" title={t().nav.noMatch}>
      <Link class="button" to={place}>
        {tl().topics.start(topic)}
      </Link>
      <Link class="button" to={{ view: 'search', query: writeQuery({ conditions: [channel], words: topic }) }}>
        {tl().search.messages(topic)}
      </Link>
    </EmptyState>
  )
}

/** Ignores failures, because topics are also listed without snippets. */
function useSnippets(topics: readonly Topic[], isFiltered: boolean): void {
  const ids = topics.map(({ lastId }) => lastId)
  useEffect(() => {
    const fetch = (): void => void messages.fetch(ids).catch(() => undefined)
    const timer = setTimeout(fetch, isFiltered ? TYPING_PAUSE_MILLISECONDS : 0)
    return () => clearTimeout(timer)
  }, [ids.join(), messages.gaps])
}

/** Returns the topics of loaded messages, newest first, in case the topic list cannot be loaded. */
function storedTopics(channelId: number): readonly Topic[] {
  const newest = new Map<string, Topic>()
  for (const { id, stream_id, subject } of messages.all()) {
    const key = caseKey(subject)
    const known = newest.get(key)?.lastId ?? 0
    if (stream_id === channelId && id > known) newest.set(key, { name: subject, lastId: id })
  }
  return [...newest.values()].toSorted((one, other) => other.lastId - one.lastId)
}

function TopicRow({
  channelId,
  topic,
  lastId,
}: {
  readonly channelId: number
  readonly topic: string
  readonly lastId: number
}) {
  const place = { view: 'topic', channelId, topic } as const
  const unread = unreadOf(place)
  void messages.arrivals
  const last = messages.get(lastId)?.value
  const preview = last === undefined ? undefined : previewOf(last)
  const isMuted = isMutedTopic(channelId, topic)
  const classes = ['topic-link', unread !== undefined && !unread.isMuted && 'is-unread', isMuted && 'is-muted']
  return (
    <li>
      <Link to={place} class={classes.filter(Boolean).join(' ')} row={placeKey(place)}>
        <span class="topic-name">
          <TopicTitle topic={topic} />
          <VisibilitySign channelId={channelId} topic={topic} />
          {draftText(place).trim() !== '' && <DraftSign />}
          <Badge {...unread} />
        </span>
        <span class="topic-snippet">
          {preview === undefined ? (
            '\u00A0'
          ) : (
            <>
              <bdi>{preview.author}</bdi>: <bdi>{preview.text}</bdi>
            </>
          )}
        </span>
        <span class="topic-time">{last !== undefined && shortTimestamp(last.timestamp)}</span>
      </Link>
    </li>
  )
}
