import type { OrganizationLog } from '../platform/log/organization-log.ts'
import type { Parley } from '../start.ts'

/**
 * Lets something happen while the server is at work: once, right after it has read what the statement of this name
 * answers.
 * @returns whether it has happened
 */
export function afterReading(parley: Parley, statement: string, action: () => Promise<unknown>): () => boolean {
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

/**
 * Lets something happen while a client registers: once, right after what it begins with has been read and before its
 * queue is there.
 * @returns whether it has happened
 */
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
 * Keeps a server from learning what others commit until released, and from noticing that it does not.
 * @returns releases it
 */
export function keepUninformed(parley: Parley): () => void {
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
    // What stands below it, of the class, holds again.
    Reflect.deleteProperty(parley.logs, 'isCurrent')
    release()
  }
}
