import { t } from '../../kernel/strings.ts'
import { localTime } from '../../kernel/time.ts'
import { channelTitle, topicTitle } from '../../capabilities/places/title.tsx'
import { factsOf, filesIn, participantsOf } from '../../capabilities/places/facts.ts'
import { shownName } from '../../capabilities/muted-users/state.ts'
import { isMutedUser } from '../../capabilities/users/state.ts'
import type { Place } from '../../kernel/route.ts'
import { Icon } from '../../platform/dom/icons.tsx'
import { Rows } from '../../platform/list/rows.tsx'
import { messages } from '../../platform/client.ts'
import { Part } from './part.tsx'
import { PersonRow, ROW_PIXELS } from './person-row.tsx'

/** What is known of a topic beside what it says, by its messages as far as they are there. */
export function TopicPart({ place }: { readonly place: Extract<Place, { view: 'topic' }> }) {
  // What arrives may be of it.
  void messages.arrivals
  const shown = messages.shownIn(place)
  const facts = factsOf(shown)
  const files = filesIn(shown)
  return (
    <>
      {facts.length > 0 && (
        <Part title={t().panel.facts}>
          <ul class="panel-facts">
            {facts.map(({ kind, userId, timestamp, channelId, topic }) => (
              <li key={`${kind}-${timestamp}`}>
                {kind === 'resolved'
                  ? t().panel.resolvedBy(userId === undefined ? '' : shownName(userId))
                  : t().panel.movedFrom(topicTitle(topic), channelTitle(channelId))}
                <span class="note"> · {localTime(timestamp)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Participants userIds={participantsOf(shown).filter((id) => !isMutedUser(id))} />
      {files.length > 0 && (
        <Part title={t().panel.files}>
          <ul class="panel-facts">
            {files.map(({ name, path }) => (
              <li key={path}>
                <a href={path} target="_blank" rel="noopener noreferrer">
                  <Icon name="attach" size={14} /> <bdi>{name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

function Participants({ userIds }: { readonly userIds: readonly number[] }) {
  return (
    <Part title={t().panel.participants}>
      {userIds.length === 0 ? (
        <p class="note">{t().panel.nobody}</p>
      ) : (
        <Rows things={userIds} height={ROW_PIXELS} label={t().panel.participants}>
          {(userId) => <PersonRow userId={userId} />}
        </Rows>
      )}
    </Part>
  )
}
