import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import type { Audience } from '../../../kernel/audience.ts'
import { eventName, type EventDeclaration } from '../../../kernel/event.ts'
import { isRecord } from '../../../kernel/keys.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { AuditChange, AuditEntry, AuditValue } from '../contract.ts'

export type AuditDescription = Pick<AuditEntry, 'kind' | 'action' | 'target' | 'changes'>

export interface AuditedEvent<Payload> {
  /** State before the transaction. */
  readonly organization: OrganizationState
  readonly payload: Payload
  readonly audience: Audience
  readonly actorId: number | null
  readonly now: number
}

export interface EventDescription {
  readonly event: string
  readonly describe: (entry: AuditedEvent<never>) => readonly AuditDescription[]
}

export function describeEvent<Shape extends z.ZodMiniObject>(
  event: EventDeclaration<Shape>,
  describe: (entry: AuditedEvent<z.output<Shape>>) => readonly AuditDescription[],
): EventDescription {
  return { event: eventName(event), describe }
}

/** Longer text is cut to this many characters. */
const MAX_TEXT_CHARACTERS = 500
const MAX_LIST_ITEMS = 200

function toAuditValue(value: unknown): AuditValue | undefined {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value)
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice(0, MAX_LIST_ITEMS)
    if (items.every((item) => typeof item === 'number')) return items
    if (items.every((item) => typeof item === 'string')) return items
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { direct_members: members, direct_subgroups: groups } = value
  const [people, subgroups] = [toAuditValue(members), toAuditValue(groups)]
  if (!isNumberList(people) || !isNumberList(subgroups)) return undefined
  return { direct_members: people, direct_subgroups: subgroups }
}

function isNumberList(value: AuditValue | undefined): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number')
}

/** Describes a changed property; returns an empty list if both values are equal. `from` is undefined if unknown. */
export function describeChange(property: string, from: unknown, to: unknown): AuditChange[] {
  if (from !== undefined && isDeepStrictEqual(from, to)) return []
  const [before, after] = [toAuditValue(from), toAuditValue(to)]
  return [
    { property, ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) },
  ]
}

export function changeWithoutValues(property: string): AuditChange[] {
  return [{ property }]
}

export function describeNameListChange(
  property: string,
  before: readonly string[],
  after: readonly string[],
): AuditChange[] {
  const [gone, added] = [excludeNames(before, after), excludeNames(after, before)]
  if (gone.length === 0 && added.length === 0) return changeWithoutValues(property)
  return [{ property, from: truncateNames(gone), to: truncateNames(added) }]
}

function excludeNames(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return names.filter((name) => !known.has(name))
}

function truncateNames(names: readonly string[]): string[] {
  return names.slice(0, MAX_LIST_ITEMS).map((name) => name.slice(0, MAX_TEXT_CHARACTERS).toWellFormed())
}
