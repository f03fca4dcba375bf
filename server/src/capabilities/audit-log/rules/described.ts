import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import type { Audience } from '../../../kernel/audience.ts'
import { eventName, type EventDeclaration } from '../../../kernel/event.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { AuditChange, AuditEntry, AuditValue } from '../contract.ts'

/** What an event says of the administration. */
export type Described = Pick<AuditEntry, 'kind' | 'action' | 'target' | 'changes'>

/** The event that is described, with who brought it about. */
export interface Told<Payload> {
  /** As it was before the transaction. */
  readonly organization: OrganizationState
  readonly payload: Payload
  readonly audience: Audience
  readonly actorId: number | null
  readonly now: number
}

/** How the events of one declaration are described, by their name in the log. */
export interface Description {
  readonly event: string
  readonly describe: (told: Told<never>) => readonly Described[]
}

/** Ties a description to the payload that its event declares. */
export function described<Shape extends z.ZodMiniObject>(
  event: EventDeclaration<Shape>,
  describe: (told: Told<z.output<Shape>>) => readonly Described[],
): Description {
  return { event: eventName(event), describe }
}

/** Texts are cut to so many characters, and lists to so many items. */
const MAX_TEXT = 500
const MAX_ITEMS = 200

/** A value as an entry has it; what is no value of one is left out. */
function valueOf(value: unknown): AuditValue | undefined {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value)
  if (typeof value === 'string') return value.slice(0, MAX_TEXT).toWellFormed()
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice(0, MAX_ITEMS)
    if (items.every((item) => typeof item === 'number')) return items
    if (items.every((item) => typeof item === 'string')) return items
    return undefined
  }
  if (typeof value !== 'object') return undefined
  const { direct_members: members, direct_subgroups: groups } = value as Readonly<Record<string, unknown>>
  const [people, subgroups] = [valueOf(members), valueOf(groups)]
  if (!isNumbers(people) || !isNumbers(subgroups)) return undefined
  return { direct_members: people, direct_subgroups: subgroups }
}

function isNumbers(value: AuditValue | undefined): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number')
}

/** A change of a property; none where nothing is different. @param from undefined where that is not known */
export function changed(property: string, from: unknown, to: unknown): AuditChange[] {
  if (from !== undefined && isDeepStrictEqual(from, to)) return []
  const [before, after] = [valueOf(from), valueOf(to)]
  return [
    { property, ...(before === undefined ? {} : { from: before }), ...(after === undefined ? {} : { to: after }) },
  ]
}

/** A property that was changed, and of which no value may be told. */
export function changedUntold(property: string): AuditChange[] {
  return [{ property }]
}

/** Things that were added to a list and taken from it, by their names. */
export function changedNames(property: string, before: readonly string[], after: readonly string[]): AuditChange[] {
  const [gone, added] = [without(before, after), without(after, before)]
  if (gone.length === 0 && added.length === 0) return changedUntold(property)
  return [{ property, from: cut(gone), to: cut(added) }]
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return names.filter((name) => !known.has(name))
}

function cut(names: readonly string[]): string[] {
  return names.slice(0, MAX_ITEMS).map((name) => name.slice(0, MAX_TEXT).toWellFormed())
}
