import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../server/src/testing/json.ts'
import { openStream, type TestStream } from '../../server/src/testing/stream.ts'
import type { Body, TestUser } from '../../server/src/testing/user.ts'
import { retryUntilSuccess, type RetryContext } from '../crash/requests.ts'

const DELAY_RANGE_MILLISECONDS = [20, 150] as const

/** A client that streams its queue's events and reconnects when the stream ends. */
export class StreamReader {
  readonly received: { readonly messageId: number }[] = []
  /** Descriptions of violations of the delivery guarantees. */
  readonly problems: string[] = []
  readonly #user: TestUser
  readonly #patience: RetryContext
  #queueId: unknown
  #last = -1
  #stream: TestStream | undefined
  #isStopped = false

  constructor(user: TestUser, patience: RetryContext) {
    this.#user = user
    this.#patience = patience
  }

  async register(): Promise<void> {
    const parameters = { event_types: ['message'], fetch_event_types: [] }
    const { queue_id, last_event_id } = await retryUntilSuccess(
      this.#user,
      'POST',
      '/register',
      parameters,
      this.#patience,
    )
    this.#queueId = queue_id
    this.#last = last_event_id
  }

  /** Reads until `stop` is called or a violation occurs. */
  async read(): Promise<void> {
    while (!this.#isStopped && this.problems.length === 0) {
      const stream = openStream(this.#user, { queue_id: this.#queueId, last_event_id: this.#last })
      this.#stream = stream
      let taken = 0
      await stream.until(({ events, isOver }) => {
        for (const event of events.slice(taken)) this.#take(event)
        taken = events.length
        return isOver
      })
      if (stream.status >= 400 && stream.status < 500) this.problems.push(`was refused: ${JSON.stringify(stream.body)}`)
      await sleep(this.#patience.random.between(...DELAY_RANGE_MILLISECONDS))
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#stream?.cut()
  }

  #take({ id: eventId, type, message }: Body): void {
    const id = Number(eventId)
    if (id <= this.#last) this.problems.push(`event ${id} came after ${this.#last}`)
    this.#last = Math.max(this.#last, id)
    if (type === 'message' && isObject(message)) this.received.push({ messageId: Number(message['id']) })
  }
}
