import { IDS_PER_POSITION, positionOfEvent } from '../../kernel/event-ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { LogRow } from '../log/row.ts'
import type { Alarmed } from './alarms.ts'
import { isForClient } from './audience.ts'
import { EventBuffer, isMemoryFull, type EncodedEvent } from './buffer.ts'
import { formKeyOf, type Encoder } from './encoding.ts'

/** Below this many left, the log should move, which makes room for more. */
const FEW_IDS_LEFT = IDS_PER_POSITION / 4
/** Events kept in memory for a queue; what is beyond is read from the log when the client has caught up. */
export const MAX_BUFFERED_EVENTS = 1_000
/** Characters of events of the log kept in memory for a queue, and so of one answer, but for the last event in it. */
export const MAX_BUFFERED_CHARACTERS = 500_000
/** Ephemeral events kept for a queue, and their characters. Beyond that, the oldest are over by the time the client asks. */
const MAX_BUFFERED_EPHEMERAL = 500
const MAX_BUFFERED_EPHEMERAL_CHARACTERS = MAX_BUFFERED_CHARACTERS / 2

export interface QueueLimits {
  /** A queue that was not used for this long is removed. */
  readonly idleSeconds: number
  /** A poll without events is answered with a heartbeat after this long. */
  readonly heartbeatSeconds: number
}

/** The session or the API token with which a poll is sent. */
export interface PollLogin {
  readonly id: number
  /** UNIX seconds; null where it has no end that is known before. */
  readonly endsAt: number | null
}

/** Where a poll's answer goes. */
export interface PollAnswer {
  /** Writes a success envelope around already encoded fields. */
  success(fields: string): void
  refuse(refusal: Refusal): void
  /** Whether the client has gone away. */
  readonly isGone: boolean
}

/** A poll that is not over with the events that it gets. */
export interface StreamAnswer extends PollAnswer {
  /** Has it write what the queue holds, when its turn comes. */
  wake(): void
  /** Writes what the queue holds, as much of it as the client takes. */
  writeMore(): void
  /** Lets the client know that it is still there. */
  heartbeat(): void
}

/** A queue as its row has it. */
export interface StoredQueue {
  readonly id: string
  readonly userId: number
  readonly registration: Registration
  /** The position of the log that its client knew first. */
  readonly start: number
  /** UNIX seconds in a row, and the time of this process in a queue. */
  readonly lastUsedAt: number
  readonly lifespanSeconds: number
  /** The session or the API token with which it was registered; null where that was with an API key. */
  readonly loginId: number | null
}

/**
 * An event queue in use: a cursor over the organization's log, with the events after it that this process has
 * already filtered and encoded. Everything here can be lost; the log and the client's `last_event_id` bring it back.
 */
export class LiveQueue implements Alarmed {
  readonly id: string
  readonly userId: number
  readonly loginId: number | null
  readonly registration: Registration
  readonly formKey: string
  readonly start: number
  /** Every event up to this position has been considered for the buffer. */
  considered: number
  /** The log holds more than the buffer: nothing is offered until it has been read from `considered` on. */
  behind = true
  /** A poll that waits for its answer. Its client may have gone away: then it waits for the heartbeat. */
  parked: PollAnswer | undefined
  /** That poll, where it is a stream. */
  stream: StreamAnswer | undefined = undefined
  /** The session or the API token with which that poll was sent; undefined where it was with an API key. */
  parkedIn: PollLogin | undefined = undefined
  due: number | undefined = undefined
  lookedAt: number | undefined = undefined
  /** The number of the latest poll. The queue is where that one asked from, so earlier ones get nothing from it. */
  turn = 0
  lastUsedAt: number
  /** How long the client asked it to stay without use. */
  readonly lifespanSeconds: number
  readonly #buffer = new EventBuffer()
  /** Ephemeral events. Where the queue is behind, those wait that come after events of the log which it has yet to read. */
  readonly #ephemeral = new EventBuffer()
  /** Everything up to this event id was never in the buffer, or is not kept any more: it was acknowledged, or written to a stream. */
  #floor: number
  /** What the client said last that it has. What was written to a stream may have been lost on its way. */
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

  /** Whether a client waits here for an answer. */
  get isWaitedFor(): boolean {
    return this.parked !== undefined && !this.parked.isGone
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  /** The position an event id belongs to. */
  positionOf(eventId: number): number {
    return positionOfEvent(this.start, eventId)
  }

  /** The highest id that an event of this queue can have by now. */
  highestId(organization: OrganizationState): number {
    return (organization.position - this.start + 1) * IDS_PER_POSITION - 1
  }

  /** Starts from where a poll asks. @returns its turn */
  beginPoll(lastEventId: number): number {
    this.#acknowledged = lastEventId
    this.moveTo(lastEventId)
    this.turn += 1
    return this.turn
  }

  /**
   * Goes on behind an event, and forgets what is up to it. Where that is back, the log is read again, and what no log has
   * is as it was.
   */
  moveTo(lastEventId: number): void {
    const position = this.positionOf(lastEventId)
    this.#ephemeral.dropUpTo(lastEventId)
    if (lastEventId < this.#floor) {
      this.#buffer.clear()
      this.considered = position
      this.behind = true
    } else {
      this.#buffer.dropUpTo(lastEventId)
      // Another server may have delivered what this one has not read yet.
      this.considered = Math.max(this.considered, position)
    }
    this.#floor = lastEventId
    this.#lastEphemeral = Math.max(this.#lastEphemeral, lastEventId)
  }

  /** Considers one event of the log; its audience has been checked. */
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

  /** Whether the events after those held here have to be read from the log. */
  get isFull(): boolean {
    const { events, characters } = this.#buffer
    if (events.length === 0) return false
    return events.length >= MAX_BUFFERED_EVENTS || characters >= MAX_BUFFERED_CHARACTERS || isMemoryFull()
  }

  /** Offers an event that is not in the log, whose audience has been checked. */
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
    const isFull = events.length > MAX_BUFFERED_EPHEMERAL || characters > MAX_BUFFERED_EPHEMERAL_CHARACTERS
    return events.length > 1 && (isFull || isMemoryFull())
  }

  /** Lets go of what is kept for a client that does not come for it: the log has it still, and the rest is over. */
  letGo(): void {
    this.#ephemeral.clear()
    if (this.#buffer.events.length === 0) return
    this.#buffer.clear()
    this.considered = this.positionOf(this.#floor)
    this.behind = true
  }

  /** What can be delivered now, in the order of the ids. */
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

  /** Whether no event of the log that has yet to be read comes before this one. */
  #isDue({ id }: EncodedEvent): boolean {
    return !this.behind || this.positionOf(id) <= this.considered
  }

  /**
   * The id of an ephemeral event, or undefined when all ids up to the next position are used: then the log must move
   * before another can be sent.
   * @param position of the log when the event came
   */
  ephemeralId(organization: OrganizationState, position = organization.position): number | undefined {
    // What the client knew when it registered comes before.
    const before = (Math.max(position, this.start) - this.start) * IDS_PER_POSITION
    const next = Math.max(before, this.#lastEphemeral) + 1
    if (next >= before + IDS_PER_POSITION) {
      return position < organization.position ? this.ephemeralId(organization) : undefined
    }
    this.#lastEphemeral = next
    return next
  }

  /** Whether the next position is needed soon, for more ids of ephemeral events. */
  lacksIds(organization: OrganizationState): boolean {
    return this.highestId(organization) - this.#lastEphemeral < FEW_IDS_LEFT
  }
}

/** What is answered for a queue that is gone, or never was. */
export function unknownQueue(queueId: string): Refusal {
  // Clients that are older than the code know it by these words.
  return new Refusal('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${queueId}`, { queue_id: queueId })
}
