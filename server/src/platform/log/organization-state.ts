import type { Kysely } from 'kysely'
import {
  RecentChanges,
  type Invalidation,
  type AnyProjection,
  type Projection,
  type OrganizationState,
} from '../../kernel/projection.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Database } from '../db/database.ts'
import { DatabaseBehindError } from '../db/unavailable.ts'
import type { LogRow } from './row.ts'

export class LoadedOrganizationState implements OrganizationState {
  readonly id: number
  position = 0
  readonly #states = new Map<string, unknown>()
  readonly #projections: ReadonlyMap<string, AnyProjection>
  readonly #changedAt = new Map<string, number>()
  readonly #invalidated = new Map<string, RecentChanges>()

  private constructor(organizationId: number, projections: readonly AnyProjection[]) {
    this.id = organizationId
    this.#projections = new Map(projections.map((projection) => [projection.name, projection]))
    for (const projection of projections) this.#states.set(projection.name, projection.empty())
  }

  static begin(organizationId: number, projections: readonly AnyProjection[]): LoadedOrganizationState {
    return new LoadedOrganizationState(organizationId, projections)
  }

  static async load(
    database: Pick<Database, 'snapshot'>,
    organizationId: number,
    projections: readonly AnyProjection[],
  ): Promise<LoadedOrganizationState> {
    const organization = new LoadedOrganizationState(organizationId, projections)
    await database.snapshot(async (db) => {
      const [position] = await Promise.all([
        readPosition(db, organizationId),
        // Safe: the state was created by this projection's own empty().
        ...projections.map((projection) =>
          projection.load(organization.#states.get(projection.name) as never, db, organizationId),
        ),
      ])
      organization.position = position
    })
    return organization
  }

  of<State>(projection: Projection<State, never>): State {
    // Safe: the state was created by the projection's own empty().
    return this.#states.get(projection.name) as State
  }

  changedAt({ name }: { readonly name: string }): number {
    return this.#changedAt.get(name) ?? 0
  }

  invalidatedSince<Change>({ name }: Invalidation<Change>, position: number): readonly Change[] | undefined {
    // Safe: `Tx.invalidate` stores changes of the invalidation's own type under this name.
    const recent = this.#invalidated.get(name)
    return recent === undefined ? [] : (recent.since(position) as readonly Change[] | undefined)
  }

  apply(row: LogRow): void {
    for (const { fold: name, change } of row.changes ?? []) {
      const projection = this.#projections.get(name)
      if (projection === undefined) {
        this.#invalidate(name, change, row.position)
        continue
      }
      projection.apply(this.#states.get(name) as never, change as never, row.position)
      this.#changedAt.set(name, row.position)
    }
    this.position = row.position
  }

  #invalidate(name: string, change: unknown, position: number): void {
    const recent = this.#invalidated.get(name) ?? new RecentChanges()
    this.#invalidated.set(name, recent)
    recent.add(change, position)
  }
}

export async function readPosition(db: Kysely<Tables>, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('organizations')
    .select('position')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow(() => new DatabaseBehindError(`organization ${organizationId} is missing`))
  return row.position
}
