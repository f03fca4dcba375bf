import type { Role } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { NarrowedMessage } from '../contract/matching.ts'

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string

/** SQL expressions for a place: in the row of a message, or in the row of a topic that is scanned. */
export interface Columns {
  readonly topic: string
  readonly channel: string
  /** The topic's name. */
  readonly name: string
}
export const OF_MESSAGE: Columns = {
  topic: 'm.topic_id',
  channel: 'm.channel_id',
  name: '(select tt.name from topics tt where tt.organization_id = $1 and tt.id = m.topic_id)',
}
export const OF_TOPIC: Columns = { topic: 't.id', channel: 't.channel_id', name: 't.name' }

/**
 * How SQL finds the messages of a question without scanning others.
 * - `row`: through an index, ordered by id; the planner sees this by itself
 * - `topic`: like `row`, in the one topic that the question, applied to topics `t`, names
 * - `topics`: in the topics that the question, applied to topics `t`, names
 * - `spans`: in spans of topics, from a query for `id`, `channel_id`, `name` and `span`; for one topic `t`, an
 * expression
 * - `channels`: in all of these channels
 * - `ids`: through a query for message ids, on which the question is then tested
 */
export type Source =
  | { readonly kind: 'row' | 'topic' | 'topics' }
  | { readonly kind: 'ids'; sql(bind: Bind): string }
  | { readonly kind: 'spans'; readonly sql: string; readonly ofTopic: string }
  | { readonly kind: 'channels'; readonly channelIds: readonly number[] }

/** A question about a message: the database answers it in SQL, and this process answers it for a message just sent. */
export interface Question {
  /** `place` if the channel and topic alone decide; whole topics are then skipped. */
  readonly about: 'place' | 'message'
  /** A condition on a message `m` and its place. `$1` is the organization and `$2` the reader. Null counts as false. */
  sql(bind: Bind, at: Columns): string
  /** Absent if the state in memory cannot answer the question. */
  readonly matches?: (message: NarrowedMessage) => boolean
  /** The lower the rank, the fewer messages the source usually leaves. */
  readonly source?: (Source & { readonly rank: number }) | undefined
  /**
   * The messages that the question considers: by default those that the reader received. `readable` means all that the
   * reader can read; `granted` means the question's own messages, which have been checked already.
   */
  readonly reach?: 'readable' | 'granted'
}

export interface Condition {
  readonly question: Question
  readonly negated: boolean
}

/** The member who asks, and the member's organization. */
export interface Asker {
  readonly organization: OrganizationState
  readonly member: { readonly userId: number; readonly role: Role }
}

/** Whether a message meets all conditions. Must agree with the SQL. */
export function matchesNarrow(message: NarrowedMessage, conditions: readonly Condition[]): boolean {
  return conditions.every(({ question, negated }) => question.matches?.(message) === !negated)
}

export function conditionSql({ question, negated }: Condition, bind: Bind, at: Columns): string {
  const sql = question.sql(bind, at)
  return negated ? `(${sql}) is not true` : sql
}
