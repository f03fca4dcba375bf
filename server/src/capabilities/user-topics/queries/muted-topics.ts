import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { EventBinding, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { SnapshotPart } from '../../../platform/server-facts.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import { mutedTopicsChanged, type MutedTopic } from '../contract.ts'
import { channelById } from '../../channels/queries/index.ts'
import { canSeeChannel } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'

/* Older clients identify channels by name. Names and visibility can change, so each list is built when it is sent. */

export interface MutedTopicEntry {
  readonly stream_id: number
  readonly topic_name: string
  readonly last_updated: number
}

export interface LoggedMutedTopics {
  readonly muted_topics: MutedTopic[]
  /** Sent instead of `muted_topics`. Absent in events that earlier versions logged. */
  readonly muted?: readonly MutedTopicEntry[]
}

export async function mutedTopicsOf(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
): Promise<(MutedTopicEntry & { user_id: number })[]> {
  return db.rows(
    'muted_by',
    `select user_id, channel_id as stream_id, topic_name, last_updated from user_topics
     where organization_id = $1 and user_id = any($2::bigint[]) and visibility_policy = 1
     order by user_id, last_updated, channel_id, name_key`,
    [organizationId, userIds],
  )
}

export const mutedTopicsBinding: EventBinding = {
  event: mutedTopicsChanged,
  administration: false,
  // Sent only to clients that request this event but not `user_topic`, which replaces it.
  isWanted: (_event, _viewer, { eventTypes }) => isOlderClient(eventTypes),
  toEachClient: ({ payload }, viewer) => {
    const { muted, muted_topics } = mutedTopicsIn(payload)
    return { muted_topics: muted === undefined ? muted_topics : presentMutedTopics(muted, viewer) }
  },
}

export const mutedTopicsPart: SnapshotPart = {
  eventTypes: ['muted_topics'],
  read: async (db, viewer, { eventTypes }) => {
    if (!isOlderClient(eventTypes)) return {}
    return {
      muted_topics: presentMutedTopics(await mutedTopicsOf(db, viewer.organization.id, [viewer.userId]), viewer),
    }
  },
}

function isOlderClient(eventTypes: readonly string[] | null): boolean {
  return eventTypes !== null && !eventTypes.includes('user_topic')
}

function mutedTopicsIn(payload: LoggedEvent['payload']): LoggedMutedTopics {
  // Safe: only this capability's actions write this payload.
  return payload as unknown as LoggedMutedTopics
}

/** Omits channels that the viewer cannot see or the client does not support. */
function presentMutedTopics(muted: readonly MutedTopicEntry[], viewer: Viewer): MutedTopic[] {
  const member = viewingMember(viewer)
  const { archived_channels, empty_topic_name } = viewer.form.capabilities
  return muted.flatMap(({ stream_id, topic_name, last_updated }): MutedTopic[] => {
    const channel = channelById(viewer.organization, stream_id)
    if (channel === undefined || !canSeeChannel(viewer.organization, member, channel)) return []
    if (channel.isArchived && !archived_channels) return []
    return [[channel.name, presentTopic(topic_name, empty_topic_name), last_updated]]
  })
}
