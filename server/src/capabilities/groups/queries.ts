import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { caseKey } from '../../kernel/case-key.ts'
import { withState, type Projection, type OrganizationState } from '../../kernel/projection.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { entriesOf, keysOf, recordWith } from '../../kernel/keys.ts'
import type { SharedFields } from '../../platform/server-facts.ts'
import type { GroupSettingValue, UserGroup } from './contract/index.ts'
import { omittedPermissions, PERMISSIONS, SYSTEM_GROUPS, type GroupPermission } from './contract/permissions.ts'
import type * as contract from './contract/index.ts'

export interface Group {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly creatorId: number | null
  readonly dateCreated: number | null
  readonly isSystemGroup: boolean
  readonly deactivated: boolean
  readonly permissions: Readonly<Record<GroupPermission, GroupSettingValue>>
  /** Direct members, including deactivated users. Roles decide who is in role groups, except in `role:fullmembers`. */
  readonly members: Set<number>
  readonly subgroupIds: readonly number[]
}

export interface GroupsState {
  /** Ordered by ID, and thus by creation. */
  readonly byId: Map<number, Group>
  readonly byName: Map<string, Group>
}

export type GroupChange =
  | { readonly group: Omit<Group, 'members'> }
  | { readonly groupId: number; readonly add?: readonly number[]; readonly remove?: readonly number[] }

export const groupsProjection: Projection<GroupsState, GroupChange> = {
  name: 'groups',
  takesRights({ byId }, change) {
    // Changes to a system group's members revoke nothing, because the role decides who is in it.
    if (!('group' in change))
      return (change.remove ?? []).length > 0 && byId.get(change.groupId)?.isSystemGroup !== true
    const previous = byId.get(change.group.id)
    return previous !== undefined && !isDeepStrictEqual(membershipFieldsOf(previous), membershipFieldsOf(change.group))
  },
  empty: () => ({ byId: new Map(), byName: new Map() }),
  async load(state, db, organizationId) {
    const groups = await db
      .selectFrom('user_groups')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    const members = await db
      .selectFrom('group_members')
      .select(['group_id', sql<number[]>`array_agg(user_id)`.as('userIds')])
      .where('organization_id', '=', organizationId)
      .groupBy('group_id')
      .execute()
    const subgroups = await db
      .selectFrom('group_subgroups')
      .select(['group_id', 'subgroup_id'])
      .where('organization_id', '=', organizationId)
      .orderBy('subgroup_id')
      .execute()
    for (const row of groups) {
      putGroup(state, {
        id: row.id,
        name: row.name,
        description: row.description,
        creatorId: row.creator_id,
        dateCreated: row.date_created,
        isSystemGroup: row.is_system_group,
        deactivated: row.deactivated,
        // Safe: only this capability's actions write this column, in this shape.
        permissions: row.permissions as Record<GroupPermission, GroupSettingValue>,
        subgroupIds: subgroups.filter((link) => link.group_id === row.id).map((link) => link.subgroup_id),
      })
    }
    for (const { group_id, userIds } of members) {
      const group = state.byId.get(group_id)
      for (const userId of userIds) group?.members.add(userId)
    }
  },
  apply(state, change) {
    if ('group' in change) {
      putGroup(state, change.group)
      return
    }
    const group = state.byId.get(change.groupId)
    for (const userId of change.add ?? []) group?.members.add(userId)
    for (const userId of change.remove ?? []) group?.members.delete(userId)
  },
}

function membershipFieldsOf({ deactivated, permissions, subgroupIds }: Omit<Group, 'members'>): unknown {
  return { deactivated, permissions, subgroupIds }
}

function putGroup(state: GroupsState, change: Omit<Group, 'members'>): void {
  const previous = state.byId.get(change.id)
  if (previous !== undefined) state.byName.delete(caseKey(previous.name))
  storeGroup(state, { ...change, members: previous?.members ?? new Set<number>() })
  subgroupCaches.delete(state)
}

function storeGroup(state: GroupsState, group: Group): void {
  state.byId.set(group.id, group)
  state.byName.set(caseKey(group.name), group)
}

export function groupsAfter(organization: OrganizationState, changes: readonly GroupChange[]): OrganizationState {
  const { byId, byName } = organization.of(groupsProjection)
  const state: GroupsState = { byId: new Map(byId), byName: new Map(byName) }
  for (const change of changes) {
    const group = 'group' in change ? undefined : state.byId.get(change.groupId)
    if (group !== undefined) storeGroup(state, { ...group, members: new Set(group.members) })
    groupsProjection.apply(state, change, organization.position)
  }
  return withState(organization, groupsProjection, state)
}

const subgroupCaches = new WeakMap<GroupsState, Map<number, readonly Group[]>>()

/** Includes the group itself. Deactivated groups count as empty. */
export function groupAndSubgroups(groups: GroupsState, groupId: number): readonly Group[] {
  let known = subgroupCaches.get(groups)
  if (known === undefined) {
    known = new Map()
    subgroupCaches.set(groups, known)
  }
  let closure = known.get(groupId)
  if (closure === undefined) {
    closure = subgroupsWithin(groups, groupId, (group) => !group.deactivated)
    known.set(groupId, closure)
  }
  return closure
}

/** Includes the group itself. Follows only groups that `isWanted` accepts. */
function subgroupsWithin(groups: GroupsState, groupId: number, isWanted: (group: Group) => boolean): Group[] {
  const reached = new Set([groups.byId.get(groupId)])
  for (const group of reached) {
    if (group === undefined || !isWanted(group)) reached.delete(group)
    else for (const id of group.subgroupIds) reached.add(groups.byId.get(id))
  }
  return [...reached].filter((group) => group !== undefined)
}

export function isWithinGroup(organization: OrganizationState, groupId: number, outerId: number): boolean {
  return subgroupsWithin(organization.of(groupsProjection), outerId, () => true).some((group) => group.id === groupId)
}

export function groupById(organization: OrganizationState, groupId: number): Group | undefined {
  return organization.of(groupsProjection).byId.get(groupId)
}

export function groupByName(organization: OrganizationState, name: string): Group | undefined {
  return organization.of(groupsProjection).byName.get(caseKey(name))
}

export function isActiveUser(organization: OrganizationState, userId: number): boolean {
  return createActiveUserTest(organization)(userId)
}

function createActiveUserTest(organization: OrganizationState): (userId: number) => boolean {
  const groups = SYSTEM_GROUPS.map((name) => groupByName(organization, name))
  return (userId) => groups.some((group) => group?.members.has(userId) === true)
}

export function activeMembers(organization: OrganizationState, group: Group): number[] {
  return [...activeMembersIn(organization, [group])].toSorted((a, b) => a - b)
}

function activeMembersIn(organization: OrganizationState, groups: Iterable<Group>): Set<number> {
  const isActive = createActiveUserTest(organization)
  const members = new Set<number>()
  for (const group of groups) {
    for (const userId of group.members) if (group.isSystemGroup || isActive(userId)) members.add(userId)
  }
  return members
}

export function subgroupsOf(organization: OrganizationState, group: Group, directOnly: boolean): Group[] {
  const groups = organization.of(groupsProjection)
  const subgroups = directOnly
    ? new Set(group.subgroupIds.map((id) => groups.byId.get(id)))
    : new Set(group.subgroupIds.flatMap((id) => groupAndSubgroups(groups, id)))
  return [...subgroups].filter((inner) => inner !== undefined).toSorted((a, b) => a.id - b.id)
}

export function membersOf(organization: OrganizationState, group: Group, directOnly: boolean): Set<number> {
  return directOnly ? activeMembersIn(organization, [group]) : membersOfAll(organization, [group])
}

export function membersOfAll(organization: OrganizationState, groups: readonly Group[]): Set<number> {
  return activeMembersIn(
    organization,
    new Set(groups.flatMap((group) => [group, ...subgroupsOf(organization, group, false)])),
  )
}

/** Omits deactivated users. */
export function presentSetting(organization: OrganizationState, value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  return { ...value, direct_members: value.direct_members.filter((userId) => isActiveUser(organization, userId)) }
}

export function presentSettings<Name extends string>(
  organization: OrganizationState,
  values: Readonly<Record<Name, GroupSettingValue>>,
): Record<Name, GroupSettingValue> {
  return recordWith(keysOf(values), (name) => presentSetting(organization, values[name]))
}

export function settingsReferencingUser<Name extends string>(
  organization: OrganizationState,
  values: Readonly<Record<Name, GroupSettingValue>>,
  userId: number,
): [Name, GroupSettingValue][] {
  return entriesOf(values)
    .filter(([, value]) => typeof value === 'object' && value.direct_members.includes(userId))
    .map(([name, value]) => [name, presentSetting(organization, value)])
}

export function presentGroup(organization: OrganizationState, group: Group): UserGroup {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    date_created: group.dateCreated,
    members: activeMembers(organization, group),
    direct_subgroup_ids: [...group.subgroupIds],
    is_system_group: group.isSystemGroup,
    deactivated: group.deactivated,
    ...presentSettings(organization, group.permissions),
  }
}

export function presentGroups(organization: OrganizationState, includeDeactivated: boolean): UserGroup[] {
  return [...organization.of(groupsProjection).byId.values()]
    .filter((group) => includeDeactivated || !group.deactivated)
    .map((group) => presentGroup(organization, group))
}

/** All users can see all groups. @throws ApiError BAD_REQUEST for a missing group */
export function knownGroup(organization: OrganizationState, groupId: number): Group {
  const group = groupById(organization, groupId)
  if (group === undefined) throw new ApiError('BAD_REQUEST', 'Invalid user group')
  return group
}

export function getUserGroups(
  { organization }: Reader,
  input: Input<typeof contract.getUserGroups>,
): Output<typeof contract.getUserGroups> {
  return { user_groups: presentGroups(organization, input.include_deactivated_groups) }
}

export function getUserGroupMembers(
  { organization }: Reader,
  input: Input<typeof contract.getUserGroupMembers>,
): Output<typeof contract.getUserGroupMembers> {
  const members = membersOf(organization, knownGroup(organization, input.user_group_id), input.direct_member_only)
  return { members: [...members].toSorted((a, b) => a - b) }
}

export function getUserGroupSubgroups(
  { organization }: Reader,
  input: Input<typeof contract.getUserGroupSubgroups>,
): Output<typeof contract.getUserGroupSubgroups> {
  const group = knownGroup(organization, input.user_group_id)
  return { subgroups: subgroupsOf(organization, group, input.direct_subgroup_only).map(({ id }) => id) }
}

/** Whether the client knows the group: an event about a deactivated group has the group's ID as `refId`. */
export function knowsGroup({ refId }: LoggedEvent, { form }: Viewer): boolean {
  return refId === null || form.capabilities.include_deactivated_groups
}

/** Whether the client sees the deactivation of a group as removal, and its reactivation as addition. */
export function seesDeactivationAsRemoval(event: LoggedEvent, viewer: Viewer): boolean {
  return !knowsGroup(event, viewer)
}

export function isGroupAddedWanted(event: LoggedEvent, viewer: Viewer): boolean {
  return event.refId === null || seesDeactivationAsRemoval(event, viewer)
}

export function sharedGroups({ form: { capabilities } }: Viewer): SharedFields {
  return {
    key: String(capabilities.include_deactivated_groups),
    make: (organization) => ({
      realm_user_groups: presentGroups(organization, capabilities.include_deactivated_groups),
    }),
  }
}

export function sharedPermissionSettings({ form: { capabilities } }: Viewer): SharedFields {
  const omitted = omittedPermissions(capabilities)
  const realm = Object.fromEntries(Object.entries(PERMISSIONS.realm).filter(([name]) => !omitted.includes(name)))
  return { key: omitted.join(), make: () => ({ server_supported_permission_settings: { ...PERMISSIONS, realm } }) }
}
