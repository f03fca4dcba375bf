import type pg from 'pg'
import { postgresBus } from '../platform/bus/postgres.ts'
import type { Consumer } from '../platform/consumers/consumer.ts'
import { Consumers } from '../platform/consumers/consumers.ts'
import { consumerCursors } from '../platform/consumers/cursors.ts'
import { openDatabase } from '../platform/db/database.ts'
import { Outage } from '../platform/db/outage.ts'
import { openLogs, type Logs } from '../platform/log/logs.ts'
import type { LogObserver } from '../platform/log/observer.ts'
import type { Logger } from '../platform/logger.ts'
import { PACE } from '../platform/pace.ts'

export interface ConsumerNode {
  readonly logs: Logs
  readonly consumers: Consumers
  readonly errors: readonly { readonly message: string; readonly position?: number }[]
  close(): Promise<void>
}

export interface ConsumerNodeOptions {
  readonly shared?: boolean
  readonly isHandling?: boolean
  /** Whether the process handles its own events immediately. */
  readonly isPrompt?: boolean
  readonly retryMilliseconds?: number
}

export function openConsumerNode(
  connection: pg.ClientConfig,
  consumer: Consumer<string>,
  { shared = true, isHandling = true, isPrompt = true, retryMilliseconds = 1 }: ConsumerNodeOptions,
): ConsumerNode {
  const errors: { message: string; position?: number }[] = []
  const logger: Logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (details, message) => errors.push({ ...details, message }),
    isLevelEnabled: () => true,
  }
  const database = openDatabase(connection, 30, { onError: () => undefined })
  const outage = new Outage(logger)
  const pace = { ...PACE, consumerRetryMilliseconds: retryMilliseconds }
  const options = { reads: database.reads, writes: database.lookups, logger, outage, shared, pace }
  const logs = openLogs({
    database,
    projections: [consumerCursors],
    bus: postgresBus({ database, connection: connection, isAlone: !shared, onError: () => undefined }),
    shared,
    idleSeconds: 0,
    pace,
    onError: () => undefined,
    missed: async () => undefined,
    onLate: () => undefined,
    hydrate: () => Promise.resolve(),
    record: async () => undefined,
    renew: (_, actor) => actor,
  })
  const consumers = new Consumers([consumer], { ...options, useLog: (id, work) => logs.use(id, work) })
  logs.observe([isPrompt ? consumers : withoutOwnWrites(consumers)])
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await consumers.close()
    await logs.close()
    await database.close()
  }
  if (isHandling) consumers.begin()
  return { logs, consumers, errors, close: async () => (closed ??= close()) }
}

/** Follows the log, but does not handle this process's own writes immediately. */
function withoutOwnWrites(consumers: Consumers): LogObserver {
  return {
    opened: (log) => consumers.opened(log),
    applied: (log, row) => consumers.applied(log, row),
    isNeeded: (log) => consumers.isNeeded(log),
    saveState: async () => consumers.saveState(),
    closed: (log) => consumers.closed(log),
    saveProgress: async () => consumers.saveProgress(),
  }
}
