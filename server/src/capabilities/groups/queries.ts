import type { Kysely } from 'kysely'
import type { Fold, World } from '../../kernel/fold.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { GroupSettingValue, UserGroup } from './contract/index.ts'
import type { GroupPermission } from './contract/permissions.ts'

export interface Group {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly creatorId: number | null
  readonly dateCreated: number | null
  readonly isSystemGroup: boolean
  readonly deactivated: boolean
  readonly permissions: Readonly<Record<GroupPermission, GroupSettingValue>>
  /** Direct members. System groups list theirs too, though roles decide who is in them. */
  readonly members: Set<number>
  readonly subgroupIds: readonly number[]
}

export interface GroupsState {
  /** In the order of their ids, which is the order in which they were made. */
  readonly byId: Map<number, Group>
  readonly byName: Map<string, Group>
}

export type GroupChange =
  | { readonly group: Omit<Group, 'members'> }
  | { readonly groupId: number; readonly add?: readonly number[]; readonly remove?: readonly number[] }

/** Every group with its direct members and subgroups. */
export const groupsFold: Fold<GroupsState, GroupChange> = {
  name: 'groups',
  empty: () => ({ byId: new Map(), byName: new Map() }),
  async load(state, database, organizationId) {
    // The fold reads its own capability's tables.
    const db = database as unknown as Kysely<Tables>
    const groups = await db
      .selectFrom('user_groups')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    const members = await db
      .selectFrom('group_members')
      .select(['group_id', 'user_id'])
      .where('organization_id', '=', organizationId)
      .execute()
    const subgroups = await db
      .selectFrom('group_subgroups')
      .select(['group_id', 'subgroup_id'])
      .where('organization_id', '=', organizationId)
      .orderBy('subgroup_id')
      .execute()
    for (const row of groups) {
      put(state, {
        id: row.id,
        name: row.name,
        description: row.description,
        creatorId: row.creator_id,
        dateCreated: row.date_created,
        isSystemGroup: row.is_system_group,
        deactivated: row.deactivated,
        // Written only by this capability's actions, in this shape.
        permissions: row.permissions as Record<GroupPermission, GroupSettingValue>,
        subgroupIds: subgroups.filter((link) => link.group_id === row.id).map((link) => link.subgroup_id),
      })
    }
    for (const { group_id, user_id } of members) state.byId.get(group_id)?.members.add(user_id)
  },
  put(state, change) {
    if ('group' in change) {
      put(state, change.group)
      return
    }
    const group = state.byId.get(change.groupId)
    for (const userId of change.add ?? []) group?.members.add(userId)
    for (const userId of change.remove ?? []) group?.members.delete(userId)
  },
}

function put(state: GroupsState, change: Omit<Group, 'members'>): void {
  const previous = state.byId.get(change.id)
  const group = { ...change, members: previous?.members ?? new Set<number>() }
  state.byId.set(group.id, group)
  state.byName.set(group.name, group)
}

export function presentGroup(group: Group): UserGroup {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    date_created: group.dateCreated,
    members: [...group.members].toSorted((a, b) => a - b),
    direct_subgroup_ids: [...group.subgroupIds],
    is_system_group: group.isSystemGroup,
    deactivated: group.deactivated,
    ...group.permissions,
  }
}

export function presentGroups(world: World, includeDeactivated: boolean): UserGroup[] {
  return [...world.of(groupsFold).byId.values()]
    .filter((group) => includeDeactivated || !group.deactivated)
    .map(presentGroup)
}
