import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch } from '../../kernel/steady-time.ts'
import type { Bus, NodeMessage, ConfirmationRequest } from '../bus/bus.ts'
import type { Database } from '../db/database.ts'
import type { HeldLock } from '../db/pipelined.ts'
import { countConfirmation } from '../metrics/counts.ts'

/*
 * Each node holds an advisory lock on the connection that polls for commits. A request that revokes permissions is
 * answered only after every node has confirmed. A node that does not confirm is frozen or disconnected; its state is
 * then too old to answer requests (`isCurrent`).
 */

const ANSWER_TIMEOUT_MILLISECONDS = 2_000
/** How long a poll keeps the state current: less than the timeout of other nodes, more than the next poll takes. */
const CURRENT_AFTER_POLL_MILLISECONDS = ANSWER_TIMEOUT_MILLISECONDS - 100

const ADVISORY_LOCK_CLASS = 1_346_720_345

/** `validMilliseconds` counts from the node's last statement, such as a poll; if there is none, it is the maximum. */
const PEERS_SQL = `
  select l.objid::bigint as node, coalesce(max(
    ${ANSWER_TIMEOUT_MILLISECONDS} - extract(epoch from clock_timestamp() - a.query_start) * 1000),
    ${ANSWER_TIMEOUT_MILLISECONDS})::float8 as "validMilliseconds"
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = ${ADVISORY_LOCK_CLASS}
    and l.database = (select oid from pg_database where datname = current_database())
  group by l.objid`

export interface PeerNodesOptions {
  readonly database: Pick<Database, 'reads' | 'hold'>
  readonly bus: Bus
  readonly shared: boolean
  /** Resolves when an open log is applied up to a position. */
  readonly reach: (organizationId: number, position: number) => Promise<void>
  readonly onLate: (organizationId: number, late: number | undefined) => void
}

interface PeerNode {
  readonly node: number
  /** Time for which the node can still answer from its state. */
  readonly validMilliseconds: number
}

interface PendingConfirmation {
  others: readonly PeerNode[] | undefined
  readonly answered: Set<number>
  onAnswer: () => void
  readonly ended: AbortController
}

type ConfirmationOutcome = 'applied' | 'late' | 'closed'

export class PeerNodes {
  readonly #options: PeerNodesOptions
  readonly #node = randomInt(1, 2 ** 31)
  readonly #waiting = new Map<number, PendingConfirmation>()
  #isClosed = false
  #questions = 0
  #holding: HeldLock | undefined
  /** Start of the last successful poll on both clocks. */
  #polled = { steady: Number.NEGATIVE_INFINITY, clock: Number.NEGATIVE_INFINITY }

  constructor(options: PeerNodesOptions) {
    this.#options = options
  }

  /** Joins the other nodes. Before that, the process must not answer requests. */
  async join(): Promise<void> {
    const { bus, database } = this.#options
    await bus.listen()
    if (this.#isClosed) return
    this.#holding = await database.hold(`select pg_advisory_lock_shared(${ADVISORY_LOCK_CLASS}, ${this.#node})`)
  }

  /** Whether this node polled recently, on both clocks: after a suspend, only the wall clock has advanced. */
  get isCurrent(): boolean {
    const since = this.#holding?.since
    if (since === undefined || this.#polled.steady < since) return false
    const { steady, clock } = this.#polled
    return Math.max(stopwatch.now() - steady, Date.now() - clock) < CURRENT_AFTER_POLL_MILLISECONDS
  }

  /** Begins a poll. Returns a function to call once all commits that the poll found are applied. */
  beginPoll(): () => void {
    const began = { steady: stopwatch.now(), clock: Date.now() }
    return () => {
      this.#polled = began
    }
  }

  /** Resolves when all nodes have applied the position or timed out. Never rejects. */
  whenApplied(organizationId: number, position: number): Promise<void> | undefined {
    return this.#options.shared && !this.#isClosed ? this.#ask(organizationId, position) : undefined
  }

  receive(message: NodeMessage): void {
    if ('asked' in message) {
      const { asked } = message
      if (this.#holding !== undefined && asked.asker !== this.#node) this.#answer(asked)
    } else if ('applied' in message && message.applied.asker === this.#node) {
      const waiting = this.#waiting.get(message.applied.number)
      waiting?.answered.add(message.applied.node)
      waiting?.onAnswer()
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { ended } of this.#waiting.values()) ended.abort()
  }

  #answer({ asker, number, organizationId, position }: ConfirmationRequest): void {
    const { bus, reach } = this.#options
    const answer = (): void => bus.sendToNodes({ applied: { asker, number, node: this.#node } })
    // Confirms nothing on failure: the asking node then waits until this node can no longer answer from old state.
    reach(organizationId, position).then(answer, () => undefined)
  }

  async #ask(organizationId: number, position: number): Promise<void> {
    const ended = new AbortController()
    const number = ++this.#questions
    const waiting: PendingConfirmation = { others: undefined, answered: new Set(), onAnswer: () => undefined, ended }
    this.#waiting.set(number, waiting)
    // If the other nodes are unknown, allow the maximum time.
    const timeout = this.#late(ANSWER_TIMEOUT_MILLISECONDS, waiting)
    const applied = this.#applied({ asker: this.#node, number, organizationId, position }, waiting)
    const outcome = await Promise.race([applied.catch(async () => timeout), timeout])
    ended.abort()
    this.#waiting.delete(number)
    const { others, answered } = waiting
    if (outcome === 'closed' || others?.length === 0) return
    countConfirmation(outcome)
    const missing = others?.filter(({ node }) => !answered.has(node)).length
    if (outcome === 'late') this.#options.onLate(organizationId, missing)
  }

  /** Resolves when every other node has confirmed, or can no longer answer from old state. */
  async #applied(asked: ConfirmationRequest, waiting: PendingConfirmation): Promise<ConfirmationOutcome> {
    const { bus } = this.#options
    const others = await this.#others()
    waiting.others = others
    if (others.length === 0) return 'applied'
    const began = stopwatch.now()
    await bus.listen()
    bus.sendToNodes({ asked })
    for (;;) {
      const missing = others.filter(({ node }) => !waiting.answered.has(node))
      if (missing.length === 0) return 'applied'
      // A node that has been silent this long is frozen or dead.
      const left = Math.max(...missing.map((member) => member.validMilliseconds)) - (stopwatch.now() - began)
      if (left <= 0 || waiting.ended.signal.aborted) return 'late'
      const nextAnswer = new Promise<void>((resolve) => {
        waiting.onAnswer = resolve
      })
      if ((await Promise.race([nextAnswer, this.#late(left, waiting)])) === 'closed') return 'closed'
    }
  }

  async #late(milliseconds: number, { ended: { signal } }: PendingConfirmation): Promise<ConfirmationOutcome> {
    return sleep(milliseconds, 'late' as const, { signal }).catch(() => 'closed' as const)
  }

  async #others(): Promise<readonly PeerNode[]> {
    const members = await this.#options.database.reads.rows<PeerNode>('members', PEERS_SQL, [])
    return members.filter(({ node }) => node !== this.#node)
  }
}
