import type { Kysely } from 'kysely'
import type { Fold, World } from '../../kernel/fold.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Database } from '../db/database.ts'
import type { LogRow } from './row.ts'

/** A fold whose state and change types only its own capability knows. */
export type AnyFold = Fold<never, never>

/** The one mutable world of an organization in this process; everybody else sees it as `World`. */
export class FoldedWorld implements World {
  readonly organizationId: number
  position = 0
  readonly #states = new Map<string, unknown>()
  readonly #folds: ReadonlyMap<string, AnyFold>
  readonly #changedAt = new Map<string, number>()

  private constructor(organizationId: number, folds: readonly AnyFold[]) {
    this.organizationId = organizationId
    this.#folds = new Map(folds.map((fold) => [fold.name, fold]))
    for (const fold of folds) this.#states.set(fold.name, fold.empty())
  }

  /** The world of an organization whose log is about to begin. */
  static begin(organizationId: number, folds: readonly AnyFold[]): FoldedWorld {
    return new FoldedWorld(organizationId, folds)
  }

  /** Reads every fold and the position they stand at from one consistent snapshot. */
  static async load(database: Database, organizationId: number, folds: readonly AnyFold[]): Promise<FoldedWorld> {
    const world = new FoldedWorld(organizationId, folds)
    await database.snapshot(async (db) => {
      const [position] = await Promise.all([
        positionOf(db, organizationId),
        // The state came from this very fold's empty(); folds read only tables they know.
        ...folds.map((fold) =>
          fold.load(world.#states.get(fold.name) as never, db as unknown as Kysely<never>, organizationId),
        ),
      ])
      world.position = position
    })
    return world
  }

  of<State>(fold: Fold<State, never>): State {
    // Stored under the fold's own name by its own empty().
    return this.#states.get(fold.name) as State
  }

  changedAt({ name }: { readonly name: string }): number {
    return this.#changedAt.get(name) ?? 0
  }

  /** Folds one event; its position becomes the world's. */
  fold(row: LogRow): void {
    for (const { fold: name, change } of row.changes ?? []) {
      const fold = this.#folds.get(name)
      // A newer version beside this one writes it, and nothing here asks for it.
      if (fold === undefined) continue
      fold.put(this.#states.get(name) as never, change as never, row.position)
      this.#changedAt.set(name, row.position)
    }
    this.position = row.position
  }
}

export async function positionOf(db: Kysely<Tables>, organizationId: number): Promise<number> {
  const row = await db
    .selectFrom('organizations')
    .select('position')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return row.position
}
