import { randomName } from '../../../platform/files/store.ts'
import { API_WORD, type CapabilitySamples } from '../../../testing/capability-samples.ts'
import { itemAt } from '../../../testing/look-up.ts'
import { parleyAt } from '../../../testing/server.ts'
import type { CapabilitySteps } from '../../../testing/steps.ts'
import { EXPORT_LIMIT, EXPORT_TYPE } from '../contract.ts'

declare module '../../../testing/capability-samples.ts' {
  interface Samples {
    readonly export_id: number
  }
}

export const samples: CapabilitySamples = {
  /** Uses up the limit on exports, because events about another finished export would disturb the tests. */
  async make({ id: organizationId, owner }) {
    const log = await parleyAt(owner.url).logs.of(organizationId)
    const ids = await log.write(async (tx) => {
      const rows = Array.from({ length: EXPORT_LIMIT.most }, () => ({
        organization_id: organizationId,
        id: tx.nextId(),
        acting_user_id: owner.id,
        export_type: EXPORT_TYPE.public,
        begun_at: tx.now,
        name: randomName(),
        completed_at: tx.now,
      }))
      await tx.db.insertInto('data_exports').values(rows).execute()
      return rows.map(({ id }) => id)
    })
    return { export_id: ids[0] ?? 0 }
  },
  names: { export_id: 'export' },
  namesNothing: { export_type: API_WORD },
  hidden: { export: { sample: 'export_id', of: 'another organization' } },
}

export const steps: CapabilitySteps = {
  steps: {
    'begin export': async ({ actor, what }) =>
      actor.try('POST', '/export/realm', { export_type: itemAt([1, 2], what) }),
    'consent to export': async ({ actor, what }) =>
      actor.try('PATCH', '/settings', { allow_private_data_export: what % 2 === 0 }),
  },
}
