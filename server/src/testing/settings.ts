import { organizationProjection, organizationOf } from '../capabilities/organizations/queries/index.ts'
import { usersProjection } from '../capabilities/users/queries/index.ts'
import { knownUser } from '../capabilities/users/rules/index.ts'
import type { Parley } from '../start.ts'

/** Changes settings of an organization as the database holds them: only what differs from the defaults. */
export async function changeSettings(
  parley: Parley,
  organizationId: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const log = await parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const organization = organizationOf(tx.organization)
    const settings = { ...organization.settings, ...changes }
    await tx.db
      .updateTable('organization_settings')
      .set({ settings: JSON.stringify(settings) })
      .where('organization_id', '=', organizationId)
      .execute()
    tx.change(organizationProjection, { ...organization, settings })
  })
}

/** The same for one user. */
export async function changeUserSettings(
  parley: Parley,
  organizationId: number,
  userId: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const log = await parley.logs.of(organizationId)
  await log.write(async (tx) => {
    const user = knownUser(tx.organization, userId)
    const settings = { ...user.settings, ...changes }
    await tx.db
      .updateTable('users')
      .set({ settings: JSON.stringify(settings) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .execute()
    tx.change(usersProjection, { ...user, settings })
  })
}
