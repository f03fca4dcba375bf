import { tl } from '../../kernel/later-texts.ts'
import { localTime } from '../../kernel/time.ts'
import { channelTitle, topicTitle } from '../../capabilities/places/title.tsx'
import { topicChangesIn, authorsOf, PARTICIPANTS_QUERY } from '../../capabilities/places/topic.ts'
import { useLiveAnswer } from '../../capabilities/places/live-answer.ts'
import { shownName } from '../../capabilities/muted-users/state.ts'
import { isMutedUser } from '../../capabilities/users/state.ts'
import { placeKey, type Place } from '../../kernel/route.ts'
import { Rows } from '../../platform/list/rows.tsx'
import { messages, store } from '../../platform/client.ts'
import { Files } from './files.tsx'
import { Part, resultCountText, ListFooter, useClearRequestedPart } from './part.tsx'
import { PersonRow, ROW_HEIGHT_PIXELS } from './people.tsx'
import { PinnedMessages } from './pinned.tsx'

type Topic = Extract<Place, { view: 'topic' }>

export function TopicPart({ place }: { readonly place: Topic }) {
  const reading = useLiveAnswer(place, PARTICIPANTS_QUERY)
  useClearRequestedPart(placeKey(place))
  // Until the server answers, uses the loaded messages.
  const known = messages.shownIn(place)
  const { ends, userIds } = reading.answer.value ?? { ends: known, userIds: authorsOf(known) }
  // The bots that post notices, for example of a resolved topic, are not participants.
  const bots = new Set(
    store()
      .read('cross_realm_bots')
      .map(({ user_id }) => user_id),
  )
  const people = userIds.filter((id) => !bots.has(id))
  const shown = people.filter((id) => !isMutedUser(id))
  return (
    <>
      <PinnedMessages place={place} />
      <TopicChanges facts={topicChangesIn(ends)} />
      <Part title={tl().panel.participants} number={resultCountText(reading, people.length)}>
        {reading.answer.value !== undefined && people.length === 0 && <p class="note">{tl().panel.nobody}</p>}
        <Rows things={shown} keyOf={(userId) => userId} height={ROW_HEIGHT_PIXELS} label={tl().panel.participants}>
          {(userId) => <PersonRow userId={userId} />}
        </Rows>
        {people.length > shown.length && <p class="note">{tl().panel.peopleLeftOut(people.length - shown.length)}</p>}
        <ListFooter reading={reading} />
      </Part>
      <Files place={place} />
    </>
  )
}

function TopicChanges({ facts }: { readonly facts: ReturnType<typeof topicChangesIn> }) {
  if (facts.length === 0) return null
  return (
    <Part title={tl().panel.facts}>
      <ul class="panel-facts">
        {facts.map(({ kind, userId, timestamp, channelId, topic }) => (
          <li key={`${kind}-${timestamp}`}>
            {kind === 'resolved'
              ? tl().panel.resolvedBy(userId === undefined ? '' : shownName(userId))
              : tl().panel.movedFrom(topicTitle(topic), channelTitle(channelId))}
            <span class="note"> · {localTime(timestamp)}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
