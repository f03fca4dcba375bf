import type { Reader } from '../../../kernel/transaction.ts'

/** Limits both the stored bytes of a response's messages and the characters of the response. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
/** Highlighting works on a copy that can be many times as long. */
const MAX_SEARCH_RESPONSE_BYTES = MAX_RESPONSE_BYTES / 4

export function maxStoredBytes(isSearch: boolean): number {
  return isSearch ? MAX_SEARCH_RESPONSE_BYTES : MAX_RESPONSE_BYTES
}

const BYTES_PER_REACTION = 250

const MESSAGE_SIZES = `
  select m.id, octet_length(m.content) + octet_length(m.rendered_content)
    + coalesce((select sum(octet_length(e.prev_content) + octet_length(e.prev_rendered_content)) from message_edits e
                where e.organization_id = $1 and e.message_id = m.id), 0)
    + coalesce((select sum(octet_length(s.content)) from submessages s
                where s.organization_id = $1 and s.message_id = m.id), 0)
    + ${BYTES_PER_REACTION} * (select count(*) from reactions r
                where r.organization_id = $1 and r.message_id = m.id) as bytes
  from messages m where m.organization_id = $1 and m.id = any($2::bigint[])`

export async function readMessageSizes(
  { db, organizationId }: Reader,
  ids: readonly number[],
): Promise<(id: number) => number> {
  const rows = await db.rows<{ id: number; bytes: string | number }>('message_sizes', MESSAGE_SIZES, [
    organizationId,
    ids,
  ])
  const sizes = new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
  return (id) => sizes.get(id) ?? 0
}

export interface ResponsePage {
  readonly ids: readonly number[]
  readonly leavesOlder: boolean
  readonly leavesNewer: boolean
}

/** Always includes the anchor and its neighbors, so that clients make progress. Calls `sizeOf` at most once per ID. */
export function selectMessagesAround(
  ids: readonly number[],
  anchor: number,
  sizeOf: (id: number) => number,
  most = MAX_RESPONSE_BYTES,
): ResponsePage {
  const at = ids.findIndex((id) => id >= anchor)
  const begin = at === -1 ? ids.length : at
  let newer = begin
  let older = begin - 1
  let room = most
  const take = (id: number | undefined, isNeeded: boolean): boolean => {
    if (id === undefined) return false
    const size = sizeOf(id)
    if (size > room && !isNeeded) return false
    room -= size
    return true
  }
  let [isOlderOpen, isNewerOpen] = [true, true]
  while (isOlderOpen || isNewerOpen) {
    isNewerOpen &&= take(ids[newer], newer === begin || (ids[begin] === anchor && newer === begin + 1))
    if (isNewerOpen) newer += 1
    isOlderOpen &&= take(ids[older], older === begin - 1)
    if (isOlderOpen) older -= 1
  }
  return { ids: ids.slice(older + 1, newer), leavesOlder: older >= 0, leavesNewer: newer < ids.length }
}
