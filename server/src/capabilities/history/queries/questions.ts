import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Member } from '../../groups/rules.ts'
import type { NarrowedMessage } from '../contract.ts'

export type BindParameter = (value: unknown) => string

/** SQL expressions for a channel and topic, in a row of a message or of a scanned topic. */
export interface LocationColumns {
  readonly topic: string
  readonly channel: string
  readonly name: string
}
export const MESSAGE_COLUMNS: LocationColumns = {
  topic: 'm.topic_id',
  channel: 'm.channel_id',
  name: '(select tt.name from topics tt where tt.organization_id = $1 and tt.id = m.topic_id)',
}
export const TOPIC_COLUMNS: LocationColumns = { topic: 't.id', channel: 't.channel_id', name: 't.name' }

/**
 * Ways to find messages that meet a condition in SQL without scanning other messages (`t` is a row of `topics`):
 * - `row`: through an index ordered by ID, which the planner chooses
 * - `topic`: like `row`, for a condition that only one topic `t` meets
 * - `topics`: in all topics `t` that meet the condition
 * - `spans`: in ranges of IDs within topics. `sql` selects `id`, `channel_id`, `name`, `span`; `ofTopic` selects the spans
 *   of one topic `t`
 * - `channels`: in all of these channels
 * - `nearest`: among a limited number of messages next to the anchor. If these do not suffice, the test is replaced by `rest`
 * - `ids`: by a query for message IDs, which the test then filters
 */
export type MessageSource =
  | { readonly kind: 'row' | 'topic' | 'topics' }
  | { readonly kind: 'nearest'; rest(): Promise<MessageTest> }
  | { readonly kind: 'ids'; sql(bind: BindParameter): string }
  | { readonly kind: 'spans'; readonly sql: string; readonly ofTopic: string }
  | { readonly kind: 'channels'; readonly channelIds: readonly number[] }

/** Tests a message: in SQL if stored, in memory if just sent. */
export interface MessageTest {
  /** `place` if only channel and topic matter, so that whole topics can be skipped. */
  readonly about: 'place' | 'message'
  /** Condition on a message `m`. `$1` is the organization, `$2` the reader. Null counts as false. */
  sql(bind: BindParameter, at: LocationColumns): string
  /** Absent if the test is impossible in memory. */
  readonly matches?: (message: NarrowedMessage) => boolean
  /** Sources with lower ranks usually have fewer candidates. */
  readonly source?: (MessageSource & { readonly rank: number }) | undefined
  /** Default: received messages; `readable`: all that the reader can read; `granted`: all (access was checked). */
  readonly reach?: 'readable' | 'granted'
  /** Whether the best match of a search comes last, instead of the newest. */
  readonly ranks?: boolean
}

export interface Condition {
  readonly question: MessageTest
  readonly negated: boolean
}

export interface Asker {
  readonly organization: OrganizationState
  readonly member: Member
}

/** Whether a message meets all conditions. Must agree with the SQL. */
export function matchesNarrow(message: NarrowedMessage, conditions: readonly Condition[]): boolean {
  return conditions.every(({ question, negated }) => question.matches?.(message) === !negated)
}

export function conditionSql({ question, negated }: Condition, bind: BindParameter, at: LocationColumns): string {
  const sql = question.sql(bind, at)
  return negated ? `(${sql}) is not true` : sql
}
