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
import { RecentWhispers } from './recent.ts'
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
  hear(log: OrganizationLog, row: LogRow): void
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

interface Organization extends Roomy {
  readonly held: Holdings
  /** Of queues at which a poll is parked. */
  readonly heartbeats: Alarms<LiveQueue>
  readonly recent: RecentWhispers
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
  const organizations = new Map<number, Organization>()
  const startedAt = seconds()
  const writeQueue = queueWriter(db)
  const answers = openAnswers()

  const organizationOf = (log: OrganizationLog): Organization => {
    const id = log.world.organizationId
    const known = organizations.get(id)
    if (known !== undefined) return known
    const organization: Organization = {
      log,
      held: new Holdings(),
      heartbeats: openAlarms((queue) => heartbeat(organization, queue)),
      recent: new RecentWhispers(),
    }
    organizations.set(id, organization)
    return organization
  }

  const forget = (organization: Organization, queue: LiveQueue): void => {
    organization.held.remove(queue)
    queue.letGo()
    unpark(organization, queue)?.refuse(unknownQueue(queue.id))
  }

  const idleSecondsOf = ({ lifespanSeconds }: { lifespanSeconds: number }): number =>
    Math.max(lifespanSeconds, limits.idleSeconds)

  const isWaitedFor = ({ parked }: LiveQueue): boolean => parked !== undefined && !parked.isGone

  const isInUse = (queue: LiveQueue): boolean =>
    isWaitedFor(queue) || seconds() - queue.lastUsedAt <= idleSecondsOf(queue)

  const matches = (queue: LiveQueue, row: LogRow, organization: Organization): boolean => {
    const { world } = organization.log
    if (audienceTest(row.audience, world, row.position, membership)(queue.userId)) return true
    return queue.registration.allPublicStreams && isPublic(queue, row, organization)
  }

  const isPublic = (queue: LiveQueue, row: LogRow, { log: { world } }: Organization): boolean =>
    encoder.isPublic(row, { userId: queue.userId, world, form: queue.registration.form })

  const offer = (organization: Organization, queue: LiveQueue, row: LogRow): void => {
    queue.offer(row, organization.log.world, encoder)
    answerIfAny(organization, queue)
  }

  const answerIfAny = (organization: Organization, queue: LiveQueue): void => {
    if (!queue.hasEvents) return
    const poll = unpark(organization, queue)
    if (poll !== undefined) answers.add(queue, poll)
  }

  const fill = async (organization: Organization, queue: LiveQueue): Promise<void> =>
    catchUp(queue, organization.log.world, reads, encoder, hydrate, (row) => matches(queue, row, organization))

  /** A queue that this process holds. */
  const liveQueue = (organization: Organization, userId: number, queueId: string): LiveQueue | undefined => {
    const live = organization.held.queues.get(queueId)
    if (live === undefined) return undefined
    if (live.userId !== userId) throw unknownQueue(queueId)
    if (isInUse(live)) return live
    // Another server may have used it since; its row tells.
    forget(organization, live)
    return undefined
  }

  const readQueue = async (
    organization: Organization,
    userId: number,
    queueId: string,
    lastEventId: number | undefined,
  ): Promise<LiveQueue> => {
    const { organizationId } = organization.log.world
    const row = await findQueue(reads, organizationId, userId, queueId)
    if (row === undefined) throw unknownQueue(queueId)
    // While the server was down nobody could use the queue, so its idle time starts with the server.
    const lastUsedAt = Math.max(row.lastUsedAt, startedAt)
    if (seconds() - lastUsedAt > idleSecondsOf(row)) {
      await deleteIdle(db, organizationId, [queueId], seconds(), limits.idleSeconds)
      throw unknownQueue(queueId)
    }
    const raced = organization.held.queues.get(queueId)
    if (raced !== undefined) return raced
    const queue = new LiveQueue({ ...row, lastUsedAt }, lastEventId ?? -1)
    // Where the client has had nothing yet, the queue was used last when it was registered, at another server.
    hold(organization, queue, queue.acknowledged < 0 ? organization.recent.since(row.lastUsedAt) : [])
    return queue
  }

  /** Begins to deliver to a queue, and catches up on the ephemeral events that came before. */
  const hold = (organization: Organization, queue: LiveQueue, missed: readonly LogRow[]): void => {
    organization.held.add(queue)
    for (const row of missed) {
      if (matches(queue, row, organization)) queue.hear(row, organization.log.world, encoder)
    }
  }

  const collect = async (organization: Organization, queue: LiveQueue): Promise<void> => {
    forget(organization, queue)
    await deleteQueue(db, organization.log.world.organizationId, queue.id)
  }

  const park = (organization: Organization, queue: LiveQueue, poll: PollAnswer): void => {
    unparkForNothing(organization, queue)
    // A little apart, so that a restart's reconnecting clients do not come back in step for ever.
    const milliseconds = limits.heartbeatSeconds * 1000 * (0.9 + 0.2 * Math.random())
    organization.heartbeats.set(queue, milliseconds)
    queue.parked = poll
  }

  const take = (
    organization: Organization,
    queue: LiveQueue,
    request: PollRequest,
    poll: PollAnswer,
  ): Promise<void> | void => {
    const { world, follower } = organization.log
    queue.lastUsedAt = seconds()
    const lastEventId = request.lastEventId ?? queue.acknowledged
    // This process may not have folded yet what another one delivered, or registered the queue with.
    return lastEventId > queue.highestId(world) || world.position < queue.start
      ? follower.catchUp().then(() => begin(organization, queue, lastEventId, request, poll))
      : begin(organization, queue, lastEventId, request, poll)
  }

  const begin = (
    organization: Organization,
    queue: LiveQueue,
    lastEventId: number,
    request: PollRequest,
    poll: PollAnswer,
  ): Promise<void> | void => {
    if (lastEventId < -1) throw new Refusal('BAD_REQUEST', `Event ${lastEventId} was never sent to this queue.`)
    if (lastEventId > queue.highestId(organization.log.world)) {
      // The client has what this log does not: the database was restored. The queue would skip events later.
      return collect(organization, queue).then(() => {
        throw unknownQueue(queue.id)
      })
    }
    // One poll at a time: the earlier one is of a client that no longer waits for it.
    unparkForNothing(organization, queue)
    const turn = queue.beginPoll(lastEventId)
    return queue.behind && !queue.hasEvents
      ? fill(organization, queue).then(() => settle(organization, queue, turn, request, poll))
      : settle(organization, queue, turn, request, poll)
  }

  const settle = (
    organization: Organization,
    queue: LiveQueue,
    turn: number,
    request: PollRequest,
    poll: PollAnswer,
  ): void => {
    if (organization.held.queues.get(queue.id) !== queue) {
      // What was read for it meanwhile is for nothing.
      queue.letGo()
      throw unknownQueue(queue.id)
    }
    // Another poll came meanwhile, perhaps from further on: then what the queue holds is no answer to this one.
    if (queue.turn !== turn) answer(queue, poll, [])
    else if (queue.hasEvents) answers.add(queue, poll)
    else if (!request.block) answer(queue, poll, [])
    else park(organization, queue, poll)
  }

  /** Takes the poll that waits at a queue away from there, where one does. */
  const unpark = ({ heartbeats }: Organization, queue: LiveQueue): PollAnswer | undefined => {
    const { parked } = queue
    if (parked === undefined) return undefined
    heartbeats.clear(queue)
    queue.parked = undefined
    return parked
  }

  const unparkForNothing = (organization: Organization, queue: LiveQueue): void => {
    const poll = unpark(organization, queue)
    if (poll !== undefined) answer(queue, poll, [])
  }

  const heartbeat = (organization: Organization, queue: LiveQueue): void => {
    const poll = unpark(organization, queue)
    if (poll === undefined) return
    const id = queue.ephemeralId(organization.log.world)
    if (id !== undefined) {
      answer(queue, poll, [`{"type":"heartbeat","id":${id}}`])
      return
    }
    makeRoom(organization).then(
      () => {
        const next = queue.ephemeralId(organization.log.world)
        // What arrived meanwhile is the answer: a heartbeat above it would acknowledge it unseen.
        if (queue.hasEvents || next === undefined) answer(queue, poll, queue.events)
        else answer(queue, poll, [`{"type":"heartbeat","id":${next}}`])
      },
      () => answer(queue, poll, []),
    )
  }

  return {
    async register(log, userId, registration, lifespanSeconds, snapshot) {
      const organization = organizationOf(log)
      // Ephemeral events that come from here on may be too late for the snapshot.
      const heard = organization.recent.count
      const lastUsedAt = seconds()
      const taken = await snapshot()
      const stored = { id: randomUUID(), userId, registration, start: taken.position, lastUsedAt, lifespanSeconds }
      const waitedFor = [...(organization.held.online.get(userId) ?? [])].filter(isWaitedFor).map(({ id }) => id)
      const ended = await writeQueue(log.world.organizationId, stored, waitedFor)
      const queue = new LiveQueue(stored, -1)
      // Most often nothing has happened since, and the log need not be read.
      if (log.world.position === queue.start) queue.behind = false
      hold(organization, queue, organization.recent.after(heard))
      for (const known of ended.map((id) => organization.held.queues.get(id))) {
        if (known !== undefined) forget(organization, known)
      }
      return { queueId: queue.id, taken }
    },

    poll(log, userId, request, poll) {
      const organization = organizationOf(log)
      const queue = liveQueue(organization, userId, request.queueId)
      return queue === undefined
        ? readQueue(organization, userId, request.queueId, request.lastEventId).then((read) =>
            take(organization, read, request, poll),
          )
        : take(organization, queue, request, poll)
    },

    async remove(log, userId, queueId) {
      const organization = organizationOf(log)
      const live = liveQueue(organization, userId, queueId)
      await collect(organization, live ?? (await readQueue(organization, userId, queueId, undefined)))
    },

    deliver(log, row) {
      const organization = organizations.get(log.world.organizationId)
      if (organization === undefined) return
      if (row.changes !== null) refuseRenewed(organization, membership.keysRenewedBy(row.changes))
      if (row.type === FOLD_ONLY) return
      const { world } = log
      const isReceiver = audienceTest(row.audience, world, row.position, membership)
      for (const [userId, mine] of candidates(row.audience, organization.held.online, world, membership)) {
        if (!isReceiver(userId)) continue
        for (const queue of mine) if (!queue.behind) offer(organization, queue, row)
      }
      for (const queue of organization.held.public) {
        if (queue.behind || isReceiver(queue.userId)) continue
        if (isPublic(queue, row, organization)) offer(organization, queue, row)
      }
      // Only what moved the folds can have ended somebody's membership.
      if (row.changes !== null) endQueuesOfLeavers(organization, membership)
    },

    hear(log, row) {
      const organization = organizationOf(log)
      organization.recent.add(row, seconds())
      const { world } = log
      let lacksIds = false
      const isReceiver = audienceTest(row.audience, world, row.position, membership)
      for (const [userId, mine] of candidates(row.audience, organization.held.online, world, membership)) {
        if (!isReceiver(userId)) continue
        for (const queue of mine) {
          queue.hear(row, world, encoder)
          lacksIds ||= queue.lacksIds(world)
          answerIfAny(organization, queue)
        }
      }
      // Should it fail, the next one tries again.
      if (lacksIds) makeRoom(organization).catch(() => undefined)
    },

    async sweep() {
      const now = seconds()
      for (const organization of organizations.values()) {
        const idle: LiveQueue[] = []
        const used: LiveQueue[] = []
        for (const queue of organization.held.queues.values()) (isInUse(queue) ? used : idle).push(queue)
        for (const queue of idle) forget(organization, queue)
        for (const queue of used) if (!isWaitedFor(queue) && now - queue.lastUsedAt > KEPT_SECONDS) queue.letGo()
        const { organizationId } = organization.log.world
        const ids = idle.map((queue) => queue.id)
        await deleteIdle(db, organizationId, ids, now, limits.idleSeconds)
        const uses = new Map(used.map((queue) => [queue.id, isWaitedFor(queue) ? now : queue.lastUsedAt]))
        const existing = await noteUse(db, organizationId, uses)
        // Deleted through another server.
        for (const queue of used) if (!existing.has(queue.id)) forget(organization, queue)
      }
      if (now - startedAt > 2 * limits.idleSeconds) await deleteUnused(db, now, limits.idleSeconds)
    },

    close() {
      const held = [...organizations.values()].flatMap((organization) =>
        [...organization.held.queues.values()].map((queue) => ({ organization, queue })),
      )
      for (const { organization, queue } of held) unparkForNothing(organization, queue)
      answers.finish()
      for (const { queue } of held) queue.letGo()
    },

    count() {
      const live = [...organizations.values()].flatMap(({ held }) => [...held.queues.values()])
      return { live: live.length, parked: live.filter(isWaitedFor).length, bufferedEvents: bufferedEvents() }
    },
  }

  /** What was asked with an API key that stopped working is not answered any more. */
  function refuseRenewed(organization: Organization, renewed: ReturnType<Membership['keysRenewedBy']>): void {
    for (const { userId, endsQueues } of renewed) {
      for (const queue of organization.held.online.get(userId) ?? []) {
        unpark(organization, queue)?.refuse(new Refusal('INVALID_API_KEY', 'Invalid API key'))
        if (endsQueues === true) forget(organization, queue)
      }
    }
  }

  /** A deactivated user's queues end at once, the parked poll with the error of a queue that is gone. */
  function endQueuesOfLeavers(organization: Organization, people: Membership): void {
    for (const [userId, mine] of organization.held.online) {
      if (people.roleOf(organization.log.world, userId) !== undefined) continue
      for (const queue of mine) forget(organization, queue)
    }
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
