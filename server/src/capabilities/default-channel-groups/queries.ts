import { ROLE } from '../../kernel/actor.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { knownUser } from '../users/rules/index.ts'
import type { DefaultChannelGroup } from './contract.ts'

const ALL_GROUPS = `
  select name, description, id, channel_ids as streams
  from default_channel_groups where organization_id = $1 order by name_key`

export async function defaultChannelGroupsOf(db: Db, organizationId: number): Promise<DefaultChannelGroup[]> {
  return db.rows('default_channel_groups', ALL_GROUPS, [organizationId])
}

export async function defaultChannelGroupsSnapshot(
  db: Db,
  { organization, userId }: Viewer,
): Promise<Record<string, unknown>> {
  const isGuest = knownUser(organization, userId).role === ROLE.guest
  return { realm_default_stream_groups: isGuest ? [] : await defaultChannelGroupsOf(db, organization.id) }
}
