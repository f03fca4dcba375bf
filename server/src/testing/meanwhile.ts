import type { OrganizationLog } from '../platform/log/organization-log.ts'
import type { Parley } from '../start.ts'

/**
 * Runs an action once, immediately after the server has read the result of a named statement.
 * @returns whether the action has run
 */
export function runAfterReading(parley: Parley, statement: string, action: () => Promise<unknown>): () => boolean {
  let hasHappened = false
  for (const db of [parley.database.reads, parley.database.lookups]) {
    const read = db.rows.bind(db)
    db.rows = async <Row>(name: string, text: string, parameters: readonly unknown[]): Promise<Row[]> => {
      const found = await read<Row>(name, text, parameters)
      if (name === statement && !hasHappened) {
        hasHappened = true
        await action()
      }
      return found
    }
  }
  return () => hasHappened
}

/** Runs an action once, after a registration's snapshot and before its queue is stored. @returns whether it has run */
export function whileRegistering(log: OrganizationLog, action: () => Promise<unknown>): () => boolean {
  const snapshot = log.snapshot.bind(log)
  let hasHappened = false
  log.snapshot = async (observe, read) => {
    const taken = await snapshot(observe, read)
    if (!hasHappened) {
      hasHappened = true
      await action()
    }
    return taken
  }
  return () => hasHappened
}

/**
 * Keeps a server from learning of other nodes' commits, and from noticing that it misses them.
 * @returns a function that lets the server learn of them again
 */
export function hideRemoteCommits(parley: Parley): () => void {
  const { reads } = parley.database
  const read = reads.rows.bind(reads)
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  reads.rows = async <Row>(name: string, text: string, parameters: readonly unknown[]): Promise<Row[]> => {
    if (name === 'events_after') await released
    return read<Row>(name, text, parameters)
  }
  Object.defineProperty(parley.logs, 'isCurrent', { value: true, configurable: true })
  return () => {
    Reflect.deleteProperty(parley.logs, 'isCurrent')
    release()
  }
}
