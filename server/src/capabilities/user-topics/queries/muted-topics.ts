import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { EventBinding, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { SnapshotPart } from '../../../platform/server-facts.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import { mutedTopicsChanged, type MutedTopic } from '../contract/muted-topics.ts'
import { channelById } from '../../channels/queries/index.ts'
import { mayKnow } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'

/*
 * Muted topics as older clients want them, by the names of their channels. The list changes with a user's choices
 * (`user-topics`), with the channels' names, and with who may know of the channels, so the names are looked up when
 * it is shown.
 */

/** A topic that a user has muted. */
export interface Muted {
  readonly stream_id: number
  readonly topic_name: string
  readonly last_updated: number
}

/** The event as the log has it. */
export interface LoggedMuted {
  readonly muted_topics: MutedTopic[]
  /** The topics that are shown in place of `muted_topics`. Absent in events that an earlier version logged. */
  readonly muted?: readonly Muted[]
}

/** The topics that users have muted, in the order in which they muted them. */
export async function mutedBy(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
): Promise<(Muted & { user_id: number })[]> {
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
  // A client that knows the newer event has no use for this one; a client that names no types gets the newer one.
  isWanted: (_event, _viewer, { eventTypes }) => isOlder(eventTypes),
  toEachClient: ({ payload }, viewer) => {
    const { muted, muted_topics } = logged(payload)
    return { muted_topics: muted === undefined ? muted_topics : named(muted, viewer) }
  },
}

export const mutedTopicsPart: SnapshotPart = {
  eventTypes: ['muted_topics'],
  read: async (db, viewer, { eventTypes }) => {
    if (!isOlder(eventTypes)) return {}
    return { muted_topics: named(await mutedBy(db, viewer.organization.id, [viewer.userId]), viewer) }
  },
}

function isOlder(eventTypes: readonly string[] | null): boolean {
  return eventTypes !== null && !eventTypes.includes('user_topic')
}

function logged(payload: LoggedEvent['payload']): LoggedMuted {
  // Written by `tellMuted` alone.
  return payload as unknown as LoggedMuted
}

/**
 * Adds the names of the channels, and leaves out channels that the viewer may not know of or its client does not
 * know.
 */
function named(muted: readonly Muted[], viewer: Viewer): MutedTopic[] {
  const member = viewingMember(viewer)
  const { archived_channels, empty_topic_name } = viewer.form.capabilities
  return muted.flatMap(({ stream_id, topic_name, last_updated }): MutedTopic[] => {
    const channel = channelById(viewer.organization, stream_id)
    if (channel === undefined || !mayKnow(viewer.organization, member, channel)) return []
    if (channel.isArchived && !archived_channels) return []
    return [[channel.name, presentTopic(topic_name, empty_topic_name), last_updated]]
  })
}
