import type { World } from '../../kernel/fold.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { LogRow } from '../log/row.ts'
import type { Encoder } from './encoding.ts'

/**
 * Reads what logged events refer to (a message event, its message) for rows that come from the database, all rows of
 * one kind in one statement.
 */
export function attach(encoder: Encoder, reads: Db): (world: World, rows: readonly LogRow[]) => Promise<void> {
  return async (world, rows) => {
    const byType = new Map<string, LogRow[]>()
    for (const row of rows) {
      if (row.attached !== undefined) continue
      const group = byType.get(row.type)
      if (group === undefined) byType.set(row.type, [row])
      else group.push(row)
    }
    for (const group of byType.values()) {
      const binding = group[0] === undefined ? undefined : encoder.bindingOf(group[0])
      await binding?.hydrate?.(reads, world, group)
    }
  }
}
