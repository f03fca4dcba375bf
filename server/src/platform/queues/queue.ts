import { Refusal } from '../../kernel/refusal.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { World } from '../../kernel/fold.ts'
import type { LogRow } from '../log/row.ts'
import type { Alarmed } from './alarms.ts'
import { isForClient } from './audience.ts'
import { formKeyOf, type Encoder } from './encoding.ts'

/** Ids between two positions, for ephemeral events: typing, presence, heartbeats. */
export const IDS_PER_POSITION = 1024
/** Below this many left, the log should move, which makes room for more. */
const FEW_IDS_LEFT = IDS_PER_POSITION / 4
/** Events kept in memory for a queue; what is beyond is read from the log when the client has caught up. */
export const MAX_BUFFERED_EVENTS = 1_000
/** Characters of events kept in memory for a queue, and so of one answer, but for the last event in it. */
export const MAX_BUFFERED_CHARACTERS = 500_000
/** Of all queues of the process together: above it, a queue keeps the event it is at and reads the others from the log. */
const MAX_ALL_BUFFERED_CHARACTERS = 64_000_000

/** What all queues of the process keep, in characters. */
let allBuffered = 0

/** Beside this many events, none is kept that is not in the log. */
const MAX_WHISPERS_BUFFERED = MAX_BUFFERED_EVENTS / 2

export interface QueueLimits {
  /** A queue that nobody used for this long is collected. */
  readonly idleSeconds: number
  /** A poll without events is answered with a heartbeat after this long. */
  readonly heartbeatSeconds: number
}

/** Where a poll's answer goes. */
export interface PollAnswer {
  /** Writes a success envelope around already encoded fields. */
  success(fields: string): void
  refuse(refusal: Refusal): void
  /** Whether the client has gone away. */
  readonly isGone: boolean
}

/** A queue as its row has it. */
export interface StoredQueue {
  readonly id: string
  readonly userId: number
  readonly registration: Registration
  /** The position of the log that its client knew first. */
  readonly start: number
  /** UNIX seconds. */
  readonly lastUsedAt: number
  readonly lifespanSeconds: number
}

interface Buffered {
  readonly id: number
  readonly text: string
}

/**
 * An event queue in use: a cursor over the organization's log, with the events after it that this process has
 * already filtered and encoded. Everything here can be lost; the log and the client's `last_event_id` bring it back.
 */
export class LiveQueue implements Alarmed {
  readonly id: string
  readonly userId: number
  readonly registration: Registration
  readonly formKey: string
  readonly start: number
  /** Every event up to this position has been considered for the buffer. */
  considered: number
  /** The log holds more than the buffer: nothing is offered until it has been read from `considered` on. */
  behind = true
  /** A poll that waits for its answer. Its client may have gone away: then it waits for the heartbeat. */
  parked: PollAnswer | undefined
  due: number | undefined = undefined
  lookedAt: number | undefined = undefined
  /** The number of the latest poll. The queue is where that one asked from, so earlier ones get nothing from it. */
  turn = 0
  lastUsedAt: number
  /** How long the client asked it to stay without use. */
  readonly lifespanSeconds: number
  #buffer: Buffered[] = []
  /** Characters in the buffer. */
  #buffered = 0
  /** Ephemeral events that came while the queue was behind: they go to the buffer when it has caught up with their ids. */
  #early: Buffered[] = []
  /** Everything up to this event id has been acknowledged or was never in the buffer. */
  #floor: number
  #lastEphemeral = 0

  constructor(stored: StoredQueue, lastEventId: number) {
    this.id = stored.id
    this.userId = stored.userId
    this.registration = stored.registration
    this.formKey = formKeyOf(stored.registration.form)
    this.start = stored.start
    this.lastUsedAt = stored.lastUsedAt
    this.lifespanSeconds = stored.lifespanSeconds
    this.#floor = lastEventId
    this.#lastEphemeral = Math.max(lastEventId, 0)
    this.considered = this.positionOf(lastEventId)
  }

  get acknowledged(): number {
    return this.#floor
  }

  /** The position an event id belongs to. */
  positionOf(eventId: number): number {
    return eventId < 0 ? this.start : this.start + Math.floor(eventId / IDS_PER_POSITION)
  }

  /** The highest id that an event of this queue can have by now. */
  highestId(world: World): number {
    return (world.position - this.start + 1) * IDS_PER_POSITION - 1
  }

  /** Starts from where a poll asks. @returns its turn */
  beginPoll(lastEventId: number): number {
    this.#acknowledge(lastEventId)
    this.turn += 1
    return this.turn
  }

  /** Forgets what the client has; a client that goes back gets the log read again. */
  #acknowledge(lastEventId: number): void {
    const position = this.positionOf(lastEventId)
    this.#early = this.#early.filter((event) => event.id > lastEventId)
    if (lastEventId < this.#floor) {
      this.#keep([])
      this.considered = position
      this.behind = true
    } else {
      if (this.#buffer.length > 0) this.#keep(this.#buffer.filter((event) => event.id > lastEventId))
      // Another server may have delivered what this one has not read yet.
      this.considered = Math.max(this.considered, position)
    }
    this.#floor = lastEventId
    this.#lastEphemeral = Math.max(this.#lastEphemeral, lastEventId)
  }

  /** Considers one event of the log; its audience has been checked. */
  offer(row: LogRow, world: World, encoder: Encoder): void {
    this.considered = row.position
    if (!isForClient(row.audience, this.registration)) return
    const viewer = { userId: this.userId, world, form: this.registration.form }
    const text = encoder.encode(row, viewer, this.registration, this.formKey, this.id)
    if (text === undefined) return
    const id = (row.position - this.start) * IDS_PER_POSITION
    this.#push({ id, text: `${text},"id":${id}}` })
    if (this.isFull) this.behind = true
  }

  /** Whether what comes next is read from the log, when the client has what is here. */
  get isFull(): boolean {
    if (this.#buffer.length === 0) return false
    if (this.#buffer.length >= MAX_BUFFERED_EVENTS || this.#buffered >= MAX_BUFFERED_CHARACTERS) return true
    return allBuffered >= MAX_ALL_BUFFERED_CHARACTERS
  }

  /**
   * Offers an event that is not in the log, whose audience has been checked. A queue that is behind keeps it apart, since
   * events of the log that come before it have yet to be read. A queue that holds very many events misses it: an
   * ephemeral event is over by the time the client has read so far.
   */
  hear(row: LogRow, world: World, encoder: Encoder): void {
    if (this.#buffer.length + this.#early.length >= MAX_WHISPERS_BUFFERED) return
    if (this.#buffered + charactersOf(this.#early) >= MAX_BUFFERED_CHARACTERS) return
    const viewer = { userId: this.userId, world, form: this.registration.form }
    const text = encoder.encode(row, viewer, this.registration, this.formKey, this.id)
    const id = text === undefined ? undefined : this.ephemeralId(world)
    if (id === undefined) return
    const event = { id, text: `${text},"id":${id}}` }
    if (this.behind) this.#early.push(event)
    else this.#push(event)
  }

  #push(event: Buffered): void {
    this.#buffer.push(event)
    this.#buffered += event.text.length
    allBuffered += event.text.length
  }

  #keep(events: Buffered[]): void {
    const characters = charactersOf(events)
    allBuffered += characters - this.#buffered
    this.#buffered = characters
    this.#buffer = events
  }

  /** Lets go of what is kept for a client that does not come for it: the log has it still. */
  letGo(): void {
    if (this.#buffer.length === 0 && this.#early.length === 0) return
    this.#keep([])
    this.#early = []
    this.considered = this.positionOf(this.#floor)
    this.behind = true
  }

  /** Puts the ephemeral events that came while the log was behind them where their ids belong in the buffer. */
  mergeEarly(): void {
    const isDue = ({ id }: Buffered): boolean => this.positionOf(id) <= this.considered
    const due = this.#early.filter(isDue)
    if (due.length === 0) return
    this.#early = this.#early.filter((event) => !isDue(event))
    this.#keep([...this.#buffer, ...due].toSorted((one, other) => one.id - other.id))
  }

  get events(): readonly string[] {
    return this.#buffer.map((event) => event.text)
  }

  get hasEvents(): boolean {
    return this.#buffer.length > 0
  }

  /**
   * The id of an ephemeral event that is sent now, or undefined when all ids up to the next position are used:
   * then the log must move before another can be sent.
   */
  ephemeralId(world: World): number | undefined {
    const first = (world.position - this.start) * IDS_PER_POSITION + 1
    const next = Math.max(first, this.#lastEphemeral + 1)
    if (next > this.highestId(world)) return undefined
    this.#lastEphemeral = next
    return next
  }

  /** Whether the next position is needed soon, for more ids of ephemeral events. */
  lacksIds(world: World): boolean {
    return this.highestId(world) - this.#lastEphemeral < FEW_IDS_LEFT
  }
}

function charactersOf(events: readonly Buffered[]): number {
  return events.reduce((sum, { text }) => sum + text.length, 0)
}

/** What is answered for a queue that is gone, or never was. */
export function unknownQueue(queueId: string): Refusal {
  // Clients that are older than the code know it by these words.
  return new Refusal('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${queueId}`, { queue_id: queueId })
}
