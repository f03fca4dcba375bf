import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { LogRow } from '../log/row.ts'
import type { Encoder } from './encoding.ts'

/** Reads the records of events, one statement per kind. `mostBytes` per kind is exceeded by at most one row. */
export type Hydrator = (
  organization: OrganizationState,
  rows: readonly LogRow[],
  mostBytes?: number,
) => Promise<readonly LogRow[]>

export function createHydrator(encoder: Encoder, reads: Db): Hydrator {
  return async (organization, rows, mostBytes) => {
    const byType = new Map<string, LogRow[]>()
    for (const row of rows) {
      if (row.attached !== undefined) continue
      const group = byType.get(row.type)
      if (group === undefined) byType.set(row.type, [row])
      else group.push(row)
    }
    let end = rows.length
    for (const group of byType.values()) {
      const binding = group[0] === undefined ? undefined : encoder.bindingOf(group[0])
      const read = await binding?.hydrate?.(reads, organization, group, mostBytes)
      const missing = read === undefined ? undefined : group[read]
      if (missing !== undefined) end = Math.min(end, rows.indexOf(missing))
    }
    return end === rows.length ? rows : rows.slice(0, end)
  }
}
