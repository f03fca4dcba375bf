import type { ApiError } from '../../kernel/refusal.ts'
import type { EncodedEvent } from './buffer.ts'

export interface StreamOutput {
  /**
   * @param drained called when the client has taken everything, after `isFull`
   * @param gone called when either side has closed the connection
   */
  open(queueId: string, drained: () => void, gone: () => void): void
  /** Stops when full. @returns the ID of the last one written */
  write(events: readonly EncodedEvent[]): number
  heartbeat(): void
  /** Ends with an error after which the client should not reconnect. */
  refuse(refusal: ApiError): void
  /** Sends a refusal unchanged, and other errors as internal errors. */
  fail(error: unknown): void
  end(): void
  /** Closes without sending the rest. */
  cut(): void
  readonly isFull: boolean
  readonly isGone: boolean
  /** @throws ApiError if the request's login is no longer valid */
  checkLogin(): void
}
