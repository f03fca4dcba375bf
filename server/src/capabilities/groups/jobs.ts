import type { OrganizationLog } from '../../platform/log/organization-log.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { updateFullMembers } from './actions/manage.ts'
import { changesToFullMembers } from './actions/uses.ts'

/** Writes only if a waiting period is over. */
export async function promoteFullMembers(log: OrganizationLog): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const { add } = changesToFullMembers(log.organization, now, settingOf(log.organization, 'waiting_period_threshold'))
  if (add.length > 0) await log.write((tx) => updateFullMembers(tx))
}
