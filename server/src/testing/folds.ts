import { expect } from 'vitest'
import { capabilities } from '../capabilities.ts'
import { FoldedWorld } from '../platform/log/world.ts'
import type { Parley } from '../start.ts'

/**
 * Loads every organization anew from the database and compares it with what this process folded from the log: a fold
 * that an action forgot to change, or changed to something else than what it wrote, differs here.
 */
export async function expectFoldsAsLoaded(parley: Parley): Promise<void> {
  const folds = capabilities.flatMap((capability) => capability.folds)
  for (const log of parley.logs.loaded()) {
    await log.follower.catchUp()
    const loaded = await FoldedWorld.load(parley.database, log.world.organizationId, folds)
    expect(log.world.position).toBe(loaded.position)
    for (const fold of folds) {
      const { name } = fold
      expect({ name, state: log.world.of<unknown>(fold) }).toStrictEqual({ name, state: loaded.of<unknown>(fold) })
    }
  }
}
