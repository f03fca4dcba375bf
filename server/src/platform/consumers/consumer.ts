import type { EventDeclaration } from '../../kernel/event.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { LogRow } from '../log/row.ts'

/** Event as passed to a consumer. `attached` is missing if the event was read from the database. */
export type ConsumedEvent = Pick<LogRow, 'position' | 'type' | 'refId' | 'audience' | 'payload' | 'attached'>

/**
 * Work that must follow logged events, even if the process that wrote them dies. Each consumer has a durable cursor per
 * organization, and one process at a time passes the events after it to `run`.
 */
export interface Consumer<Outcome = unknown> {
  /** Name of its cursors. Renaming a consumer creates a new one. */
  readonly name: string
  readonly events: readonly EventDeclaration[]
  /**
   * Whether it needs an event; default: all. Called for every event on every process, so it may only read the event and
   * projections. Events that it skips cost nothing else.
   */
  isNeeded?(organization: OrganizationState, event: ConsumedEvent): boolean
  /**
   * Maximum time to collect events, for work that is not urgent but follows most events: a transaction for each would
   * delay writers. Default: handled immediately.
   */
  readonly gatherSeconds?: number
  /** Only prepares emails, so it does not run on servers without email. */
  readonly isForMail?: true
  /**
   * Handles events in log order, in the transaction that moves the cursor: its writes and events happen exactly once.
   * Other effects can repeat, so slow or external work belongs in a row for a job.
   * @param outcomes results by event position for requests that wait
   */
  run(tx: Tx, events: readonly ConsumedEvent[], outcomes: Map<number, Outcome>): Promise<void>
}
