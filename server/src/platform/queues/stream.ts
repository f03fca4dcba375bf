import type { Refusal } from '../../kernel/refusal.ts'
import type { Answers } from './answers.ts'
import type { Delivery } from './delivery.ts'
import { seconds } from './idle.ts'
import type { LiveQueue, PollLogin, StreamAnswer } from './queue.ts'
import type { Registry } from './registry.ts'
import type { StreamOutput } from './stream-output.ts'

/** A stream ends after this long, and its client begins another: that says again who it is, and what it has. */
const MAX_STREAM_SECONDS = 3600
/** A stream whose client has taken nothing between so many heartbeats is cut: it comes again, if it is still there. */
const MAX_FULL_HEARTBEATS = 4

/** What a stream needs of those who fill queues. */
export interface StreamParts {
  readonly registry: Registry
  readonly delivery: Delivery
  readonly answers: Answers
}

/**
 * A poll that stays at its queue and writes events as they come. What is written is not kept, since the log has it: a
 * client that did not get it goes back. While the client has not taken what was written, the queue stays behind the log,
 * so nothing is kept for it.
 */
export class QueueStream implements StreamAnswer {
  readonly #output: StreamOutput
  readonly #queue: LiveQueue
  readonly #stays: boolean
  readonly #parts: StreamParts
  readonly #endsAt = seconds() + MAX_STREAM_SECONDS
  /** Whether it waits for events, for its turn to write, for the client to take what was written, or for the log. */
  #waitsFor: 'events' | 'turn' | 'client' | 'log' = 'events'
  #fullHeartbeats = 0

  /** @param stays whether it stays when everything that there is has been written */
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

  /** Begins to write, from where the queue is. */
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
        // What comes is read from the log, when the client has taken this.
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
    else if (seconds() >= this.#endsAt) this.#end()
    else if (!this.#output.isFull) this.#output.heartbeat()
    else {
      this.#fullHeartbeats += 1
      if (this.#fullHeartbeats > MAX_FULL_HEARTBEATS) this.#output.cut()
    }
  }

  /** Another poll takes its place, or the server stops: its client comes again, if it is still there. */
  success(): void {
    this.#output.end()
  }

  refuse(refusal: Refusal): void {
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

  /** Leaves the queue to the next poll. @returns whether it was still there */
  #leave(): boolean {
    const isHere = this.#queue.stream === this
    if (isHere) {
      this.#parts.registry.unpark(this.#queue)
      this.#queue.lastUsedAt = seconds()
    }
    return isHere
  }
}
