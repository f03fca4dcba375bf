import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyResponseTo } from '../../server/src/testing/contract-types.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { tryRequest, retryUntilSuccess, type RetryContext } from './requests.ts'

export interface ReaderOptions {
  /** Pause between a response and the next poll. */
  readonly pauseMilliseconds: readonly [number, number]
  /** Probability of polling again from an older event, like a client that lost data. */
  readonly goesBack?: number
  readonly asksWithoutWaiting?: boolean
  readonly isAway?: () => boolean
  /** Probability of marking the received messages as read. */
  readonly marksRead?: number
  readonly eventTypes?: readonly string[]
}

interface ReceivedMessage {
  readonly eventId: number
  readonly messageId: number
  readonly content: string
}

/** A client that stores only its queue and its position in that queue. */
export class Reader {
  readonly name: string
  readonly user: TestUser
  readonly received: ReceivedMessage[] = []
  readonly markedRead = new Set<number>()
  /** Descriptions of violations of the delivery guarantees. */
  readonly problems: string[] = []
  wentBack = 0
  readonly #habit: ReaderOptions
  readonly #patience: RetryContext
  #queueId: unknown
  #last = -1

  constructor(name: string, user: TestUser, habit: ReaderOptions, patience: RetryContext) {
    this.name = name
    this.user = user
    this.#habit = habit
    this.#patience = patience
  }

  async register(): Promise<void> {
    const parameters = { event_types: this.#habit.eventTypes ?? ['message'], fetch_event_types: [] }
    const { queue_id, last_event_id } = await retryUntilSuccess(
      this.user,
      'POST',
      '/register',
      parameters,
      this.#patience,
    )
    this.#queueId = queue_id
    this.#last = last_event_id
  }

  /** Polls until stopped, or until the first violation, because later violations would only be its consequences. */
  async readUntil(stopped: AbortSignal): Promise<void> {
    const { random, over } = this.#patience
    while (!stopped.aborted && !over.aborted && this.problems.length === 0) {
      if (this.#habit.isAway?.() === true) {
        await sleep(200)
        continue
      }
      const from = random.chance(this.#habit.goesBack ?? 0) ? this.#somewhereBefore() : this.#last
      const answer = await tryRequest(this.user, 'GET', '/events', {
        queue_id: this.#queueId,
        last_event_id: from,
        dont_block: this.#habit.asksWithoutWaiting ?? false,
      })
      if (answer === undefined) {
        await sleep(random.between(20, 150))
        continue
      }
      if (answer.status === 200) await this.#take(from, answer.body)
      else this.problems.push(`was refused: ${JSON.stringify(answer.body)}`)
      await sleep(random.between(...this.#habit.pauseMilliseconds))
    }
  }

  #somewhereBefore(): number {
    if (this.received.length === 0) return this.#last
    this.wentBack += 1
    return this.#patience.random.of(this.received.slice(-200)).eventId
  }

  async #take(from: number, { events = [], queue_id }: AnyResponseTo<'GET', '/events'>): Promise<void> {
    if (queue_id !== this.#queueId) this.problems.push(`polled ${String(this.#queueId)}, got ${String(queue_id)}`)
    const known = this.received.filter(({ eventId }) => eventId > from)
    const fresh: ReceivedMessage[] = []
    let previous = from
    for (const { id: eventId, type, message } of events) {
      if (eventId <= previous) this.problems.push(`event ${eventId} came after ${previous}`)
      previous = eventId
      if (type !== 'message' || message === undefined) continue
      const received = { eventId, messageId: message.id, content: message.content }
      if (eventId <= this.#last) this.#compare(known.shift(), received)
      else fresh.push(received)
    }
    if (fresh.length > 0 && known.length > 0) this.problems.push(`a repetition left out message ${known[0]?.messageId}`)
    this.received.push(...fresh)
    this.#last = Math.max(this.#last, previous)
    if (fresh.length > 0 && this.#patience.random.chance(this.#habit.marksRead ?? 0)) await this.#markRead(fresh)
  }

  /** Events that are requested again must be identical. */
  #compare(before: ReceivedMessage | undefined, again: ReceivedMessage): void {
    if (JSON.stringify(before) === JSON.stringify(again)) return
    this.problems.push(`${JSON.stringify(again)} came again where ${JSON.stringify(before)} had been`)
  }

  async #markRead(received: readonly ReceivedMessage[]): Promise<void> {
    const messages = received.map(({ messageId }) => messageId)
    await retryUntilSuccess(this.user, 'POST', '/messages/flags', { messages, op: 'add', flag: 'read' }, this.#patience)
    for (const messageId of messages) this.markedRead.add(messageId)
  }
}
