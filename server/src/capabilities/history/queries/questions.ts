import type { Role } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { NarrowedMessage } from '../contract/matching.ts'

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string

/** What names a place in a statement: in a message's own row, or in the row of a topic that is looked through. */
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
 * How the messages of a question are found without looking at others, in SQL.
 * - `row`: an index leads to them in the order of their ids; the planner sees that by itself
 * - `topic`: as `row`, in the one topic that the question, asked of topics `t`, names
 * - `topics`: in the topics that the question, asked of topics `t`, names
 * - `spans`: in spans of topics, from a query of `id`, `channel_id`, `name` and `span`; of one topic `t` they are an expression
 * - `channels`: in these channels, as a whole
 * - `ids`: by a query of message ids, of which it is then asked itself
 */
export type Source =
  | { readonly kind: 'row' | 'topic' | 'topics' }
  | { readonly kind: 'ids'; sql(bind: Bind): string }
  | { readonly kind: 'spans'; readonly sql: string; readonly ofTopic: string }
  | { readonly kind: 'channels'; readonly channelIds: readonly number[] }

/**
 * A question that is asked of a message: in SQL by the database, and in this process of a message that has just been
 * sent.
 */
export interface Question {
  /** Whether the place of a message answers it: then whole topics are passed over. */
  readonly about: 'place' | 'message'
  /** A condition over a message `m` and its place; `$1` is the organization and `$2` the reader. Null counts as false. */
  sql(bind: Bind, at: Columns): string
  /** Absent where nothing that a process holds in memory tells. */
  readonly matches?: (message: NarrowedMessage) => boolean
  /** The lower the rank, the fewer messages it usually leaves. */
  readonly source?: (Source & { readonly rank: number }) | undefined
  /**
   * The messages of which the question is asked: by default those that the reader `received`; `readable` means all
   * that the reader may read, and `granted` means the question's own messages, which the reader may read already.
   */
  readonly reach?: 'readable' | 'granted'
}

export interface Condition {
  readonly question: Question
  readonly negated: boolean
}

/** The member that asks, and its organization. */
export interface Asker {
  readonly organization: OrganizationState
  readonly member: { readonly userId: number; readonly role: Role }
}

/** Whether a message meets every condition. The question is the one that the SQL asks. */
export function matchesNarrow(message: NarrowedMessage, conditions: readonly Condition[]): boolean {
  return conditions.every(({ question, negated }) => question.matches?.(message) === !negated)
}

/** The condition in SQL, about a message `m`. */
export function conditionSql({ question, negated }: Condition, bind: Bind, at: Columns): string {
  const sql = question.sql(bind, at)
  return negated ? `(${sql}) is not true` : sql
}
