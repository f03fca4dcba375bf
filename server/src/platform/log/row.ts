import type { Audience } from '../../kernel/audience.ts'
import type { RecordedChange } from '../../kernel/projection.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    events: {
      organization_id: number
      position: number
      type: string
      ref_id: number | null
      audience: Json<object>
      payload: Json<object>
      changes: Json<readonly unknown[]> | null
      recorded_at: number
    }
  }
}

export interface LogRow {
  readonly position: number
  /** `type` or `type/op`, or `fold` for changes without a client event. */
  readonly type: string
  readonly refId: number | null
  readonly audience: Audience
  readonly payload: Readonly<Record<string, unknown>>
  readonly changes: readonly RecordedChange[] | null
  /** The record behind `refId`; never stored. */
  attached?: unknown
  /** Encoded event for each client form, by the form's key; never stored. */
  encoded?: Map<string, string | undefined>
}

/** Event that is not stored, with the log position at which it was sent. */
export type EphemeralRow = Pick<LogRow, 'position' | 'type' | 'audience' | 'payload'>

export interface EmittedEvent {
  readonly row: LogRow
  /** Null for jobs, commands, and the server itself. */
  readonly actorId: number | null
}

/** Type of events that only carry projection changes. */
export const PROJECTION_EVENT_TYPE = 'fold'

/** Whether a position was skipped when the log was advanced to the given row's position. */
export function isSkippedPosition(position: number, { type, payload }: Pick<LogRow, 'type' | 'payload'>): boolean {
  return type === PROJECTION_EVENT_TYPE && typeof payload['after'] === 'number' && payload['after'] < position
}

/** Events after `base` up to `head`, the position of the last row. */
export interface AppendedEvents {
  readonly base: number
  readonly head: number
  readonly rows: readonly LogRow[]
}
