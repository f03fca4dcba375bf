import type { Audience } from '../../kernel/audience.ts'
import type { RecordedChange } from '../../kernel/projection.ts'

/** An event in an organization's log. */
export interface LogRow {
  readonly position: number
  /** `type` or `type/op` of the declared event, or `fold` for changes without a client event. */
  readonly type: string
  readonly refId: number | null
  readonly audience: Audience
  readonly payload: Readonly<Record<string, unknown>>
  readonly changes: readonly RecordedChange[] | null
  /** The record behind `refId`, from the writer or read for delivery; never stored. Set once, when the row is read. */
  attached?: unknown
  /** Encoded forms by form key, created on demand; never stored. */
  encoded?: Map<string, string | undefined>
}

/** An event that is not stored, with the log position at which it was sent. */
export type EphemeralRow = Pick<LogRow, 'position' | 'type' | 'audience' | 'payload'>

/** An event emitted by a transaction, before it is written. */
export interface Emitted {
  readonly row: LogRow
  /** Acting account; null for jobs, commands, and the server itself. */
  readonly actorId: number | null
}

/** Type of events that only carry projection changes. */
export const FOLD_ONLY = 'fold'

/** Whether a position never had an event, because positions were advanced past it. */
export function isNowhere(position: number, { type, payload }: Pick<LogRow, 'type' | 'payload'>): boolean {
  return type === FOLD_ONLY && typeof payload['after'] === 'number' && payload['after'] < position
}

/** The events of one commit: everything after `base` up to `head`, the position of the last row. */
export interface Appended {
  readonly base: number
  readonly head: number
  readonly rows: readonly LogRow[]
}
