import { notLoggedInError } from '../../kernel/refusal.ts'
import type { LogRow } from '../log/row.ts'
import { openTimerWheel, TICK_INTERVAL_MILLISECONDS, type TimerWheel } from './timer-wheel.ts'
import { answerPoll } from './answers.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { EncodedEvent } from './buffer.ts'
import { keepsLogLoaded } from './idle.ts'
import { unknownQueueError, type LiveQueue, type PollAnswer, type PollLogin, type StreamAnswer } from './queue.ts'

class LiveQueues {
  readonly #queues = new Map<string, LiveQueue>()
  readonly #online = new Map<number, Set<LiveQueue>>()
  readonly #public = new Set<LiveQueue>()

  get queues(): ReadonlyMap<string, LiveQueue> {
    return this.#queues
  }

  get online(): ReadonlyMap<number, ReadonlySet<LiveQueue>> {
    return this.#online
  }

  get public(): ReadonlySet<LiveQueue> {
    return this.#public
  }

  add(queue: LiveQueue): void {
    this.#queues.set(queue.id, queue)
    const mine = this.#online.get(queue.userId)
    if (mine === undefined) this.#online.set(queue.userId, new Set([queue]))
    else mine.add(queue)
    if (queue.registration.allPublicStreams) this.#public.add(queue)
  }

  remove(queue: LiveQueue): void {
    this.#queues.delete(queue.id)
    this.#public.delete(queue)
    const mine = this.#online.get(queue.userId)
    mine?.delete(queue)
    if (mine?.size === 0) this.#online.delete(queue.userId)
  }
}

const MAX_RECENT_EVENT_AGE_SECONDS = 60
const MAX_RECENT_EVENTS = 500

/** Recent ephemeral events, for queues that this process did not yet have in memory when the events occurred. */
class RecentEphemeral {
  #events: { readonly row: LogRow; readonly receivedAt: number }[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /** `now` in UNIX seconds. */
  add(row: LogRow, now: number): void {
    this.#count += 1
    this.#events.push({ row, receivedAt: now })
    if (this.#events.length > MAX_RECENT_EVENTS) this.#events.shift()
    if ((this.#events[0]?.receivedAt ?? now) < now - MAX_RECENT_EVENT_AGE_SECONDS) {
      this.#events = this.#events.filter(({ receivedAt }) => receivedAt >= now - MAX_RECENT_EVENT_AGE_SECONDS)
    }
  }

  after(count: number): LogRow[] {
    const newer = Math.min(this.#count - count, this.#events.length)
    return this.#events.slice(this.#events.length - newer).map(({ row }) => row)
  }

  /** Returns events since a time in UNIX seconds, oldest first. */
  since(seconds: number): LogRow[] {
    return this.#events.filter(({ receivedAt }) => receivedAt >= seconds).map(({ row }) => row)
  }
}

/** Returns half the interval for polls: many proxies cut connections that are silent for 30 seconds. */
export function streamHeartbeatSeconds(heartbeatSeconds: number): number {
  return heartbeatSeconds / 2
}

export class Registry implements AdvanceableLog {
  readonly log: OrganizationLog
  readonly live = new LiveQueues()
  readonly recent = new RecentEphemeral()
  room: Promise<void> | undefined = undefined
  readonly #heartbeatSeconds: number
  readonly #heartbeats: TimerWheel<LiveQueue>

  constructor(log: OrganizationLog, heartbeatSeconds: number) {
    this.log = log
    this.#heartbeatSeconds = heartbeatSeconds
    this.#heartbeats = openTimerWheel((queue) => this.#heartbeat(queue))
  }

  get isWaitedAt(): boolean {
    for (const queue of this.live.queues.values()) if (queue.isWaitedFor) return true
    return false
  }

  get isExpectedAt(): boolean {
    for (const queue of this.live.queues.values()) if (keepsLogLoaded(queue)) return true
    return false
  }

  forget(queue: LiveQueue): void {
    this.live.remove(queue)
    queue.close()
    this.unpark(queue)?.refuse(unknownQueueError(queue.id))
  }

  /** Parks a poll, and answers an earlier parked poll. `login` is undefined for an API key. */
  park(queue: LiveQueue, poll: PollAnswer, login: PollLogin | undefined): void {
    this.unparkForNothing(queue)
    queue.parked = poll
    queue.parkedIn = login
    // Adds jitter, so that clients that reconnected after a restart do not stay in step.
    this.#fireIn(queue, this.#heartbeatSeconds * 1000 * (0.9 + 0.2 * Math.random()))
  }

  parkStream(queue: LiveQueue, stream: StreamAnswer, login: PollLogin | undefined): void {
    this.park(queue, stream, login)
    queue.stream = stream
    this.#setStreamHeartbeat(queue)
  }

  #setStreamHeartbeat(queue: LiveQueue): void {
    this.#fireIn(queue, streamHeartbeatSeconds(this.#heartbeatSeconds) * 1000 * (0.8 + 0.2 * Math.random()))
  }

  /** Sets the timer for a heartbeat, or for the token's expiry if the token expires first. */
  #fireIn(queue: LiveQueue, milliseconds: number): void {
    const endsAt = queue.parkedIn?.endsAt ?? null
    // Timers can fire one tick early.
    const left = endsAt === null ? Infinity : endsAt * 1000 - Date.now() + TICK_INTERVAL_MILLISECONDS
    this.#heartbeats.set(queue, Math.min(milliseconds, left))
  }

  refuseEnded(queue: LiveQueue): void {
    this.unpark(queue)?.refuse(notLoggedInError())
  }

  unpark(queue: LiveQueue): PollAnswer | undefined {
    const { parked } = queue
    if (parked === undefined) return undefined
    this.#heartbeats.clear(queue)
    queue.parked = undefined
    queue.stream = undefined
    queue.parkedIn = undefined
    return parked
  }

  unparkForNothing(queue: LiveQueue): void {
    const poll = this.unpark(queue)
    if (poll !== undefined) answerPoll(queue, poll, [])
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
      answerPoll(queue, poll, [heartbeatEvent(id)])
      return
    }
    provideEventIds(this).then(
      () => {
        const next = queue.ephemeralId(this.log.organization)
        // Sends events that arrived during the lookup; a heartbeat with a higher ID would acknowledge them unseen.
        if (queue.hasEvents || next === undefined) answerPoll(queue, poll, queue.events)
        else answerPoll(queue, poll, [heartbeatEvent(next)])
      },
      () => answerPoll(queue, poll, []),
    )
  }
}

function heartbeatEvent(id: number): EncodedEvent {
  return { id, text: `{"type":"heartbeat","id":${id}}` }
}

export class Registries {
  readonly #byOrganization = new Map<number, Registry>()
  readonly #heartbeatSeconds: number

  constructor(heartbeatSeconds: number) {
    this.#heartbeatSeconds = heartbeatSeconds
  }

  of(log: OrganizationLog): Registry {
    const known = this.known(log)
    if (known !== undefined) return known
    const registry = new Registry(log, this.#heartbeatSeconds)
    this.#byOrganization.set(log.organization.id, registry)
    return registry
  }

  known(log: OrganizationLog): Registry | undefined {
    return this.#byOrganization.get(log.organization.id)
  }

  letGo(log: OrganizationLog): void {
    const registry = this.known(log)
    if (registry === undefined) return
    for (const queue of registry.live.queues.values()) registry.forget(queue)
    this.#byOrganization.delete(log.organization.id)
  }

  all(): Iterable<Registry> {
    return this.#byOrganization.values()
  }

  *queues(): Generator<LiveQueue> {
    for (const { live } of this.all()) yield* live.queues.values()
  }
}

interface AdvanceableLog {
  readonly log: OrganizationLog
  room?: Promise<void> | undefined
}

/** Appends an empty event, which provides IDs for ephemeral events. */
export async function provideEventIds(organization: AdvanceableLog): Promise<void> {
  organization.room ??= organization.log
    .write(async (tx) => {
      tx.nextId()
      return Promise.resolve()
    })
    .finally(() => (organization.room = undefined))
  return organization.room
}
