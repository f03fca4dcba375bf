import { notLoggedInError, ApiError } from '../../kernel/refusal.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { answerPoll, type PendingAnswers } from './answers.ts'
import type { Delivery } from './delivery.ts'
import { wholeSteadySeconds } from './idle.ts'
import { pollLoginOf, requireOwnQueue, type QueueLifecycle, type QueueOwner } from './lifecycle.ts'
import { unknownQueueError, type LiveQueue, type PollAnswer } from './queue.ts'
import type { Registries, Registry } from './registry.ts'
import { QueueStream, type StreamOutput } from './stream.ts'

export interface PollRequest {
  readonly owner: QueueOwner
  readonly queueId: string
  readonly lastEventId: number | undefined
  readonly block: boolean
  readonly output?: StreamOutput | undefined
}

/** Answers polls, synchronously if no read is needed: thousands of polls follow an event, and promises are costly. */
export class PollHandler {
  readonly #registries: Registries
  readonly #lifecycle: QueueLifecycle
  readonly #delivery: Delivery
  readonly #answers: PendingAnswers

  constructor(registries: Registries, lifecycle: QueueLifecycle, delivery: Delivery, answers: PendingAnswers) {
    this.#registries = registries
    this.#lifecycle = lifecycle
    this.#delivery = delivery
    this.#answers = answers
  }

  poll(log: OrganizationLog, request: PollRequest, poll: PollAnswer): Promise<void> | void {
    const registry = this.#registries.of(log)
    const { userId } = request.owner
    const queue = this.#lifecycle.live(registry, userId, request.queueId)
    return queue === undefined
      ? this.#lifecycle
          .read(registry, userId, request.queueId, request.lastEventId)
          .then((read) => this.#take(registry, read, request, poll))
      : this.#take(registry, queue, request, poll)
  }

  #take(registry: Registry, queue: LiveQueue, request: PollRequest, poll: PollAnswer): Promise<void> | void {
    const { organization, follower } = registry.log
    requireOwnQueue(queue, request.owner)
    queue.lastUsedAt = wholeSteadySeconds()
    const lastEventId = request.lastEventId ?? queue.acknowledged
    // Reads the log first if another server may have delivered events that this server has not applied yet.
    return lastEventId > queue.highestId(organization) || organization.position < queue.start
      ? follower.catchUp().then(() => this.#begin(registry, queue, lastEventId, request, poll))
      : this.#begin(registry, queue, lastEventId, request, poll)
  }

  #begin(
    registry: Registry,
    queue: LiveQueue,
    lastEventId: number,
    request: PollRequest,
    poll: PollAnswer,
  ): Promise<void> | void {
    if (lastEventId < -1) throw new ApiError('BAD_REQUEST', `Event ${lastEventId} was never sent to this queue.`)
    const { organization } = registry.log
    if (lastEventId > queue.highestId(organization) || organization.position < queue.start) {
      // Ends the queue: its client has seen events that a restored log lacks, so continuing would skip events.
      return this.#lifecycle.end(registry, queue).then(() => {
        throw unknownQueueError(queue.id)
      })
    }
    // Answers the queue's earlier poll, for which the client no longer waits.
    registry.unparkForNothing(queue)
    const turn = queue.beginPoll(lastEventId)
    return queue.behind && !queue.hasEvents
      ? this.#delivery.catchUp(registry, queue).then(() => this.#answer(registry, queue, turn, request, poll))
      : this.#answer(registry, queue, turn, request, poll)
  }

  #answer(registry: Registry, queue: LiveQueue, turn: number, request: PollRequest, poll: PollAnswer): void {
    if (registry.live.queues.get(queue.id) !== queue) {
      queue.close()
      throw unknownQueueError(queue.id)
    }
    const login = pollLoginOf(request.owner)
    // The login may have ended while the log was read; nothing would end the poll afterward.
    if (login !== undefined && !this.#delivery.isLogin(registry, login.id)) throw notLoggedInError()
    if (request.output !== undefined) this.#stream(registry, queue, turn, request, request.output)
    // If a newer poll has taken over the queue, this poll must not receive its events.
    else if (queue.turn !== turn) answerPoll(queue, poll, [])
    else if (queue.hasEvents) this.#answers.add(queue, poll)
    else if (!request.block) answerPoll(queue, poll, [])
    else registry.park(queue, poll, login)
  }

  /** Streams events. Ends the stream immediately if a newer poll has started. */
  #stream(registry: Registry, queue: LiveQueue, turn: number, request: PollRequest, output: StreamOutput): void {
    // The API key may have changed while the log was read; nothing would end the stream afterward.
    output.checkLogin()
    const stream = new QueueStream(output, queue, request.block, {
      registry,
      delivery: this.#delivery,
      answers: this.#answers,
    })
    if (queue.turn === turn) stream.begin(pollLoginOf(request.owner))
    else stream.success()
  }
}
