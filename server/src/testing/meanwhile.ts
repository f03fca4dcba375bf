import type { Parley } from '../start.ts'

/**
 * Lets something happen while the server is at work: once, right after it has read what the statement of this name
 * answers.
 * @returns whether it has happened
 */
export function afterReading(parley: Parley, statement: string, action: () => Promise<unknown>): () => boolean {
  const { reads } = parley.database
  const read = reads.rows.bind(reads)
  let hasHappened = false
  reads.rows = async <Row>(name: string, text: string, parameters: readonly unknown[]): Promise<Row[]> => {
    const found = await read<Row>(name, text, parameters)
    if (name === statement && !hasHappened) {
      hasHappened = true
      await action()
    }
    return found
  }
  return () => hasHappened
}
