import type { Refusal } from '../../kernel/refusal.ts'
import type { EncodedEvent } from './buffer.ts'

/** The open HTTP response of a stream. */
export interface StreamOutput {
  /**
   * Starts the response.
   * @param drained called when the client has taken everything, after `isFull`
   * @param gone called when either side has closed the connection
   */
  open(queueId: string, drained: () => void, gone: () => void): void
  /** Writes at least one event and stops when full. @returns the ID of the last one written */
  write(events: readonly EncodedEvent[]): number
  heartbeat(): void
  /** Ends with an error after which the client should not reconnect. */
  refuse(refusal: Refusal): void
  /** Ends with the error if it is a refusal, otherwise with an internal error. */
  fail(error: unknown): void
  end(): void
  /** Closes the connection without sending the rest. */
  cut(): void
  /** Whether the client has too much unread data. */
  readonly isFull: boolean
  /** Whether the connection is closed. */
  readonly isGone: boolean
  /** @throws Refusal if the request's login is no longer valid */
  checkLogin(): void
}
