import { expect } from 'vitest'
import { capabilities } from '../capabilities.ts'
import type { Projection } from '../kernel/projection.ts'
import { consumerCursors } from '../platform/consumers/cursors.ts'
import { LoadedOrganizationState } from '../platform/log/organization-state.ts'
import type { Parley } from '../start.ts'

/**
 * Compares state loaded from the database with state applied from the log. Detects actions that change a projection
 * differently from the database.
 */
export async function expectProjectionsAsLoaded(parley: Parley): Promise<void> {
  // Safe: one list holds projections of different types, as in `capability`.
  const cursors = consumerCursors as Projection<never, never>
  const projections = [cursors, ...capabilities.flatMap((capability) => capability.projections)]
  for (const log of parley.logs.loaded()) {
    const load = async (): Promise<LoadedOrganizationState> =>
      LoadedOrganizationState.load(parley.database, log.organization.id, projections)
    let loaded = await load()
    await log.follower.catchUp()
    // A job can write while the state is loaded.
    while (log.organization.position > loaded.position) {
      loaded = await load()
      await log.follower.catchUp()
    }
    expect(log.organization.position).toBe(loaded.position)
    for (const projection of projections) {
      const { name } = projection
      expect(hiddenIn(log.organization.of<unknown>(projection), name)).toEqual([])
      expect({ name, state: log.organization.of<unknown>(projection) }).toStrictEqual({
        name,
        state: loaded.of<unknown>(projection),
      })
    }
  }
}

const COMPARED_PROTOTYPES: readonly unknown[] = [
  Object.prototype,
  null,
  Array.prototype,
  Map.prototype,
  Set.prototype,
  Buffer.prototype,
]

/** Finds private fields, closures, and WeakMaps, which comparison ignores. @param path name of the state */
export function hiddenIn(state: unknown, path: string): string[] {
  if (typeof state === 'function') return [path]
  if (typeof state !== 'object' || state === null) return []
  if (!COMPARED_PROTOTYPES.includes(Object.getPrototypeOf(state))) return [path]
  if (Buffer.isBuffer(state)) return []
  if (state instanceof Map) {
    return [...state].flatMap(([key, value]) =>
      [key, value].flatMap((one) => hiddenIn(one, `${path}.get(${String(key)})`)),
    )
  }
  if (state instanceof Set) return [...state].flatMap((one) => hiddenIn(one, `${path}.has(${String(one)})`))
  return Reflect.ownKeys(state).flatMap((key) => hiddenIn(Reflect.get(state, key), `${path}.${String(key)}`))
}
