import { ApiError } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { findMessageIdsAround, findFirstSince, findFirstUnread, MAX_ANCHOR } from './finding.ts'
import type { Condition } from './questions.ts'
import { searchedRange, withoutHiddenNames } from './search.ts'
import type { SearchedRange } from './search-clauses.ts'

export interface WindowInput {
  readonly anchor: string
  readonly anchor_date?: string | undefined
  readonly include_anchor: boolean
  readonly num_before: number
  readonly num_after: number
}

export interface MessageWindow {
  readonly anchor: number
  readonly ids: readonly number[]
  readonly foundAnchor: boolean
  readonly foundOldest: boolean
  readonly foundNewest: boolean
  /** Positions at which the search stopped early; absent where it reached the first or last message. */
  readonly range: SearchedRange
}

/** @throws ApiError if the anchor is invalid */
export async function findWindow(
  reader: Reader,
  conditions: readonly Condition[],
  input: WindowInput,
): Promise<MessageWindow> {
  const { num_before: before, num_after: after } = input
  const anchor = await anchorOf(reader, conditions, input)
  // One extra message per side shows whether more exist.
  const range = searchedRange(reader, conditions, anchor)
  const asked = range === undefined ? conditions : await withoutHiddenNames(reader, conditions, range)
  const around = await findMessageIdsAround(reader, asked, anchor, { before: before + 1, after: after + 1 }, range)
  const hasAllOlder = around.older.length <= before
  const hasAllNewer = around.newer.length <= after
  return {
    anchor,
    ids: [
      ...around.older.slice(0, before).toReversed(),
      ...(input.include_anchor ? around.exact : []),
      ...around.newer.slice(0, after),
    ],
    foundAnchor: input.include_anchor && around.exact.length > 0,
    foundOldest: hasAllOlder && range?.from === undefined,
    foundNewest: hasAllNewer && range?.to === undefined,
    range: {
      ...(hasAllOlder && range?.from !== undefined ? { from: range.from } : {}),
      ...(hasAllNewer && range?.to !== undefined ? { to: range.to } : {}),
    },
  }
}

async function anchorOf(reader: Reader, conditions: readonly Condition[], input: WindowInput): Promise<number> {
  // Looking for the first match would read any number of messages.
  const isLimited = searchedRange(reader, conditions, 0) !== undefined
  switch (input.anchor) {
    case 'newest':
      return MAX_ANCHOR
    case 'oldest':
      return 0
    case 'first_unread':
      return isLimited ? 0 : ((await findFirstUnread(reader, conditions)) ?? MAX_ANCHOR)
    case 'date': {
      const position = await messagePositionAtTime(reader, parseDate(input.anchor_date))
      return isLimited ? position : ((await findFirstSince(reader, conditions, position)) ?? MAX_ANCHOR)
    }
    default:
      if (!/^\d+$/.test(input.anchor)) throw new ApiError('REQUEST_VARIABLE_INVALID', 'Invalid anchor')
      return Math.min(Number(input.anchor), MAX_ANCHOR)
  }
}

/** Returns UNIX seconds. A date without a time zone is in UTC. */
function parseDate(date: string | undefined): number {
  if (date === undefined) {
    throw new ApiError('REQUEST_VARIABLE_MISSING', "Missing 'anchor_date' argument", { var_name: 'anchor_date' })
  }
  const parts = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(date)
  const zoned = parts?.[4] === undefined && parts?.[1] !== undefined ? `${date}Z` : date
  const milliseconds = parts === null ? Number.NaN : Date.parse(zoned)
  if (Number.isNaN(milliseconds)) throw new ApiError('REQUEST_VARIABLE_INVALID', 'Invalid anchor_date')
  return Math.ceil(milliseconds / 1000)
}

/** Positions are ordered by time, so a binary search takes about 30 steps. */
async function messagePositionAtTime(reader: Reader, seconds: number): Promise<number> {
  const [row] = await reader.db.rows<{ position: number }>(
    'position_at',
    `with recursive half (low, high) as (
       select 0::bigint, $2::bigint
       union all
       select case when met.earlier then met.id + 1 else low end, case when met.earlier then high else (low + high) / 2 end
       from half cross join lateral (
         select next.id, coalesce(next.date_sent < $3::bigint, false) as earlier
         from (select) as always left join lateral (
           select id, date_sent from messages
           where organization_id = $1 and id >= (low + high) / 2 order by id limit 1) next on true) met
       where low < high)
     select max(low) as position from half`,
    [reader.organizationId, reader.organization.position + 1, seconds],
  )
  return row?.position ?? 0
}
