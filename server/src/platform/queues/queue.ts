import { IDS_PER_POSITION, positionOfEvent } from '../../kernel/event-ids.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { LogRow } from '../log/row.ts'
import type { Timer } from './timer-wheel.ts'
import { isForClient } from './audience.ts'
import { EventBuffer, isMemoryFull, type EncodedEvent } from './buffer.ts'
import { formKeyOf, type Encoder } from './encoding.ts'

const FEW_IDS_LEFT = IDS_PER_POSITION / 4
/** Further events are read from the log when the client has caught up. */
export const MAX_BUFFERED_EVENTS = 1_000
/** Limit on a response's events, exceeded by at most one event. */
export const MAX_BUFFERED_CHARACTERS = 500_000
/** Older ephemeral events are dropped: they are outdated by the time the client polls. */
const MAX_BUFFERED_EPHEMERAL_EVENTS = 500
const MAX_BUFFERED_EPHEMERAL_CHARACTERS = MAX_BUFFERED_CHARACTERS / 2

export interface QueueLimits {
  readonly idleSeconds: number
  readonly heartbeatSeconds: number
}

export interface PollLogin {
  readonly id: number
  readonly endsAt: number | null
}

export interface PollAnswer {
  success(fields: string): void
  refuse(refusal: ApiError): void
  readonly isGone: boolean
}

export interface StreamAnswer extends PollAnswer {
  wake(): void
  writeMore(): void
  heartbeat(): void
}

export interface StoredQueue {
  readonly id: string
  readonly userId: number
  readonly registration: Registration
  /** Log position at which the client registered. */
  readonly start: number
  /** UNIX seconds in a database row, process time in a `LiveQueue`. */
  readonly lastUsedAt: number
  readonly lifespanSeconds: number
  /** Null for an API key. */
  readonly loginId: number | null
}

/** A cursor over the log, plus encoded events after it. Can be lost: the log and `last_event_id` restore it. */
export class LiveQueue implements Timer {
  readonly id: string
  readonly userId: number
  readonly loginId: number | null
  readonly registration: Registration
  readonly formKey: string
  readonly start: number
  considered: number
  /** Whether the log has more events. If so, the buffer gets none until the log is read from `considered`. */
  behind = true
  /** Waiting poll; stays until the heartbeat even if its client has disconnected. */
  parked: PollAnswer | undefined
  stream: StreamAnswer | undefined = undefined
  parkedIn: PollLogin | undefined = undefined
  due: number | undefined = undefined
  checkedAt: number | undefined = undefined
  /** Number of the latest poll. Earlier polls get no events. */
  turn = 0
  lastUsedAt: number
  readonly lifespanSeconds: number
  readonly #buffer = new EventBuffer()
  /** In a queue that lags, ephemeral events wait for the log events before them. */
  readonly #ephemeral = new EventBuffer()
  #floor: number
  /** Last acknowledged ID; later events written to a stream may have been lost. */
  #acknowledged: number
  #lastEphemeral = 0

  constructor(stored: StoredQueue, lastEventId: number) {
    this.id = stored.id
    this.userId = stored.userId
    this.loginId = stored.loginId
    this.registration = stored.registration
    this.formKey = formKeyOf(stored.registration.form)
    this.start = stored.start
    this.lastUsedAt = stored.lastUsedAt
    this.lifespanSeconds = stored.lifespanSeconds
    this.#floor = lastEventId
    this.#acknowledged = lastEventId
    this.#lastEphemeral = Math.max(lastEventId, 0)
    this.considered = this.positionOf(lastEventId)
  }

  get isWaitedFor(): boolean {
    return this.parked !== undefined && !this.parked.isGone
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  positionOf(eventId: number): number {
    return positionOfEvent(this.start, eventId)
  }

  highestId(organization: OrganizationState): number {
    return (organization.position - this.start + 1) * IDS_PER_POSITION - 1
  }

  beginPoll(lastEventId: number): number {
    this.#acknowledged = lastEventId
    this.moveTo(lastEventId)
    this.turn += 1
    return this.turn
  }

  /** Drops everything up to an event. If the queue moves back, the log is read again. */
  moveTo(lastEventId: number): void {
    const position = this.positionOf(lastEventId)
    this.#ephemeral.dropUpTo(lastEventId)
    if (lastEventId < this.#floor) {
      this.#buffer.clear()
      this.considered = position
      this.behind = true
    } else {
      this.#buffer.dropUpTo(lastEventId)
      // Skips events that another server has delivered, even if this server has not read them.
      this.considered = Math.max(this.considered, position)
    }
    this.#floor = lastEventId
    this.#lastEphemeral = Math.max(this.#lastEphemeral, lastEventId)
  }

  offer(row: LogRow, organization: OrganizationState, encoder: Encoder): void {
    this.considered = row.position
    if (!isForClient(row.audience, this.registration)) return
    const viewer = { userId: this.userId, organization, form: this.registration.form }
    const text = encoder.encode(row, viewer, this.registration, this.formKey, this.id)
    if (text === undefined) return
    const id = (row.position - this.start) * IDS_PER_POSITION
    this.#buffer.push({ id, text: `${text},"id":${id}}` })
    if (this.isFull) this.behind = true
  }

  get isFull(): boolean {
    const { events, characters } = this.#buffer
    if (events.length === 0) return false
    return events.length >= MAX_BUFFERED_EVENTS || characters >= MAX_BUFFERED_CHARACTERS || isMemoryFull()
  }

  deliverEphemeral(row: LogRow, organization: OrganizationState, encoder: Encoder): void {
    const viewer = { userId: this.userId, organization, form: this.registration.form }
    const text = encoder.encode(row, viewer, this.registration, this.formKey, this.id)
    const id = text === undefined ? undefined : this.ephemeralId(organization, row.position)
    if (id === undefined) return
    this.#ephemeral.push({ id, text: `${text},"id":${id}}` })
    while (this.#hasTooManyEphemeral()) this.#ephemeral.dropOldest()
  }

  #hasTooManyEphemeral(): boolean {
    const { events, characters } = this.#ephemeral
    const isFull = events.length > MAX_BUFFERED_EPHEMERAL_EVENTS || characters > MAX_BUFFERED_EPHEMERAL_CHARACTERS
    return events.length > 1 && (isFull || isMemoryFull())
  }

  /** Drops events of an absent client: the log has them, and ephemeral events are outdated. */
  close(): void {
    this.#ephemeral.clear()
    if (this.#buffer.events.length === 0) return
    this.#buffer.clear()
    this.considered = this.positionOf(this.#floor)
    this.behind = true
  }

  get events(): readonly EncodedEvent[] {
    const logged = this.#buffer.events
    const ephemeralEvents = this.#ephemeral.events.filter((event) => this.#isDue(event))
    return ephemeralEvents.length === 0
      ? logged
      : [...logged, ...ephemeralEvents].toSorted((one, other) => one.id - other.id)
  }

  get hasEvents(): boolean {
    const [ephemeral] = this.#ephemeral.events
    return this.#buffer.events.length > 0 || (ephemeral !== undefined && this.#isDue(ephemeral))
  }

  #isDue({ id }: EncodedEvent): boolean {
    return !this.behind || this.positionOf(id) <= this.considered
  }

  /** Returns an unused ID, or undefined if all IDs before the next position are used. */
  ephemeralId(organization: OrganizationState, position = organization.position): number | undefined {
    // Earlier events are part of the registration's snapshot.
    const before = (Math.max(position, this.start) - this.start) * IDS_PER_POSITION
    const next = Math.max(before, this.#lastEphemeral) + 1
    if (next >= before + IDS_PER_POSITION) {
      return position < organization.position ? this.ephemeralId(organization) : undefined
    }
    this.#lastEphemeral = next
    return next
  }

  lacksIds(organization: OrganizationState): boolean {
    return this.highestId(organization) - this.#lastEphemeral < FEW_IDS_LEFT
  }
}

export function unknownQueueError(queueId: string): ApiError {
  // Old clients recognize the error by these words.
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${queueId}`, { queue_id: queueId })
}
