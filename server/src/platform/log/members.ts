import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch } from '../../kernel/steady-time.ts'
import type { Bus, NodeMessage, Question } from '../bus/bus.ts'
import type { Database } from '../db/database.ts'
import type { Holding } from '../db/pipelined.ts'
import { countTelling } from '../metrics/counts.ts'

/*
 * The nodes of a database, and what they have to have applied before it is answered: that rights were taken away. Each node holds a
 * lock on the connection by which it looks for news, so that it is one of them exactly as long as that connection lives. Whoever
 * takes rights away asks them all. One that does not answer in time has frozen, or cannot reach the database or the bus: by then what it
 * knows is too old for it to answer anybody without having read the log (`isCurrent`).
 */

/** How long the others are waited for. */
const ANSWER_MILLISECONDS = 2_000
/** What a node has looked for is good for this long: for less than it is waited for, and for more than the next look takes. */
const CURRENT_MILLISECONDS = ANSWER_MILLISECONDS - 100

/** The first half of the locks of nodes; the second is the node. */
const LOCK_CLASS = 1_346_720_345

/**
 * The nodes, and for how long each may go on to answer by what it knows: it has not looked for news after the last statement of its
 * connection. Where the database does not say when that was, for as long as it may be.
 */
const MEMBERS = `
  select l.objid::bigint as node, coalesce(max(
    ${ANSWER_MILLISECONDS} - extract(epoch from clock_timestamp() - a.query_start) * 1000), ${ANSWER_MILLISECONDS})::float8 as left
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = ${LOCK_CLASS}
    and l.database = (select oid from pg_database where datname = current_database())
  group by l.objid`

export interface MembersOptions {
  readonly database: Pick<Database, 'reads' | 'hold'>
  readonly bus: Bus
  /** Whether there may be others. */
  readonly shared: boolean
  /** Resolves when an organization's log is applied up to a position, where it is open. */
  readonly reach: (organizationId: number, position: number) => Promise<void>
  /** Hears of those who have not answered in time; undefined where it is not even known who has to. */
  readonly onLate: (organizationId: number, late: number | undefined) => void
}

/** Another node. */
interface Member {
  readonly node: number
  /** Milliseconds for which it may answer by what it knows. */
  readonly left: number
}

/** A question that is waited for. */
interface Waiting {
  /** Who has to answer; undefined while that is not known. */
  others: readonly Member[] | undefined
  readonly answered: Set<number>
  heard: () => void
  /** Ends its timers. */
  readonly ended: AbortController
}

/** How a question ended. */
type Outcome = 'applied' | 'late' | 'closed'

export class Members {
  readonly #options: MembersOptions
  /** Which node this is, for as long as it runs. */
  readonly #node = randomInt(1, 2 ** 31)
  readonly #waiting = new Map<number, Waiting>()
  #isClosed = false
  #questions = 0
  #holding: Holding | undefined
  /** When the last look began that has found everything, as two clocks say it. */
  #looked = { steady: Number.NEGATIVE_INFINITY, clock: Number.NEGATIVE_INFINITY }

  constructor(options: MembersOptions) {
    this.#options = options
  }

  /** From here on this process has to be asked. Nothing may have been answered before. */
  async join(): Promise<void> {
    const { bus, database } = this.#options
    // Who is asked has to hear it.
    await bus.hear()
    if (this.#isClosed) return
    this.#holding = await database.hold(`select pg_advisory_lock_shared(${LOCK_CLASS}, ${this.#node})`)
  }

  /**
   * Whether what this process knows is new enough to answer by. What has been suspended together with its whole machine has not
   * seen the time pass that the clock of the wall has.
   */
  get isCurrent(): boolean {
    const since = this.#holding?.since
    if (since === undefined || this.#looked.steady < since) return false
    const { steady, clock } = this.#looked
    return Math.max(stopwatch.now() - steady, Date.now() - clock) < CURRENT_MILLISECONDS
  }

  /** Begins a look at all logs. @returns to be called when everything that was there by now is applied */
  beginLook(): () => void {
    const began = { steady: stopwatch.now(), clock: Date.now() }
    return () => {
      this.#looked = began
    }
  }

  /** Resolves when all nodes have applied an organization's log up to a position, or have had their time. Never rejects. */
  told(organizationId: number, position: number): Promise<void> | undefined {
    return this.#options.shared && !this.#isClosed ? this.#ask(organizationId, position) : undefined
  }

  heard(message: NodeMessage): void {
    if ('asked' in message) {
      const { asked } = message
      if (this.#holding !== undefined && asked.asker !== this.#node) this.#answer(asked)
    } else if ('applied' in message && message.applied.asker === this.#node) {
      const waiting = this.#waiting.get(message.applied.number)
      waiting?.answered.add(message.applied.node)
      waiting?.heard()
    }
  }

  /** Waits for nobody any more. */
  close(): void {
    this.#isClosed = true
    for (const { ended } of this.#waiting.values()) ended.abort()
  }

  #answer({ asker, number, organizationId, position }: Question): void {
    const { bus, reach } = this.#options
    const answer = (): void => bus.tellNodes({ applied: { asker, number, node: this.#node } })
    // What cannot be read is not applied: whoever asks waits for as long as this node may answer others without it.
    reach(organizationId, position).then(answer, () => undefined)
  }

  async #ask(organizationId: number, position: number): Promise<void> {
    const ended = new AbortController()
    const number = ++this.#questions
    const waiting: Waiting = { others: undefined, answered: new Set(), heard: () => undefined, ended }
    this.#waiting.set(number, waiting)
    // Where it cannot be known who has to answer, all of them get their time.
    const late = this.#late(ANSWER_MILLISECONDS, waiting)
    const applied = this.#applied({ asker: this.#node, number, organizationId, position }, waiting)
    const outcome = await Promise.race([applied.catch(async () => late), late])
    ended.abort()
    this.#waiting.delete(number)
    const { others, answered } = waiting
    if (outcome === 'closed' || others?.length === 0) return
    countTelling(outcome)
    const missing = others?.filter(({ node }) => !answered.has(node)).length
    if (outcome === 'late') this.#options.onLate(organizationId, missing)
  }

  /** Resolves when all have answered, or those who have not do not answer anybody any more by what they know. */
  async #applied(asked: Question, waiting: Waiting): Promise<Outcome> {
    const { bus } = this.#options
    const others = await this.#others()
    waiting.others = others
    if (others.length === 0) return 'applied'
    const began = stopwatch.now()
    await bus.hear()
    bus.tellNodes({ asked })
    for (;;) {
      const missing = others.filter(({ node }) => !waiting.answered.has(node))
      if (missing.length === 0) return 'applied'
      // One that has been silent for long has frozen, or is gone with its machine.
      const left = Math.max(...missing.map((member) => member.left)) - (stopwatch.now() - began)
      if (left <= 0 || waiting.ended.signal.aborted) return 'late'
      const heard = new Promise<void>((resolve) => {
        waiting.heard = resolve
      })
      if ((await Promise.race([heard, this.#late(left, waiting)])) === 'closed') return 'closed'
    }
  }

  async #late(milliseconds: number, { ended: { signal } }: Waiting): Promise<Outcome> {
    return sleep(milliseconds, 'late' as const, { signal }).catch(() => 'closed' as const)
  }

  /** The other nodes that serve: one that joins later has not read anything yet. */
  async #others(): Promise<readonly Member[]> {
    const members = await this.#options.database.reads.rows<Member>('members', MEMBERS, [])
    return members.filter(({ node }) => node !== this.#node)
  }
}
