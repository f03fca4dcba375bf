import type { OrganizationState } from '../../../../kernel/projection.ts'
import type { LogRow } from '../../../../platform/log/row.ts'
import type { MentionedFollower, MessageInsert, SendOutcome } from './outgoing.ts'

export interface SendBatch {
  readonly organization: OrganizationState
  readonly now: number
  readonly inserts: readonly MessageInsert[]
  readonly followers: readonly MentionedFollower[]
  /** Words that the dictionary may lack, sorted. */
  readonly newWords: readonly string[]
}

export interface InputColumn {
  readonly name: string
  readonly type: 'bigint' | 'text' | 'boolean' | 'jsonb' | 'tsvector'
  readonly valueOf: (insert: MessageInsert, batch: SendBatch) => unknown
}

/** Row of the statement's result. Each part fills only the columns it needs. */
export interface ResultRow {
  readonly what: string
  /** Number of the message in the batch, or another sort key. */
  readonly n: number
  readonly base: number
  readonly id: number | null
  readonly topicId: number | null
  readonly topic: string | null
  readonly startsTopic: boolean | null
  readonly userId: number | null
  readonly channelId: number | null
}

/** A query for one kind of result rows; unnamed columns are null. */
export interface ResultQuery {
  readonly what: string
  readonly columns: Readonly<Partial<Record<Exclude<keyof ResultRow, 'what'>, string>>>
  readonly from: string
}

export interface StatementResults {
  readonly outcomes: Map<number, SendOutcome>
  readonly events: LogRow[]
}

/**
 * Each part costs the database about 30 us even without work, so unneeded parts are left out. A part's SQL reads and
 * adds relations: `given` contains the messages by number `n`; `new_message`, the written messages with their `id`;
 * `placed`, the written messages with their topics (see `parts/topics.ts`).
 */
export interface StatementPart {
  readonly name: string
  readonly isNeeded?: (batch: SendBatch) => boolean
  readonly given?: readonly InputColumn[]
  readonly computed?: readonly string[]
  /** Relation with the numbers of messages that must not be written; evaluated first. It can read `lock`. */
  readonly leavesOut?: { readonly relation: string; readonly sql: (needed: ReadonlySet<StatementPart>) => string }
  /** The SQL may depend on the other needed parts. */
  readonly sql?: (needed: ReadonlySet<StatementPart>) => string
  /** The relation in `sql` whose rows take positions after the messages. */
  readonly takesPositions?: string
  readonly values?: (batch: SendBatch) => Readonly<Record<string, unknown>>
  readonly answers?: readonly ResultQuery[]
  readonly results?: (rows: readonly ResultRow[], batch: SendBatch, results: StatementResults) => void | Promise<void>
}
