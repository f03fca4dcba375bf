import type { EventDeclaration } from '../../kernel/event.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { LogRow } from '../log/row.ts'

/** An event as a consumer gets it. What is `attached` to it is missing where it was read from the database. */
export type ConsumedEvent = Pick<LogRow, 'position' | 'type' | 'refId' | 'audience' | 'payload' | 'attached'>

/**
 * What has to happen after events of the log, whatever becomes of the process that wrote them. Each organization has a
 * durable cursor for each consumer; one process at a time hands the events behind it to `run`.
 */
export interface Consumer<Outcome = unknown> {
  /** The name under which its cursors are stored: a consumer with another name is a new one. */
  readonly name: string
  /** The events that it hears of. */
  readonly events: readonly EventDeclaration[]
  /**
   * Whether an event needs the consumer at all; without it, each does. It is asked for each event on each process, and
   * must be a look at the event and at projections. Events that need nothing cost nothing more.
   */
  isNeeded?(organization: OrganizationState, event: ConsumedEvent): boolean
  /**
   * How long events may wait until they are handled together, for what nobody waits for and what most events need: a
   * transaction for each would hold up those who write. Without it, events are handled at once.
   */
  readonly gatherSeconds?: number
  /** Whether it only prepares e-mails: on a server that sends none, it does not run. */
  readonly isForMail?: true
  /**
   * Handles events, in the order of the log, in the transaction that moves the cursor behind them: what it writes and
   * emits happens once. Whatever it does beside that may happen again, so work that is slow or reaches outside the
   * database leaves a row for a job.
   * @param outcomes takes, by the event's position, what those who wait for the event are told
   */
  run(tx: Tx, events: readonly ConsumedEvent[], outcomes: Map<number, Outcome>): Promise<void>
}
