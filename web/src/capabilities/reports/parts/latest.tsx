import { call, type Answer } from '@parley/client'
import { history, reports } from '@parley/server/contract'
import { ta } from '../../../kernel/administration.ts'
import { timeOfDay, dayTitle } from '../../../kernel/time.ts'
import { textOf } from '../../../platform/dom/html.ts'
import { Link } from '../../../platform/dom/link.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, EmptyState, LoadingRows } from '../../../platform/list/states.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import type { Channel } from '../../channels/state.ts'
import { readsReports, reportsChannel } from '../state.ts'
import './latest.css'

type Message = Answer<typeof history.getMessages>['messages'][number]

const MAX_REPORTS = 20

export function LatestReports() {
  const channel = reportsChannel()
  if (channel === undefined) return null
  if (!readsReports()) {
    return (
      <div class="form">
        <p class="note">{ta().content.reportsHidden(channel.name)}</p>
        <div>
          <Link class="button" to={{ view: 'channel', channelId: channel.stream_id }}>
            {ta().content.toChannel}
          </Link>
        </div>
      </div>
    )
  }
  return <Reports key={channel.stream_id} channel={channel} />
}

function Reports({ channel: { stream_id: channelId } }: { readonly channel: Channel }) {
  const { value, hasFailed, again } = useFetched(async (signal) => fetchReports(channelId, signal), channelId)
  if (value === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={3} />
  if (value.length === 0) return <EmptyState icon="report" title={ta().content.noReports} />
  const topic = { view: 'topic', channelId, topic: reports.REPORTS_TOPIC } as const
  return (
    <div class="form">
      <ul class="reports" aria-label={ta().content.latestReports}>
        {value.map((message) => (
          <li key={message.id}>
            <Link class="reports-row" to={{ ...topic, near: message.id }}>
              <bdi class="reports-text">{textOf(message.content)}</bdi>
              <span class="note">{`${dayTitle(message.timestamp)} ${timeOfDay(message.timestamp)}`}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <Link class="button" to={topic}>
          {ta().content.allReports}
        </Link>
      </div>
    </div>
  )
}

async function fetchReports(channelId: number, signal: AbortSignal): Promise<readonly Message[]> {
  const { messages } = await call(
    SESSION,
    history.getMessages,
    {
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: reports.REPORTS_TOPIC },
      ],
      anchor: 'newest',
      num_before: MAX_REPORTS,
      num_after: 0,
    },
    { signal },
  )
  return messages.toReversed()
}
