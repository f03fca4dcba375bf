import type { Audience } from '../../kernel/audience.ts'
import type { RecordedChange } from '../../kernel/projection.ts'

/** One event of an organization's log. */
export interface LogRow {
  readonly position: number
  /** `type` or `type/op` of the declared event, or `fold` for changes that no client is told of. */
  readonly type: string
  readonly refId: number | null
  readonly audience: Audience
  readonly payload: Readonly<Record<string, unknown>>
  readonly changes: readonly RecordedChange[] | null
  /**
   * What `refId` stands for, when the row came straight from a writer or was read for delivery; never stored.
   * It is set once, where the row is read from the database.
   */
  attached?: unknown
  /** How clients see it, by what their forms tell apart: made for the first of them, never stored. */
  encoded?: Map<string, string | undefined>
}

/** An event that is over in a moment and not worth keeping, with the position of the log at which it was said. */
export type EphemeralRow = Pick<LogRow, 'position' | 'type' | 'audience' | 'payload'>

/** An event as a transaction emitted it, before it is written. */
export interface Emitted {
  readonly row: LogRow
  /** The account in whose name; null for jobs, commands, and the server itself. */
  readonly actorId: number | null
}

/** An event without an announcement: it only carries changes to the folds. */
export const FOLD_ONLY = 'fold'

/** Whether there was never an event at a position, since the first one after it is where positions moved on from further back. */
export function isNowhere(position: number, { type, payload }: Pick<LogRow, 'type' | 'payload'>): boolean {
  return type === FOLD_ONLY && typeof payload['after'] === 'number' && payload['after'] < position
}

/** What one commit appended: everything after `base` up to and including `head`, the position of its last row. */
export interface Appended {
  readonly base: number
  readonly head: number
  readonly rows: readonly LogRow[]
}
