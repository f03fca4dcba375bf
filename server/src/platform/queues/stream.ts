import type { ApiError } from '../../kernel/refusal.ts'
import type { PendingAnswers } from './answers.ts'
import type { Delivery } from './delivery.ts'
import { wholeSteadySeconds } from './idle.ts'
import type { LiveQueue, PollLogin, StreamAnswer } from './queue.ts'
import type { Registry } from './registry.ts'
import type { EncodedEvent } from './buffer.ts'

/** Time after which a stream ends: when the client reconnects, its login and position are checked. */
const MAX_STREAM_SECONDS = 3600
/** Heartbeats without progress after which a stream is cut. A live client reconnects. */
const MAX_BLOCKED_HEARTBEATS = 4

export interface StreamParts {
  readonly registry: Registry
  readonly delivery: Delivery
  readonly answers: PendingAnswers
}

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

/** Poll that writes events as they arrive. While the connection's write buffer is full, the queue falls behind. */
export class QueueStream implements StreamAnswer {
  readonly #output: StreamOutput
  readonly #queue: LiveQueue
  readonly #stays: boolean
  readonly #parts: StreamParts
  readonly #endsAt = wholeSteadySeconds() + MAX_STREAM_SECONDS
  #waitsFor: 'events' | 'turn' | 'client' | 'log' = 'events'
  #fullHeartbeats = 0

  /** `stays`: whether the stream remains open after all current events. */
  constructor(output: StreamOutput, queue: LiveQueue, stays: boolean, parts: StreamParts) {
    this.#output = output
    this.#queue = queue
    this.#stays = stays
    this.#parts = parts
    output.open(
      queue.id,
      () => this.#drained(),
      () => this.#leave(),
    )
  }

  get isGone(): boolean {
    return this.#output.isGone
  }

  begin(login: PollLogin | undefined): void {
    this.#parts.registry.parkStream(this.#queue, this, login)
    this.wake()
  }

  wake(): void {
    if (this.#waitsFor === 'events') this.#takeTurn()
  }

  writeMore(): void {
    const queue = this.#queue
    if (queue.stream !== this) return
    if (this.isGone) {
      this.#leave()
      return
    }
    while (queue.hasEvents || queue.behind) {
      if (this.#output.isFull) {
        // Later events are read from the log once the client has received the current ones.
        queue.behind = true
        this.#waitsFor = 'client'
        return
      }
      if (!queue.hasEvents) {
        this.#waitsFor = 'log'
        void this.#readOn()
        return
      }
      queue.moveTo(this.#output.write(queue.events))
    }
    this.#waitsFor = 'events'
    if (!this.#stays) this.#end()
  }

  heartbeat(): void {
    if (this.isGone) this.#leave()
    else if (wholeSteadySeconds() >= this.#endsAt) this.#end()
    else if (!this.#output.isFull) this.#output.heartbeat()
    else {
      this.#fullHeartbeats += 1
      if (this.#fullHeartbeats > MAX_BLOCKED_HEARTBEATS) this.#output.cut()
    }
  }

  /** Ends the stream when another poll replaces it or the server stops; a live client reconnects. */
  success(): void {
    this.#output.end()
  }

  refuse(refusal: ApiError): void {
    this.#output.refuse(refusal)
  }

  #drained(): void {
    this.#fullHeartbeats = 0
    if (this.#waitsFor === 'client') this.#takeTurn()
  }

  #takeTurn(): void {
    this.#waitsFor = 'turn'
    this.#parts.answers.add(this.#queue, this)
  }

  async #readOn(): Promise<void> {
    const { registry, delivery } = this.#parts
    try {
      await delivery.catchUp(registry, this.#queue)
      this.#takeTurn()
    } catch (error) {
      if (this.#leave()) this.#output.fail(error)
    }
  }

  #end(): void {
    this.#leave()
    this.#output.end()
  }

  #leave(): boolean {
    const isHere = this.#queue.stream === this
    if (isHere) {
      this.#parts.registry.unpark(this.#queue)
      this.#queue.lastUsedAt = wholeSteadySeconds()
    }
    return isHere
  }
}
