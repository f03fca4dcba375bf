import { expect } from 'vitest'
import { capabilities } from '../capabilities.ts'
import { LoadedOrganizationState } from '../platform/log/organization-state.ts'
import type { Parley } from '../start.ts'

/**
 * Loads every organization anew from the database and compares it with what this process made of the log: a projection
 * that an action forgot to change, or changed to something else than what it wrote, differs here.
 */
export async function expectProjectionsAsLoaded(parley: Parley): Promise<void> {
  const projections = capabilities.flatMap((capability) => capability.projections)
  for (const log of parley.logs.loaded()) {
    await log.follower.catchUp()
    const loaded = await LoadedOrganizationState.load(parley.database, log.organization.id, projections)
    expect(log.organization.position).toBe(loaded.position)
    for (const projection of projections) {
      const { name } = projection
      expect({ name, state: log.organization.of<unknown>(projection) }).toStrictEqual({
        name,
        state: loaded.of<unknown>(projection),
      })
    }
  }
}
