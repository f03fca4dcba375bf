import type { Parley } from '../../../start.ts'
import { organizationProjection, organizationOf } from '../queries/index.ts'

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
