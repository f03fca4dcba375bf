import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import type { EmittedEvent } from '../../platform/log/row.ts'
import { AUDIT_LIMIT, PIN_CHANGE_LIMIT, TOOL_USE_LIMIT, type AuditChange } from './contract.ts'
import { DESCRIBERS_BY_EVENT } from './rules/index.ts'
import type { AuditDescription, AuditedEvent } from './rules/described.ts'
import { MAX_ENTRIES_PER_EVENT } from './tables.ts'

interface NewAuditEntry extends AuditDescription {
  readonly id: number
  readonly actorId: number | null
}

function auditEntryMergeKey({ actorId, kind, action, target }: NewAuditEntry): string {
  return JSON.stringify([actorId, kind, action, target?.type, target?.id])
}

/** Writes audit entries in the transaction of their events, so that both commit together. */
export async function addAuditEntries(tx: Tx, emitted: readonly EmittedEvent[]): Promise<void> {
  const entries = new Map<string, NewAuditEntry>()
  for (const { row, actorId } of emitted) {
    const describe = DESCRIBERS_BY_EVENT.get(row.type)
    if (describe === undefined) continue
    // Safe: `DESCRIBERS_BY_EVENT` maps each event type to functions that describe events of that type.
    const audited = {
      organization: tx.organization,
      payload: row.payload,
      audience: row.audience,
      actorId,
      now: tx.now,
    }
    for (const [index, one] of describe(audited as AuditedEvent<never>)
      .slice(0, MAX_ENTRIES_PER_EVENT)
      .entries()) {
      const entry: NewAuditEntry = { ...one, id: row.position * MAX_ENTRIES_PER_EVENT + index, actorId }
      const key = auditEntryMergeKey(entry)
      const before = entries.get(key)
      entries.set(
        key,
        before === undefined ? entry : { ...before, changes: mergeChanges(before.changes, entry.changes) },
      )
    }
  }
  await insertAuditEntries(tx, [...entries.values()])
}

/** Records an action, of the actor or the operator, that emits no event. Returns the entry's ID. */
export async function addAuditEntry(
  tx: Tx & Partial<Pick<ActorTx, 'actor'>>,
  noted: AuditDescription,
): Promise<number> {
  const id = tx.nextId() * MAX_ENTRIES_PER_EVENT
  await insertAuditEntries(tx, [{ ...noted, id, actorId: tx.actor?.userId ?? null }])
  return id
}

export async function amendAuditEntry(
  tx: Tx,
  id: number,
  { action, changes }: Pick<AuditDescription, 'action' | 'changes'>,
): Promise<void> {
  await tx.db
    .updateTable('audit_log')
    .set({ action, changes: JSON.stringify(changes) })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
}

async function insertAuditEntries(tx: Tx, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.db
    .insertInto('audit_log')
    .values(
      entries.map(({ id, actorId, kind, action, target, changes }) => ({
        organization_id: tx.organizationId,
        id,
        recorded_at: tx.now,
        acting_user_id: actorId,
        is_by_operator: tx.isByOperator === true,
        kind,
        action,
        target_type: target?.type ?? null,
        target_id: target?.id ?? null,
        target_name: target?.name ?? null,
        changes: JSON.stringify(changes),
      })),
    )
    .execute()
}

/** Drops duplicates, because several events can report the same change to different audiences. */
function mergeChanges(changes: readonly AuditChange[], more: readonly AuditChange[]): AuditChange[] {
  const known = new Set(changes.map((change) => JSON.stringify(change)))
  return [...changes, ...more.filter((change) => !known.has(JSON.stringify(change)))]
}

/** Deleting this many entries holds the organization's lock for only a few milliseconds. */
export const MAX_DELETED_PER_TRANSACTION = 1_000

/** Maximum number of entries of each frequent kind, and of all other kinds together (`others`). */
interface RetainedEntryLimits {
  readonly tools: number
  readonly pins: number
  readonly others: number
}

export const MAX_RETAINED_ENTRIES: RetainedEntryLimits = {
  tools: TOOL_USE_LIMIT.most,
  pins: PIN_CHANGE_LIMIT.most,
  others: AUDIT_LIMIT.most,
}

/** `oldest` in UNIX seconds. Returns whether there may be more entries to delete. */
export async function deleteOldestEntries(
  tx: Tx,
  oldest: number,
  { tools, pins, others }: RetainedEntryLimits = MAX_RETAINED_ENTRIES,
): Promise<boolean> {
  const values = [tx.organizationId, oldest, others, tools, pins]
  const gone = await tx.db.rows('forget_audit_log', DELETE_OLDEST_ENTRIES, values)
  return gone.length === MAX_DELETED_PER_TRANSACTION
}

const DELETE_OLDEST_ENTRIES = `
  delete from audit_log where organization_id = $1 and id in (
    select id from audit_log where organization_id = $1 and (
      recorded_at < $2
      or (kind not in ('tools', 'pins') and id <= (
        select id from audit_log where organization_id = $1 and kind not in ('tools', 'pins')
        order by id desc offset $3 limit 1))
      or (kind = 'tools' and id <= (
        select id from audit_log where organization_id = $1 and kind = 'tools' order by id desc offset $4 limit 1))
      or (kind = 'pins' and id <= (
        select id from audit_log where organization_id = $1 and kind = 'pins' order by id desc offset $5 limit 1)))
    order by id limit ${MAX_DELETED_PER_TRANSACTION})
  returning id`
