import type { Reader } from '../../../kernel/transaction.ts'

/** What is stored of the messages of one answer, with what belongs to them. One message is always answered. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const SIZES = `
  select m.id, octet_length(m.content) + octet_length(m.rendered_content)
    + coalesce((select sum(octet_length(e.prev_content) + octet_length(e.prev_rendered_content)) from message_edits e
                where e.organization_id = $1 and e.message_id = m.id), 0)
    + coalesce((select sum(octet_length(s.content)) from submessages s
                where s.organization_id = $1 and s.message_id = m.id), 0) as bytes
  from messages m where m.organization_id = $1 and m.id = any($2::bigint[])`

/** How many bytes there are of each message, without reading them. */
export async function sizesOf(
  { db, organizationId }: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ id: number; bytes: string | number }>('message_sizes', SIZES, [organizationId, ids])
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
}

/** The part of a window that fits into an answer: the messages next to the anchor, without a gap. */
export interface Fitting {
  readonly ids: readonly number[]
  readonly leavesOlder: boolean
  readonly leavesNewer: boolean
}

/** @param ids ascending */
export function fittingAround(ids: readonly number[], anchor: number, sizes: ReadonlyMap<number, number>): Fitting {
  const at = ids.findIndex((id) => id >= anchor)
  let newer = at === -1 ? ids.length : at
  let older = newer - 1
  let room = MAX_ANSWER_BYTES
  const take = (index: number): boolean => {
    const size = sizes.get(ids[index] ?? 0) ?? 0
    if (size > room && newer - older > 1) return false
    room -= size
    return true
  }
  let [isOlderOpen, isNewerOpen] = [older >= 0, newer < ids.length]
  while (isOlderOpen || isNewerOpen) {
    if (isNewerOpen) {
      if (take(newer)) newer += 1
      else isNewerOpen = false
      isNewerOpen &&= newer < ids.length
    }
    if (isOlderOpen) {
      if (take(older)) older -= 1
      else isOlderOpen = false
      isOlderOpen &&= older >= 0
    }
  }
  return { ids: ids.slice(older + 1, newer), leavesOlder: older >= 0, leavesNewer: newer < ids.length }
}
