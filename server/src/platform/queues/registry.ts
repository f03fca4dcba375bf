import { notLoggedIn } from '../../kernel/refusal.ts'
import { openAlarms, TICK_MILLISECONDS, type Alarms } from './alarms.ts'
import { answer } from './answers.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { EncodedEvent } from './buffer.ts'
import { Holdings } from './holdings.ts'
import { isKeptFor } from './idle.ts'
import { unknownQueue, type LiveQueue, type PollAnswer, type PollLogin, type StreamAnswer } from './queue.ts'
import { RecentEphemeral } from './recent.ts'
import { makeRoom, type Roomy } from './room.ts'

/** How often a stream hears of the server: twice as often as a poll does, since many proxies cut what is silent for half a minute. */
export function streamHeartbeatSeconds(heartbeatSeconds: number): number {
  return heartbeatSeconds / 2
}

/** What this process holds of one organization's queues: the queues, the polls that wait at them, recent ephemeral events. */
export class Registry implements Roomy {
  readonly log: OrganizationLog
  readonly held = new Holdings()
  readonly recent = new RecentEphemeral()
  room: Promise<void> | undefined = undefined
  readonly #heartbeatSeconds: number
  /** Of queues at which a poll is parked. */
  readonly #heartbeats: Alarms<LiveQueue>

  constructor(log: OrganizationLog, heartbeatSeconds: number) {
    this.log = log
    this.#heartbeatSeconds = heartbeatSeconds
    this.#heartbeats = openAlarms((queue) => this.#heartbeat(queue))
  }

  /** Whether a client waits at any of the queues. */
  get isWaitedAt(): boolean {
    for (const queue of this.held.queues.values()) if (queue.isWaitedFor) return true
    return false
  }

  /** Whether a client has asked for any of the queues so lately that events are kept for it. */
  get isExpectedAt(): boolean {
    for (const queue of this.held.queues.values()) if (isKeptFor(queue)) return true
    return false
  }

  /** Ends a queue in this process, the parked poll with the error of a queue that is gone. */
  forget(queue: LiveQueue): void {
    this.held.remove(queue)
    queue.letGo()
    this.unpark(queue)?.refuse(unknownQueue(queue.id))
  }

  /**
   * Lets a poll wait for an event or the heartbeat. A poll that waits already is answered.
   * @param login the session or the API token with which it was sent; undefined where it was with an API key
   */
  park(queue: LiveQueue, poll: PollAnswer, login: PollLogin | undefined): void {
    this.unparkForNothing(queue)
    queue.parked = poll
    queue.parkedIn = login
    // A little apart, so that a restart's reconnecting clients do not come back in step for ever.
    this.#ringIn(queue, this.#heartbeatSeconds * 1000 * (0.9 + 0.2 * Math.random()))
  }

  /** Lets a stream wait for whatever comes, as a poll that stays. */
  parkStream(queue: LiveQueue, stream: StreamAnswer, login: PollLogin | undefined): void {
    this.park(queue, stream, login)
    queue.stream = stream
    this.#setStreamHeartbeat(queue)
  }

  #setStreamHeartbeat(queue: LiveQueue): void {
    // A little apart, so that those that began together are not all written to at once.
    this.#ringIn(queue, streamHeartbeatSeconds(this.#heartbeatSeconds) * 1000 * (0.8 + 0.2 * Math.random()))
  }

  /** Sets the heartbeat, or the end of the token with which the poll was sent where that comes before. */
  #ringIn(queue: LiveQueue, milliseconds: number): void {
    const endsAt = queue.parkedIn?.endsAt ?? null
    // An alarm may ring a tick too early.
    const left = endsAt === null ? Infinity : endsAt * 1000 - Date.now() + TICK_MILLISECONDS
    this.#heartbeats.set(queue, Math.min(milliseconds, left))
  }

  /** Ends a poll that was sent in a session or with an API token that has ended. */
  refuseEnded(queue: LiveQueue): void {
    this.unpark(queue)?.refuse(notLoggedIn())
  }

  /** Takes the poll that waits at a queue away from there, where one does. */
  unpark(queue: LiveQueue): PollAnswer | undefined {
    const { parked } = queue
    if (parked === undefined) return undefined
    this.#heartbeats.clear(queue)
    queue.parked = undefined
    queue.stream = undefined
    queue.parkedIn = undefined
    return parked
  }

  /** Answers the poll that waits at a queue without events, where one does. */
  unparkForNothing(queue: LiveQueue): void {
    const poll = this.unpark(queue)
    if (poll !== undefined) answer(queue, poll, [])
  }

  #heartbeat(queue: LiveQueue): void {
    if ((queue.parkedIn?.endsAt ?? Infinity) * 1000 <= Date.now()) {
      this.refuseEnded(queue)
      return
    }
    if (queue.stream !== undefined) {
      this.#setStreamHeartbeat(queue)
      queue.stream.heartbeat()
      return
    }
    const poll = this.unpark(queue)
    if (poll === undefined) return
    const id = queue.ephemeralId(this.log.organization)
    if (id !== undefined) {
      answer(queue, poll, [heartbeatEvent(id)])
      return
    }
    makeRoom(this).then(
      () => {
        const next = queue.ephemeralId(this.log.organization)
        // What arrived meanwhile is the answer: a heartbeat above it would acknowledge it unseen.
        if (queue.hasEvents || next === undefined) answer(queue, poll, queue.events)
        else answer(queue, poll, [heartbeatEvent(next)])
      },
      () => answer(queue, poll, []),
    )
  }
}

function heartbeatEvent(id: number): EncodedEvent {
  return { id, text: `{"type":"heartbeat","id":${id}}` }
}

/** The registries of the organizations whose queues this process was asked about. */
export class Registries {
  readonly #byOrganization = new Map<number, Registry>()
  readonly #heartbeatSeconds: number

  constructor(heartbeatSeconds: number) {
    this.#heartbeatSeconds = heartbeatSeconds
  }

  /** The registry of an organization, which is made where there is none yet. */
  of(log: OrganizationLog): Registry {
    const known = this.known(log)
    if (known !== undefined) return known
    const registry = new Registry(log, this.#heartbeatSeconds)
    this.#byOrganization.set(log.organization.id, registry)
    return registry
  }

  /** The registry of an organization; undefined where none of its queues was asked for yet. */
  known(log: OrganizationLog): Registry | undefined {
    return this.#byOrganization.get(log.organization.id)
  }

  /** Ends the queues of an organization in this process, and forgets that it was there. */
  letGo(log: OrganizationLog): void {
    const registry = this.known(log)
    if (registry === undefined) return
    for (const queue of registry.held.queues.values()) registry.forget(queue)
    this.#byOrganization.delete(log.organization.id)
  }

  all(): Iterable<Registry> {
    return this.#byOrganization.values()
  }

  /** All queues that this process holds. */
  *queues(): Generator<LiveQueue> {
    for (const { held } of this.all()) yield* held.queues.values()
  }
}
