import type { OrganizationState } from '../../../../kernel/projection.ts'
import type { LogRow } from '../../../../platform/log/row.ts'
import type { Vocabulary } from '../words.ts'
import type { MentionedFollower, MessageInsert, Outcome } from './outgoing.ts'

export interface Batch {
  readonly organization: OrganizationState
  readonly now: number
  readonly inserts: readonly MessageInsert[]
  readonly followers: readonly MentionedFollower[]
  /** Null lets the database compute the words. */
  readonly vocabulary: Vocabulary | null
}

export interface GivenColumn {
  readonly name: string
  readonly type: 'bigint' | 'text' | 'boolean' | 'jsonb' | 'tsvector'
  readonly valueOf: (insert: MessageInsert, batch: Batch) => unknown
}

/** A row of the statement's result. Each part defines its rows and fills the columns it needs. */
export interface ResultRow {
  readonly what: string
  /** Number of the message in the batch, or another sort key. */
  readonly n: number
  /** Log position before the batch. */
  readonly base: number
  readonly id: number | null
  readonly topicId: number | null
  readonly topic: string | null
  readonly startsTopic: boolean | null
  readonly userId: number | null
  readonly channelId: number | null
  /** Words of the text as computed by the database, if they were not supplied. */
  readonly words: string | null
}

/** A query for one kind of result rows; unnamed columns are null. */
export interface ResultQuery {
  readonly what: string
  readonly columns: Readonly<Partial<Record<Exclude<keyof ResultRow, 'what'>, string>>>
  readonly from: string
}

export interface Results {
  readonly outcomes: Map<number, Outcome>
  readonly events: LogRow[]
}

/**
 * A part of the send statement. Each costs the database about 30 us even without work, so parts that no message of the
 * batch needs are left out.
 *
 * A part's SQL reads and adds relations: `given` contains the messages by number `n`; `new_message`, the written
 * messages with their `id`; `placed`, the written messages with their topics (see `parts/topics.ts`).
 */
export interface StatementPart {
  readonly name: string
  /** Absent if every batch needs the part. */
  readonly isNeeded?: (batch: Batch) => boolean
  /** Columns of `given`, with one value per message. */
  readonly given?: readonly GivenColumn[]
  /** Additional columns of `given`, computed by the database. */
  readonly computed?: readonly string[]
  /** A relation with the numbers of messages that must not be written. Evaluated first. */
  readonly leavesOut?: { readonly relation: string; readonly sql: (needed: ReadonlySet<StatementPart>) => string }
  /** Relations that the part adds. The SQL may depend on the other needed parts. */
  readonly sql?: (needed: ReadonlySet<StatementPart>) => string
  /** The relation in `sql` whose rows take positions after the messages. */
  readonly takesPositions?: string
  readonly values?: (batch: Batch) => Readonly<Record<string, unknown>>
  readonly answers?: readonly ResultQuery[]
  readonly results?: (rows: readonly ResultRow[], batch: Batch, results: Results) => void | Promise<void>
}
