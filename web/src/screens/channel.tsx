import { call } from '@parley/client'
import { messages as declared } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../kernel/strings.ts'
import { short } from '../kernel/time.ts'
import { messages, store, sync } from '../platform/client.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { useAsked } from '../platform/list/asked.ts'
import { Failed, Nothing, Waiting } from '../platform/list/states.tsx'
import { go } from '../platform/router.ts'
import { SESSION } from '../platform/sync/sync.ts'
import { join } from '../capabilities/channels/actions.ts'
import { shownName } from '../capabilities/muted-users/state.ts'
import { channelTitle, TopicTitle, topicTitle } from '../capabilities/places/title.tsx'
import { subscriptionTo } from '../capabilities/channels/state.ts'
import { isMutedTopic, unreadOf, VISIBILITY, visibilityOf } from '../capabilities/unread/state.ts'
import { ChannelHeader } from './header.tsx'
import './channel.css'

/** Topics that are shown at once. */
const MOST_SHOWN = 300

/** The topics of a channel, kept true while it is shown. */
function useTopics(channelId: number) {
  const asked = useAsked(async (signal) => {
    const given = { stream_id: channelId, allow_empty_topic_name: true }
    const { topics } = await call(SESSION, declared.getStreamTopics, given, { signal })
    messages.fetch(topics.slice(0, 60).map(({ max_id }) => max_id)).catch(() => undefined)
    return topics
  }, channelId)
  useEffect(
    () =>
      // Messages that come, go or move change which topics there are and in which order.
      sync.hear((event) => {
        if (['message', 'delete_message', 'update_message'].includes(event.type)) asked.again()
      }),
    [channelId],
  )
  return asked
}

/** A channel as the list of its topics. */
export function ChannelView({ channelId }: { readonly channelId: number }) {
  const { value: topics, hasFailed, again } = useTopics(channelId)
  const [filter, setFilter] = useState('')
  const query = filter.trim().toLowerCase()
  const found = topics?.filter(({ name }) => query === '' || topicTitle(name).toLowerCase().includes(query))
  const newTopic = filter.trim()
  const isNew = newTopic !== '' && topics?.every(({ name }) => name.toLowerCase() !== query) === true
  return (
    <>
      <ChannelHeader channelId={channelId} view="topics" />
      <div class="view-scroll">
        <div class="topics">
          <form
            class="topics-head"
            onSubmit={(event) => {
              event.preventDefault()
              if (newTopic !== '') go({ view: 'topic', channelId, topic: newTopic })
            }}
          >
            <input
              class="input"
              type="search"
              aria-label={t().channel.findTopic}
              placeholder={t().channel.findTopic}
              maxLength={store().read('max_topic_length')}
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            {isNew && (
              <button class="button primary" type="submit">
                <Icon name="plus" size={16} />
                {t().channel.newTopic}
              </button>
            )}
            {subscriptionTo(channelId) === undefined && (
              <button class="button" type="button" onClick={() => void join(channelTitle(channelId))}>
                {t().channel.join}
              </button>
            )}
          </form>
          {hasFailed && <Failed again={again} />}
          {topics === undefined && !hasFailed && <Waiting />}
          {topics?.length === 0 && (
            <Nothing icon="channels" title={t().channel.noTopics} more={t().channel.noTopicsMore} />
          )}
          <ul class="topic-list">
            {found?.slice(0, MOST_SHOWN).map(({ name, max_id }) => (
              <TopicRow key={name} channelId={channelId} topic={name} lastId={max_id} />
            ))}
          </ul>
        </div>
      </div>
    </>
  )
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
  const classes = ['topic-link', unread !== undefined && 'is-unread', isMutedTopic(channelId, topic) && 'is-muted']
  return (
    <li>
      <Link to={place} class={classes.filter(Boolean).join(' ')}>
        <TopicTitle topic={topic} />
        {visibilityOf(channelId, topic) === VISIBILITY.followed && <Icon name="follow" size={14} />}
        {unread !== undefined && (
          <span class={unread.mentions > 0 ? 'badge mine' : 'badge'}>
            {unread.count}
            <span class="visually-hidden"> {t().messages.unread}</span>
          </span>
        )}
        <span class="topic-last">
          {last === undefined ? (
            '\u00A0'
          ) : (
            <>
              <bdi>{shownName(last.sender_id)}</bdi> · {short(last.timestamp)}
            </>
          )}
        </span>
      </Link>
    </li>
  )
}
