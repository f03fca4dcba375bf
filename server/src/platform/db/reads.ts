import { stopwatch } from '../../kernel/steady-time.ts'
import type { PipelinedReads } from './pipelined.ts'

/** Time without an answer after which a connection with statements in flight counts as stuck. */
const STUCK_AFTER_MILLISECONDS = 10
const EXTRA_CONNECTIONS = 2
const IDLE_TIMEOUT_MILLISECONDS = 30_000

/** Reads on a single connection while its statements finish quickly, because sharing a round trip costs less. */
export function unblockedReads(main: PipelinedReads, openAnother: () => PipelinedReads): PipelinedReads {
  const first = new ReadConnection(main)
  const others = Array.from({ length: EXTRA_CONNECTIONS }, () => new TemporaryConnection(openAnother()))
  const connections: readonly ReadConnection[] = [first, ...others]
  const choose = (): ReadConnection =>
    connections.find((connection) => !connection.isStuck) ??
    connections.reduce((best, connection) => (connection.inFlight < best.inFlight ? connection : best))
  return {
    rows: async (name, text, values) => (first.isStuck ? choose() : first).rows(name, text, values),
    hold: async (text) => main.hold(text),
    abandon() {
      for (const connection of connections) connection.reads.abandon()
    },
    async close() {
      await Promise.all(connections.map(async (connection) => connection.close()))
    },
  }
}

class ReadConnection {
  readonly reads: PipelinedReads
  inFlight = 0
  /** Time at which the oldest unanswered statement became the first in line. */
  #movedAt = 0

  constructor(reads: PipelinedReads) {
    this.reads = reads
  }

  get isStuck(): boolean {
    return this.inFlight > 0 && stopwatch.now() - this.#movedAt >= STUCK_AFTER_MILLISECONDS
  }

  async rows<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    if (this.inFlight === 0) this.#movedAt = stopwatch.now()
    this.inFlight += 1
    try {
      return await this.reads.rows<Row>(name, text, values)
    } finally {
      this.inFlight -= 1
      this.#movedAt = stopwatch.now()
    }
  }

  async close(): Promise<void> {
    await this.reads.close()
  }
}

/** Disconnects when unused: each connection is a process of the database. */
class TemporaryConnection extends ReadConnection {
  #disconnect: NodeJS.Timeout | undefined

  override async rows<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    clearTimeout(this.#disconnect)
    try {
      return await super.rows<Row>(name, text, values)
    } finally {
      if (this.inFlight === 0) this.#disconnectLater()
    }
  }

  override async close(): Promise<void> {
    clearTimeout(this.#disconnect)
    await super.close()
  }

  #disconnectLater(): void {
    this.#disconnect = setTimeout(() => {
      // Ignores errors: a connection that cannot end cleanly is lost anyway.
      this.reads.close().catch(() => undefined)
    }, IDLE_TIMEOUT_MILLISECONDS).unref()
  }
}
