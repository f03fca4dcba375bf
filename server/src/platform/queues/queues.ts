import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { FOLD_ONLY, type LogRow } from '../log/row.ts'
import { openAlarms, type Alarms } from './alarms.ts'
import { answer, openAnswers } from './answers.ts'
import type { Hydrate } from './attach.ts'
import { audienceTest, candidates, type Membership } from './audience.ts'
import { bufferedEvents } from './buffer.ts'
import { catchUp } from './catch-up.ts'
import type { Encoder } from './encoding.ts'
import { Holdings } from './holdings.ts'
import { LiveQueue, unknownQueue, type PollAnswer, type QueueLimits } from './queue.ts'
import { RecentEphemeral } from './recent.ts'
import { makeRoom, type Roomy } from './room.ts'
import { deleteIdle, deleteQueue, deleteUnused, findQueue, noteUse, queueWriter } from './store.ts'

export interface Queues {
  /**
   * Stores a registration whose client begins with what `snapshot` reads, and gets everything after its position.
   * @param lifespanSeconds how long the queue stays without use; where that is less than usual, as long as usual
   */
  register<Snapshot extends { readonly position: number }>(
    log: OrganizationLog,
    userId: number,
    registration: Registration,
    lifespanSeconds: number,
    snapshot: () => Promise<Snapshot>,
  ): Promise<{ queueId: string; taken: Snapshot }>
  /** Parks or answers a poll: at once, unless something has to be read for it. */
  poll(log: OrganizationLog, userId: number, request: PollRequest, poll: PollAnswer): Promise<void> | void
  remove(log: OrganizationLog, userId: number, queueId: string): Promise<void>
  deliver(log: OrganizationLog, row: LogRow): void
  /** Delivers an event that is not in the log to the queues that there are now. */
  deliverEphemeral(log: OrganizationLog, row: LogRow): void
  /** Collects idle queues and notes which are in use. */
  sweep(): Promise<void>
  /** Answers every parked poll with nothing, so that clients ask again, another server or this one restarted. */
  close(): void
  /** For measurement: how many queues this process holds, and what of their events is in memory. */
  count(): { live: number; parked: number; bufferedEvents: number }
}

export interface PollRequest {
  readonly queueId: string
  readonly lastEventId: number | undefined
  readonly block: boolean
}

interface Registry extends Roomy {
  readonly held: Holdings
  /** Of queues at which a poll is parked. */
  readonly heartbeats: Alarms<LiveQueue>
  readonly recent: RecentEphemeral
}

/** A queue that was not asked for this long keeps no events in memory. */
const KEPT_SECONDS = 60

export function openQueues(
  db: Kysely<Tables>,
  reads: Db,
  encoder: Encoder,
  membership: Membership,
  hydrate: Hydrate,
  limits: QueueLimits,
): Queues {
  const registries = new Map<number, Registry>()
  const startedAt = seconds()
  const writeQueue = queueWriter(db)
  const answers = openAnswers()

  const registryOf = (log: OrganizationLog): Registry => {
    const id = log.organization.id
    const known = registries.get(id)
    if (known !== undefined) return known
    const registry: Registry = {
      log,
      held: new Holdings(),
      heartbeats: openAlarms((queue) => heartbeat(registry, queue)),
      recent: new RecentEphemeral(),
    }
    registries.set(id, registry)
    return registry
  }

  const forget = (registry: Registry, queue: LiveQueue): void => {
    registry.held.remove(queue)
    queue.letGo()
    unpark(registry, queue)?.refuse(unknownQueue(queue.id))
  }

  const idleSecondsOf = ({ lifespanSeconds }: { lifespanSeconds: number }): number =>
    Math.max(lifespanSeconds, limits.idleSeconds)

  const isWaitedFor = ({ parked }: LiveQueue): boolean => parked !== undefined && !parked.isGone

  const isInUse = (queue: LiveQueue): boolean =>
    isWaitedFor(queue) || seconds() - queue.lastUsedAt <= idleSecondsOf(queue)

  const matches = (queue: LiveQueue, row: LogRow, registry: Registry): boolean => {
    const { organization } = registry.log
    if (audienceTest(row.audience, organization, row.position, membership)(queue.userId)) return true
    return queue.registration.allPublicStreams && isPublic(queue, row, registry)
  }

  const isPublic = (queue: LiveQueue, row: LogRow, { log: { organization } }: Registry): boolean =>
    encoder.isPublic(row, { userId: queue.userId, organization, form: queue.registration.form })

  const offer = (registry: Registry, queue: LiveQueue, row: LogRow): void => {
    queue.offer(row, registry.log.organization, encoder)
    answerIfAny(registry, queue)
  }

  const answerIfAny = (registry: Registry, queue: LiveQueue): void => {
    if (!queue.hasEvents) return
    const poll = unpark(registry, queue)
    if (poll !== undefined) answers.add(queue, poll)
  }

  const fill = async (registry: Registry, queue: LiveQueue): Promise<void> =>
    catchUp(queue, registry.log.organization, reads, encoder, hydrate, (row) => matches(queue, row, registry))

  /** A queue that this process holds. */
  const liveQueue = (registry: Registry, userId: number, queueId: string): LiveQueue | undefined => {
    const live = registry.held.queues.get(queueId)
    if (live === undefined) return undefined
    if (live.userId !== userId) throw unknownQueue(queueId)
    if (isInUse(live)) return live
    // Another server may have used it since; its row tells.
    forget(registry, live)
    return undefined
  }

  const readQueue = async (
    registry: Registry,
    userId: number,
    queueId: string,
    lastEventId: number | undefined,
  ): Promise<LiveQueue> => {
    const { id: organizationId } = registry.log.organization
    const row = await findQueue(reads, organizationId, userId, queueId)
    if (row === undefined) throw unknownQueue(queueId)
    // While the server was down nobody could use the queue, so its idle time starts with the server.
    const lastUsedAt = Math.max(row.lastUsedAt, startedAt)
    if (seconds() - lastUsedAt > idleSecondsOf(row)) {
      await deleteIdle(db, organizationId, [queueId], seconds(), limits.idleSeconds)
      throw unknownQueue(queueId)
    }
    const raced = registry.held.queues.get(queueId)
    if (raced !== undefined) return raced
    const queue = new LiveQueue({ ...row, lastUsedAt }, lastEventId ?? -1)
    // Where the client has had nothing yet, the queue was used last when it was registered, at another server.
    hold(registry, queue, queue.acknowledged < 0 ? registry.recent.since(row.lastUsedAt) : [])
    return queue
  }

  /** Begins to deliver to a queue, and catches up on the ephemeral events that came before. */
  const hold = (registry: Registry, queue: LiveQueue, missed: readonly LogRow[]): void => {
    registry.held.add(queue)
    for (const row of missed) {
      if (matches(queue, row, registry)) queue.deliverEphemeral(row, registry.log.organization, encoder)
    }
  }

  const collect = async (registry: Registry, queue: LiveQueue): Promise<void> => {
    forget(registry, queue)
    await deleteQueue(db, registry.log.organization.id, queue.id)
  }

  const park = (registry: Registry, queue: LiveQueue, poll: PollAnswer): void => {
    unparkForNothing(registry, queue)
    // A little apart, so that a restart's reconnecting clients do not come back in step for ever.
    const milliseconds = limits.heartbeatSeconds * 1000 * (0.9 + 0.2 * Math.random())
    registry.heartbeats.set(queue, milliseconds)
    queue.parked = poll
  }

  const take = (registry: Registry, queue: LiveQueue, request: PollRequest, poll: PollAnswer): Promise<void> | void => {
    const { organization, follower } = registry.log
    queue.lastUsedAt = seconds()
    const lastEventId = request.lastEventId ?? queue.acknowledged
    // This process may not have applied yet what another one delivered, or registered the queue with.
    return lastEventId > queue.highestId(organization) || organization.position < queue.start
      ? follower.catchUp().then(() => begin(registry, queue, lastEventId, request, poll))
      : begin(registry, queue, lastEventId, request, poll)
  }

  const begin = (
    registry: Registry,
    queue: LiveQueue,
    lastEventId: number,
    request: PollRequest,
    poll: PollAnswer,
  ): Promise<void> | void => {
    if (lastEventId < -1) throw new Refusal('BAD_REQUEST', `Event ${lastEventId} was never sent to this queue.`)
    if (lastEventId > queue.highestId(registry.log.organization)) {
      // The client has what this log does not: the database was restored. The queue would skip events later.
      return collect(registry, queue).then(() => {
        throw unknownQueue(queue.id)
      })
    }
    // One poll at a time: the earlier one is of a client that no longer waits for it.
    unparkForNothing(registry, queue)
    const turn = queue.beginPoll(lastEventId)
    return queue.behind && !queue.hasEvents
      ? fill(registry, queue).then(() => settle(registry, queue, turn, request, poll))
      : settle(registry, queue, turn, request, poll)
  }

  const settle = (registry: Registry, queue: LiveQueue, turn: number, request: PollRequest, poll: PollAnswer): void => {
    if (registry.held.queues.get(queue.id) !== queue) {
      // What was read for it meanwhile is for nothing.
      queue.letGo()
      throw unknownQueue(queue.id)
    }
    // Another poll came meanwhile, perhaps from further on: then what the queue holds is no answer to this one.
    if (queue.turn !== turn) answer(queue, poll, [])
    else if (queue.hasEvents) answers.add(queue, poll)
    else if (!request.block) answer(queue, poll, [])
    else park(registry, queue, poll)
  }

  /** Takes the poll that waits at a queue away from there, where one does. */
  const unpark = ({ heartbeats }: Registry, queue: LiveQueue): PollAnswer | undefined => {
    const { parked } = queue
    if (parked === undefined) return undefined
    heartbeats.clear(queue)
    queue.parked = undefined
    return parked
  }

  const unparkForNothing = (registry: Registry, queue: LiveQueue): void => {
    const poll = unpark(registry, queue)
    if (poll !== undefined) answer(queue, poll, [])
  }

  const heartbeat = (registry: Registry, queue: LiveQueue): void => {
    const poll = unpark(registry, queue)
    if (poll === undefined) return
    const id = queue.ephemeralId(registry.log.organization)
    if (id !== undefined) {
      answer(queue, poll, [`{"type":"heartbeat","id":${id}}`])
      return
    }
    makeRoom(registry).then(
      () => {
        const next = queue.ephemeralId(registry.log.organization)
        // What arrived meanwhile is the answer: a heartbeat above it would acknowledge it unseen.
        if (queue.hasEvents || next === undefined) answer(queue, poll, queue.events)
        else answer(queue, poll, [`{"type":"heartbeat","id":${next}}`])
      },
      () => answer(queue, poll, []),
    )
  }

  return {
    async register(log, userId, registration, lifespanSeconds, snapshot) {
      const registry = registryOf(log)
      // Ephemeral events that come from here on may be too late for the snapshot.
      const heard = registry.recent.count
      const lastUsedAt = seconds()
      const taken = await snapshot()
      const stored = { id: randomUUID(), userId, registration, start: taken.position, lastUsedAt, lifespanSeconds }
      const waitedFor = [...(registry.held.online.get(userId) ?? [])].filter(isWaitedFor).map(({ id }) => id)
      const ended = await writeQueue(log.organization.id, stored, waitedFor)
      const queue = new LiveQueue(stored, -1)
      // Most often nothing has happened since, and the log need not be read.
      if (log.organization.position === queue.start) queue.behind = false
      hold(registry, queue, registry.recent.after(heard))
      for (const known of ended.map((id) => registry.held.queues.get(id))) {
        if (known !== undefined) forget(registry, known)
      }
      return { queueId: queue.id, taken }
    },

    poll(log, userId, request, poll) {
      const registry = registryOf(log)
      const queue = liveQueue(registry, userId, request.queueId)
      return queue === undefined
        ? readQueue(registry, userId, request.queueId, request.lastEventId).then((read) =>
            take(registry, read, request, poll),
          )
        : take(registry, queue, request, poll)
    },

    async remove(log, userId, queueId) {
      const registry = registryOf(log)
      const live = liveQueue(registry, userId, queueId)
      await collect(registry, live ?? (await readQueue(registry, userId, queueId, undefined)))
    },

    deliver(log, row) {
      const registry = registries.get(log.organization.id)
      if (registry === undefined) return
      if (row.changes !== null) refuseRenewed(registry, membership.keysRenewedBy(row.changes))
      if (row.type === FOLD_ONLY) return
      const { organization } = log
      const isReceiver = audienceTest(row.audience, organization, row.position, membership)
      for (const [userId, mine] of candidates(row.audience, registry.held.online, organization, membership)) {
        if (!isReceiver(userId)) continue
        for (const queue of mine) if (!queue.behind) offer(registry, queue, row)
      }
      for (const queue of registry.held.public) {
        if (queue.behind || isReceiver(queue.userId)) continue
        if (isPublic(queue, row, registry)) offer(registry, queue, row)
      }
      // Only what moved the projections can have ended somebody's membership.
      if (row.changes !== null) endQueuesOfLeavers(registry, membership)
    },

    deliverEphemeral(log, row) {
      const registry = registryOf(log)
      registry.recent.add(row, seconds())
      const { organization } = log
      let lacksIds = false
      const isReceiver = audienceTest(row.audience, organization, row.position, membership)
      for (const [userId, mine] of candidates(row.audience, registry.held.online, organization, membership)) {
        if (!isReceiver(userId)) continue
        for (const queue of mine) {
          queue.deliverEphemeral(row, organization, encoder)
          lacksIds ||= queue.lacksIds(organization)
          answerIfAny(registry, queue)
        }
      }
      // Should it fail, the next one tries again.
      if (lacksIds) makeRoom(registry).catch(() => undefined)
    },

    async sweep() {
      const now = seconds()
      for (const registry of registries.values()) {
        const idle: LiveQueue[] = []
        const used: LiveQueue[] = []
        for (const queue of registry.held.queues.values()) (isInUse(queue) ? used : idle).push(queue)
        for (const queue of idle) forget(registry, queue)
        for (const queue of used) if (!isWaitedFor(queue) && now - queue.lastUsedAt > KEPT_SECONDS) queue.letGo()
        const { id: organizationId } = registry.log.organization
        const ids = idle.map((queue) => queue.id)
        await deleteIdle(db, organizationId, ids, now, limits.idleSeconds)
        const uses = new Map(used.map((queue) => [queue.id, isWaitedFor(queue) ? now : queue.lastUsedAt]))
        const existing = await noteUse(db, organizationId, uses)
        // Deleted through another server.
        for (const queue of used) if (!existing.has(queue.id)) forget(registry, queue)
      }
      if (now - startedAt > 2 * limits.idleSeconds) await deleteUnused(db, now, limits.idleSeconds)
    },

    close() {
      const held = [...registries.values()].flatMap((registry) =>
        [...registry.held.queues.values()].map((queue) => ({ registry, queue })),
      )
      for (const { registry, queue } of held) unparkForNothing(registry, queue)
      answers.finish()
      for (const { queue } of held) queue.letGo()
    },

    count() {
      const live = [...registries.values()].flatMap(({ held }) => [...held.queues.values()])
      return { live: live.length, parked: live.filter(isWaitedFor).length, bufferedEvents: bufferedEvents() }
    },
  }

  /** What was asked with an API key that stopped working is not answered any more. */
  function refuseRenewed(registry: Registry, renewed: ReturnType<Membership['keysRenewedBy']>): void {
    for (const { userId, endsQueues } of renewed) {
      for (const queue of registry.held.online.get(userId) ?? []) {
        unpark(registry, queue)?.refuse(new Refusal('INVALID_API_KEY', 'Invalid API key'))
        if (endsQueues === true) forget(registry, queue)
      }
    }
  }

  /** A deactivated user's queues end at once, the parked poll with the error of a queue that is gone. */
  function endQueuesOfLeavers(registry: Registry, people: Membership): void {
    for (const [userId, mine] of registry.held.online) {
      if (people.roleOf(registry.log.organization, userId) !== undefined) continue
      for (const queue of mine) forget(registry, queue)
    }
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
