import type { Parley } from '../../../start.ts'
import { usersProjection } from '../queries/index.ts'
import { knownUser } from '../rules/index.ts'

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
