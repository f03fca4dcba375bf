import type { Input } from '../../../kernel/endpoint.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import type { Channel } from '../../channels/queries/index.ts'
import { normalizeRequestedTopic } from '../../channels/rules/topics.ts'
import {
  messageIdsInTopic,
  topicSpellingsOf,
  findTopic,
  type TopicSpellings,
  type TopicRow,
} from '../../messages/actions/change.ts'
import { requireMayPostDuringLockDown, requireNoNewcomerLinks } from '../../messages/queries/newcomers.ts'
import type { StoredMessage } from '../../messages/queries/index.ts'
import { validateTopic } from '../../messages/rules/index.ts'
import type { PropagateMode, updateMessage } from '../contract.ts'
import {
  requireDestinationChannel,
  earliestWithinLimit,
  onlyResolutionChanges,
  resolvesEmptyTopic,
  moveTimeLimit,
  requireMayMove,
  type Relocation,
  readableMessageIds,
} from '../rules.ts'

export type UpdateInput = Input<typeof updateMessage>

export interface Move extends Relocation {
  readonly message: StoredMessage
  readonly mode: PropagateMode
  readonly names: TopicSpellings
  readonly topic: string
  readonly messageIds: readonly number[]
  readonly leftIds: readonly number[]
  readonly isWhole: boolean
  readonly existing: (TopicRow & { readonly messageIds: readonly number[] }) | undefined
  readonly notifies: { readonly old: boolean; readonly new: boolean; readonly resolution: boolean }
}

/** Whether all messages of a topic stay together, in the same channel, under a new name. */
export function isRenaming({ from, to, isWhole, existing }: Move): boolean {
  return to.id === from.id && isWhole && existing === undefined
}

/** Returns undefined if the messages are already at the destination. */
export async function planMove(
  tx: ActorTx,
  message: StoredMessage,
  from: Channel,
  input: UpdateInput,
): Promise<Move | undefined> {
  const to =
    input.stream_id === undefined ? from : requireDestinationChannel(tx.organization, tx.actor, input.stream_id)
  const wanted =
    input.topic === undefined
      ? message.topic
      : validateTopic(tx.organization, to, normalizeRequestedTopic(tx.organization, tx.actor, input.topic))
  const topicChanges = wanted !== message.topic
  if (!topicChanges && to.id === from.id) return undefined
  if (!topicChanges) validateTopic(tx.organization, to, wanted)
  else await requireNoNewcomerLinks(tx, tx.actor, [wanted])
  const resolves =
    to.id === from.id &&
    input.propagate_mode === 'change_all' &&
    topicChanges &&
    onlyResolutionChanges(message.topic, wanted)
  if (resolvesEmptyTopic(message.topic, wanted)) {
    throw new ApiError('BAD_REQUEST', 'The empty topic cannot be marked as resolved.')
  }
  const relocation: Relocation = { from, to, topicChanges, resolves }
  requireMayMove(tx.organization, tx.actor, relocation)
  await requireMayPostDuringLockDown(tx, tx.actor, to.id)
  // All messages of a topic share its spelling, so a change of only the spelling applies to all of them.
  const respells = to.id === from.id && caseKey(wanted) === caseKey(message.topic)
  const mode = respells ? 'change_all' : input.propagate_mode
  const all = await messageIdsInTopic(tx, message.topicId)
  const seen = readableMessageIds(tx.organization, tx.actor, from, all)
  const moved = messagesToMove(to.id === from.id ? all : seen, message.id, mode)
  await requireWithinTimeLimit(
    tx,
    moveTimeLimit(tx.organization, tx.actor, relocation),
    messagesToMove(seen, message.id, mode),
    seen,
  )
  const there = respells ? undefined : await findTopic(tx, to.id, wanted)
  const existing = there === undefined ? undefined : { ...there, messageIds: await messageIdsInTopic(tx, there.id) }
  return {
    ...relocation,
    message,
    mode,
    names: await topicSpellingsOf(tx, message.topicId),
    // Must not reveal the spelling or existence of a topic whose messages are hidden.
    topic: existing !== undefined && to.historyPublic ? existing.name : wanted,
    messageIds: moved,
    leftIds: moved.length === all.length ? [] : excludeIds(all, moved),
    isWhole: moved.length === all.length,
    existing,
    notifies: {
      old: input.send_notification_to_old_thread,
      new: input.send_notification_to_new_thread,
      resolution: resolves,
    },
  }
}

/** Returns the same array if all messages move, because it can be very long. */
function messagesToMove(ids: readonly number[], namedId: number, mode: PropagateMode): readonly number[] {
  switch (mode) {
    case 'change_one':
      return ids.filter((id) => id === namedId)
    case 'change_later':
      return ids.filter((id) => id >= namedId)
    case 'change_all':
      return ids
  }
}

function excludeIds(ids: readonly number[], others: readonly number[]): number[] {
  const left = new Set(others)
  return ids.filter((id) => !left.has(id))
}

/** Counts only messages that the actor can read, so as not to reveal the number of hidden messages. */
async function requireWithinTimeLimit(
  tx: ActorTx,
  limit: number | null,
  moved: readonly number[],
  all: readonly number[],
): Promise<void> {
  if (limit === null) return
  const inTime = await idsWithinTimeLimit(tx, limit, all)
  if (moved.every((id) => inTime.has(id))) return
  const allowed = all.filter((id) => inTime.has(id))
  throw new ApiError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed.length}/${all.length} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: allowed[0] ?? null,
      total_messages_in_topic: all.length,
      total_messages_allowed_to_move: allowed.length,
    },
  )
}

/** Returns recent IDs rather than older IDs, of which a topic can have tens of thousands. */
async function idsWithinTimeLimit(
  tx: ActorTx,
  limit: number,
  messageIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.db.rows<{ id: number }>(
    'ids_in_time',
    'select id from messages where organization_id = $1 and id = any($2::bigint[]) and date_sent >= $3',
    [tx.organizationId, messageIds, earliestWithinLimit(limit, tx.now)],
  )
  return new Set(rows.map(({ id }) => id))
}
