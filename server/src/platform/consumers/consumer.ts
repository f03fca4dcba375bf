import type { EventDeclaration } from '../../kernel/event.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { LogRow } from '../log/row.ts'

/** `attached` is missing if the event was read from the database. */
export type ConsumedEvent = Pick<LogRow, 'position' | 'type' | 'refId' | 'audience' | 'payload' | 'attached'>

/** Work that follows events even if the process that logged them dies. One process at a time moves its cursor. */
export interface Consumer<Outcome = unknown> {
  /** Renaming a consumer creates a new cursor. */
  readonly name: string
  readonly events: readonly EventDeclaration[]
  /** If absent, all events are needed. Every process calls this for every event, so it can read only projections. */
  isNeeded?(organization: OrganizationState, event: ConsumedEvent): boolean
  /** How long to collect events if the work is not urgent: a transaction per event would delay writers. */
  readonly gatherSeconds?: number
  readonly isForMail?: true
  /**
   * Handles events in log order, in the transaction that moves the cursor: writes happen exactly once. Other effects
   * can repeat: slow or external work belongs in a job. `outcomes` has results by event position, for waiting requests.
   */
  run(tx: Tx, events: readonly ConsumedEvent[], outcomes: Map<number, Outcome>): Promise<void>
}
