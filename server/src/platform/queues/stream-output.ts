import type { Refusal } from '../../kernel/refusal.ts'
import type { EncodedEvent } from './buffer.ts'

/** The open answer that a stream is written to. */
export interface StreamOutput {
  /**
   * Begins the answer.
   * @param drained is called when the client has taken all that was written, after `isFull`
   * @param gone is called when the connection has ended, by the client or by the server
   */
  open(queueId: string, drained: () => void, gone: () => void): void
  /** Writes events until it is full, and at least one. @returns the id of the last that it wrote */
  write(events: readonly EncodedEvent[]): number
  heartbeat(): void
  /** Ends with the reason, after which the client need not come again. */
  refuse(refusal: Refusal): void
  /** Ends with the reason, where that is a refusal; otherwise it is a fault of the server. */
  fail(error: unknown): void
  end(): void
  /** Ends without what the client has not taken. */
  cut(): void
  /** Whether so much waits for the client that nothing more may be written. */
  readonly isFull: boolean
  /** Whether the connection has ended, so that nothing more is written. */
  readonly isGone: boolean
  /** @throws Refusal when the login of the request no longer holds */
  checkLogin(): void
}
