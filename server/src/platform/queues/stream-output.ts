import type { ApiError } from '../../kernel/refusal.ts'
import type { EncodedEvent } from './buffer.ts'

export interface StreamOutput {
  /** `drained` is called after `isFull`, when the client has read everything; `gone`, when either side has closed. */
  open(queueId: string, drained: () => void, gone: () => void): void
  /** Writes events until the output is full. Returns the ID of the last event written. */
  write(events: readonly EncodedEvent[]): number
  heartbeat(): void
  refuse(refusal: ApiError): void
  fail(error: unknown): void
  end(): void
  /** Closes without sending the remaining data. */
  cut(): void
  readonly isFull: boolean
  readonly isGone: boolean
  /** @throws ApiError if the request's login is no longer valid */
  checkLogin(): void
}
