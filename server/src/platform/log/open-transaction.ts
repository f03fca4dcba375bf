import type * as z from 'zod/mini'
import type { Actor } from '../../kernel/actor.ts'
import type { Audience } from '../../kernel/audience.ts'
import type { Invalidation, Projection, RecordedChange, OrganizationState } from '../../kernel/projection.ts'
import { eventName, type EventDeclaration } from '../../kernel/event.ts'
import type { ActorTx, TransactionDb, Tx } from '../../kernel/transaction.ts'
import { createYielder } from '../../kernel/pauses.ts'
import { packPayload } from './packing.ts'
import { PROJECTION_EVENT_TYPE, type AppendedEvents, type EmittedEvent, type LogRow } from './row.ts'

/** A statement has at most 65,535 parameters, and each event uses eight. */
const MAX_EVENTS_PER_INSERT = 1_000

interface RollbackMark {
  readonly position: number
  readonly rows: number
  /** Changes not yet attached to an event. */
  readonly changes: readonly RecordedChange[]
}

export class OpenTransaction implements Tx {
  readonly organizationId: number
  readonly organization: OrganizationState
  readonly db: TransactionDb
  readonly now = Math.floor(Date.now() / 1000)
  isByOperator = false
  takesRights = false
  readonly #base: number
  #position: number
  #rows: LogRow[] = []
  readonly #actorIds: (number | null)[] = []
  #changes: RecordedChange[] = []
  readonly #onChange: (change: RecordedChange) => void

  constructor(
    organization: OrganizationState,
    db: TransactionDb,
    position: number,
    onChange: (change: RecordedChange) => void = () => undefined,
  ) {
    this.#onChange = onChange
    this.organizationId = organization.id
    this.organization = organization
    this.db = db
    this.#base = position
    this.#position = position
  }

  nextId(): number {
    this.#position += 1
    return this.#position
  }

  emit<Shape extends z.ZodMiniObject>(
    event: EventDeclaration<Shape>,
    payload: z.input<Shape>,
    audience: Audience,
    refId?: number,
  ): number {
    return this.#append(eventName(event), payload, audience, refId ?? null)
  }

  emitStored(event: EventDeclaration, differing: Readonly<Record<string, unknown>>, audience: Audience): number {
    return this.#append(eventName(event), differing, audience, this.#position + 1)
  }

  /** Returns this transaction for an actor. Several actors can use the transaction at once. */
  as(actor: Actor): ActorTx {
    const { organizationId, organization, db, now, isByOperator } = this
    const { userId } = actor
    return {
      organizationId,
      organization,
      db,
      now,
      isByOperator,
      actor,
      nextId: () => this.nextId(),
      emit: (event, payload, audience, refId) =>
        this.#append(eventName(event), payload, audience, refId ?? null, userId),
      emitStored: (event, differing, audience) =>
        this.#append(eventName(event), differing, audience, this.#position + 1, userId),
      change: (projection, change) => this.change(projection, change),
      invalidate: (invalidation, change) => this.invalidate(invalidation, change),
    }
  }

  change<State, Change>(projection: Projection<State, Change>, change: Change): void {
    this.takesRights ||= projection.takesRights(this.organization.of(projection), change)
    this.#record({ fold: projection.name, change })
  }

  invalidate<Change>(invalidation: Invalidation<Change>, change: Change): void {
    this.#record({ fold: invalidation.name, change })
  }

  #record(change: RecordedChange): void {
    this.#changes.push(change)
    this.#onChange(change)
  }

  mark(): RollbackMark {
    return { position: this.#position, rows: this.#rows.length, changes: [...this.#changes] }
  }

  /** Restores the changes that were pending at the mark: a later event may have taken them. */
  rollBackTo(mark: RollbackMark): void {
    this.#position = mark.position
    this.#rows.length = mark.rows
    this.#actorIds.length = mark.rows
    this.#changes = [...mark.changes]
  }

  emitted(): readonly EmittedEvent[] {
    return this.#rows.map((row, index) => ({ row, actorId: this.#actorIds[index] ?? null }))
  }

  async append(): Promise<AppendedEvents | undefined> {
    if (this.#position === this.#base && this.#changes.length === 0) return undefined
    if (this.#changes.length > 0 || this.#rows.at(-1)?.position !== this.#position) {
      this.#append(PROJECTION_EVENT_TYPE, {}, {}, null)
    }
    for (let from = 0; from < this.#rows.length; from += MAX_EVENTS_PER_INSERT) {
      await this.#insert(this.#rows.slice(from, from + MAX_EVENTS_PER_INSERT))
    }
    await this.db
      .updateTable('organizations')
      .set({ position: this.#position })
      .where('id', '=', this.organizationId)
      .execute()
    return { base: this.#base, head: this.#position, rows: this.#rows }
  }

  async #insert(rows: readonly LogRow[]): Promise<void> {
    // Yields, because serializing many message IDs takes several milliseconds.
    const pause = createYielder()
    const values = []
    for (const row of rows) {
      await pause()
      values.push({
        organization_id: this.organizationId,
        position: row.position,
        type: row.type,
        ref_id: row.refId,
        audience: JSON.stringify(row.audience),
        payload: packPayload(row.payload),
        changes: row.changes === null ? null : JSON.stringify(row.changes),
        recorded_at: this.now,
      })
    }
    await this.db.insertInto('events').values(values).execute()
  }

  #append(
    type: string,
    payload: LogRow['payload'],
    audience: Audience,
    refId: number | null,
    actorId: number | null = null,
  ): number {
    const position = this.nextId()
    const changes = this.#changes.length > 0 ? this.#changes : null
    this.#changes = []
    this.#rows.push({ position, type, refId, audience, payload, changes })
    this.#actorIds.push(actorId)
    return position
  }
}
