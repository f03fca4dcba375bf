import type { OrganizationState } from '../../kernel/projection.ts'
import { organizationDeactivatedError, ApiError } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { PROJECTION_EVENT_TYPE, isSkippedPosition, type LogRow } from '../log/row.ts'
import type { PendingAnswers } from './answers.ts'
import type { RecordReader, Encoder } from './encoding.ts'
import { audienceTest, candidateRecipients, type MembershipQueries } from './audience.ts'
import { wholeSteadySeconds } from './idle.ts'
import { unknownQueueError, type LiveQueue } from './queue.ts'
import { provideEventIds, type Registries, type Registry } from './registry.ts'
import { readLog, MAX_READ_BYTES } from './store.ts'

export interface DeliveryOptions {
  readonly encoder: Encoder
  readonly membership: MembershipQueries
  readonly reads: Db
  readonly hydrate: RecordReader
}

export class Delivery {
  readonly #registries: Registries
  readonly #answers: PendingAnswers
  readonly #encoder: Encoder
  readonly #membership: MembershipQueries
  readonly #reader: LogReader

  constructor(
    registries: Registries,
    answers: PendingAnswers,
    { encoder, membership, reads, hydrate }: DeliveryOptions,
  ) {
    this.#registries = registries
    this.#answers = answers
    this.#encoder = encoder
    this.#membership = membership
    this.#reader = new LogReader(reads, hydrate)
  }

  deliver(log: OrganizationLog, row: LogRow): void {
    const membership = this.#membership
    const registry = this.#registries.known(log)
    if (registry === undefined) return
    if (row.changes !== null) {
      refusePollsWithRenewedKeys(registry, membership.keysRenewedBy(row.changes))
      endQueuesOfLogins(registry, membership.loginsEndedBy(row.changes))
    }
    if (row.type === PROJECTION_EVENT_TYPE) return
    const { organization } = log
    const isReceiver = audienceTest(row.audience, organization, row.position, membership)
    for (const [userId, mine] of candidateRecipients(row.audience, registry.live.online, organization, membership)) {
      if (!isReceiver(userId)) continue
      for (const queue of mine) if (!queue.behind) this.#offer(registry, queue, row)
    }
    for (const queue of registry.live.public) {
      if (queue.behind || isReceiver(queue.userId)) continue
      if (this.#isPublic(registry, queue, row)) this.#offer(registry, queue, row)
    }
    // Only a projection change can end a membership.
    if (row.changes === null) return
    endQueuesOfLeavers(registry, membership)
    if (membership.isDeactivated(organization)) this.#endAll(registry)
  }

  deliverEphemeral(log: OrganizationLog, row: LogRow): void {
    // Ignores unknown events, because other versions and programs can send anything on the bus.
    if (this.#encoder.bindingOf(row)?.event.isEphemeral !== true) return
    const registry = this.#registries.of(log)
    registry.recent.add(row, wholeSteadySeconds())
    const { organization } = log
    let lacksIds = false
    const isReceiver = audienceTest(row.audience, organization, row.position, this.#membership)
    for (const [userId, mine] of candidateRecipients(
      row.audience,
      registry.live.online,
      organization,
      this.#membership,
    )) {
      if (!isReceiver(userId)) continue
      for (const queue of mine) {
        queue.deliverEphemeral(row, organization, this.#encoder)
        lacksIds ||= queue.lacksIds(organization)
        this.#answerIfAny(registry, queue)
      }
    }
    // If this fails, the next event retries.
    if (lacksIds) provideEventIds(registry).catch(() => undefined)
  }

  hold(registry: Registry, queue: LiveQueue, missed: readonly LogRow[]): void {
    registry.live.add(queue)
    for (const row of missed) {
      if (this.#isFor(registry, queue, row)) queue.deliverEphemeral(row, registry.log.organization, this.#encoder)
    }
  }

  catchUp(registry: Registry, queue: LiveQueue): Promise<void> {
    const isReceiver = (row: LogRow): boolean => this.#isFor(registry, queue, row)
    return fillFromLog(queue, registry.log.organization, this.#reader, this.#encoder, isReceiver)
  }

  isLogin(registry: Registry, loginId: number): boolean {
    return this.#membership.isLogin(registry.log.organization, loginId)
  }

  /** Whether an event is for a queue. `deliver` evaluates the audience once for all queues instead. */
  #isFor(registry: Registry, queue: LiveQueue, row: LogRow): boolean {
    const { organization } = registry.log
    if (audienceTest(row.audience, organization, row.position, this.#membership)(queue.userId)) return true
    return queue.registration.allPublicStreams && this.#isPublic(registry, queue, row)
  }

  #endAll(registry: Registry): void {
    this.#answers.finish()
    for (const queue of registry.live.queues.values()) {
      registry.unpark(queue)?.refuse(organizationDeactivatedError())
      registry.forget(queue)
    }
  }

  #isPublic({ log: { organization } }: Registry, queue: LiveQueue, row: LogRow): boolean {
    return this.#encoder.isPublic(row, { userId: queue.userId, organization, form: queue.registration.form })
  }

  #offer(registry: Registry, queue: LiveQueue, row: LogRow): void {
    queue.offer(row, registry.log.organization, this.#encoder)
    this.#answerIfAny(registry, queue)
  }

  #answerIfAny(registry: Registry, queue: LiveQueue): void {
    if (!queue.hasEvents) return
    if (queue.stream !== undefined) {
      queue.stream.wake()
      return
    }
    const poll = registry.unpark(queue)
    if (poll !== undefined) this.#answers.add(queue, poll)
  }
}

function refusePollsWithRenewedKeys(registry: Registry, renewed: ReturnType<MembershipQueries['keysRenewedBy']>): void {
  for (const { userId, endsQueues } of renewed) {
    for (const queue of registry.live.online.get(userId) ?? []) {
      if (queue.parkedIn === undefined) {
        registry.unpark(queue)?.refuse(new ApiError('INVALID_API_KEY', 'Invalid API key'))
      }
      if (endsQueues === true) registry.forget(queue)
    }
  }
}

/** Refuses polls of ended logins, and ends the queues registered with those logins. */
function endQueuesOfLogins(registry: Registry, changes: ReturnType<MembershipQueries['loginsEndedBy']>): void {
  for (const { userId, ended } of changes) {
    for (const queue of registry.live.online.get(userId) ?? []) {
      if (queue.parkedIn !== undefined && ended.includes(queue.parkedIn.id)) registry.refuseEnded(queue)
      if (queue.loginId !== null && ended.includes(queue.loginId)) registry.forget(queue)
    }
  }
}

function endQueuesOfLeavers(registry: Registry, membership: MembershipQueries): void {
  for (const [userId, mine] of registry.live.online) {
    if (membership.roleOf(registry.log.organization, userId) !== undefined) continue
    for (const queue of mine) registry.forget(queue)
  }
}

type CatchUpRows = Promise<readonly LogRow[] | 'pruned'>

/** Shares concurrent reads of the same part of the log: after a restart, all queues lag equally. */
class LogReader {
  readonly #reads: Db
  readonly #hydrate: RecordReader
  /** Reads in progress by start position. */
  readonly #underWay = new WeakMap<OrganizationState, Map<number, CatchUpRows>>()

  constructor(reads: Db, hydrate: RecordReader) {
    this.#reads = reads
    this.#hydrate = hydrate
  }

  after(position: number, organization: OrganizationState): CatchUpRows {
    const underWay = this.#underWay.get(organization) ?? new Map<number, CatchUpRows>()
    this.#underWay.set(organization, underWay)
    const shared = underWay.get(position)
    if (shared !== undefined) return shared
    const reading = this.#read(position, organization).finally(() => underWay.delete(position))
    underWay.set(position, reading)
    return reading
  }

  async #read(position: number, organization: OrganizationState): CatchUpRows {
    const rows = await readLog(this.#reads, organization.id, position, organization.position)
    return rows === 'pruned' ? rows : this.#hydrate(organization, rows, MAX_READ_BYTES)
  }
}

/** Fills the queue's buffer from the log. @throws ApiError BAD_EVENT_QUEUE_ID if the log lacks the queue's position */
async function fillFromLog(
  queue: LiveQueue,
  organization: OrganizationState,
  reader: LogReader,
  encoder: Encoder,
  isReceiver: (row: LogRow) => boolean,
): Promise<void> {
  while (queue.behind && !queue.hasEvents) {
    if (queue.considered >= organization.position) {
      queue.behind = false
      return
    }
    const after = queue.considered
    const rows = await reader.after(after, organization)
    if (rows === 'pruned') throw unknownQueueError(queue.id)
    // Starts over if the client started another poll, which moved the queue.
    if (queue.considered !== after) continue
    const [first] = rows
    // Refuses the queue if its client has seen events that the new primary lacks.
    if (first !== undefined && isSkippedPosition(after, first)) throw unknownQueueError(queue.id)
    for (const row of rows) {
      if (queue.isFull) break
      if (isReceiver(row)) queue.offer(row, organization, encoder)
      queue.considered = row.position
    }
  }
}
