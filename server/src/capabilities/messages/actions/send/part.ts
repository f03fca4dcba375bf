import type { OrganizationState } from '../../../../kernel/projection.ts'
import type { LogRow } from '../../../../platform/log/row.ts'
import type { Vocabulary } from '../words.ts'
import type { MentionedFollower, MessageInsert, Outcome } from './outgoing.ts'

/** Messages that one statement writes. */
export interface Batch {
  readonly organization: OrganizationState
  readonly now: number
  readonly inserts: readonly MessageInsert[]
  readonly followers: readonly MentionedFollower[]
  /** Null where the database is left to find the words of the texts. */
  readonly vocabulary: Vocabulary | null
}

/** What is known of each message before it is written. */
export interface GivenColumn {
  readonly name: string
  readonly type: 'bigint' | 'text' | 'boolean' | 'jsonb' | 'tsvector'
  readonly valueOf: (insert: MessageInsert, batch: Batch) => unknown
}

/** A row of what the statement answers. Each part says what its own rows are, and fills the columns that it needs. */
export interface ResultRow {
  readonly what: string
  /** The number of a message in the batch, or another number by which rows of this kind are ordered. */
  readonly n: number
  /** The position before the batch. */
  readonly base: number
  readonly id: number | null
  readonly topicId: number | null
  readonly topic: string | null
  readonly startsTopic: boolean | null
  readonly userId: number | null
  readonly channelId: number | null
  /** The words of the text as the database found them, where it was not told. */
  readonly words: string | null
}

/** A query of rows that say one thing; a column that it does not name is null. */
export interface ResultQuery {
  readonly what: string
  readonly columns: Readonly<Partial<Record<Exclude<keyof ResultRow, 'what'>, string>>>
  readonly from: string
}

/** What the parts of a statement make of its rows. */
export interface Results {
  /** What became of each message, by its number in the batch. */
  readonly outcomes: Map<number, Outcome>
  /** The rows of the log that were written, in the order of their positions. */
  readonly events: LogRow[]
}

/**
 * One thing that a batch of messages may need of the statement that sends them. The database takes some 30 us for a
 * part, whether there is anything for it or not: parts that no message of the batch needs are left out.
 *
 * The SQL of a part reads and adds relations: `given` has the messages, by their numbers `n`; `new_message` those that
 * are written, with their `id`; `placed` the same with their topics (see `parts/topics.ts`).
 */
export interface StatementPart {
  /** A word in the name of the prepared statement. */
  readonly name: string
  /** Absent where every batch needs the part. */
  readonly isNeeded?: (batch: Batch) => boolean
  /** Columns of `given`, one value for each message. */
  readonly given?: readonly GivenColumn[]
  /** Further columns of `given`, made of the others by the database. */
  readonly computed?: readonly string[]
  /** A relation of the numbers of messages that shall not be written, read before any is. */
  readonly leavesOut?: { readonly relation: string; readonly sql: (needed: ReadonlySet<StatementPart>) => string }
  /** The relations that the part adds. The SQL may depend on which other parts are needed. */
  readonly sql?: (needed: ReadonlySet<StatementPart>) => string
  /** The relation, of those in `sql`, whose rows each take a position after those of the messages. */
  readonly takesPositions?: string
  /** The values of other parameters in `sql`. */
  readonly values?: (batch: Batch) => Readonly<Record<string, unknown>>
  readonly answers?: readonly ResultQuery[]
  /** Reads its own rows of the answer. */
  readonly results?: (rows: readonly ResultRow[], batch: Batch, results: Results) => void | Promise<void>
}
