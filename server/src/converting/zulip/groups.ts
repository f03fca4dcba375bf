import { PERMISSIONS, SYSTEM_GROUPS, type SystemGroupName } from '../../capabilities/groups/contract/permissions.ts'
import type { Conversion } from '../convert.ts'
import type { Account } from '../new-account.ts'
import { type PermissionHolders, convertPermissions } from './permissions.ts'
import {
  zulipBareGroup,
  zulipGroup,
  zulipGroupInGroup,
  zulipGroupMember,
  type ZulipGroup,
  type ZulipTables,
  readRows,
  toUnixSeconds,
} from './records.ts'

/** Limited, because each nesting is checked for cycles. */
const MAX_GROUP_NESTINGS = 10_000

/** Role groups, named groups, and unnamed groups created for permissions. */
export class ZulipGroups {
  readonly #roles = new Map<number, SystemGroupName>()
  readonly #named = new Map<number, { readonly id: number; readonly isActive: boolean }>()
  readonly #nameless = new Set<number>()
  readonly #partial = new Set<number>()
  readonly #members = new Map<number, Set<number>>()
  readonly #inner = new Map<number, Set<number>>()

  static async read(
    tables: ZulipTables,
    accounts: ReadonlyMap<number, Account>,
    conversion: Conversion,
  ): Promise<ZulipGroups> {
    const { organization, leftOut } = conversion
    const groups = new ZulipGroups()
    const given = tables.zerver_namedusergroup ?? tables.zerver_usergroup
    const made: [there: number, group: ZulipGroup][] = []
    for (const group of readRows('zerver_namedusergroup', given, zulipGroup, leftOut)) {
      const there = group.usergroup_ptr ?? group.id
      if (there === undefined || groups.#named.has(there)) continue
      // Older exports have an @ before the names of role groups.
      const role = SYSTEM_GROUPS.find((name) => name === group.name.replace(/^@/, ''))
      if (group.is_system_group === true) {
        if (role !== undefined) groups.#roles.set(there, role)
        continue
      }
      groups.#named.set(there, { id: organization.next(), isActive: group.deactivated !== true })
      made.push([there, group])
    }
    groups.#readMembers(tables, accounts, conversion)
    for (const [there, group] of made) await groups.#write(there, group, accounts, conversion)
    return groups
  }

  /** Returns undefined if the group is missing or deactivated. */
  holdersOf(there: unknown): PermissionHolders | undefined {
    if (typeof there !== 'number') return undefined
    const role = this.#roles.get(there)
    if (role !== undefined) return { roles: [role], groups: [], people: [] }
    const named = this.#named.get(there)
    if (named !== undefined) return named.isActive ? { roles: [], groups: [named.id], people: [] } : undefined
    if (!this.#nameless.has(there)) return undefined
    const inner = [...(this.#inner.get(there) ?? [])]
    const isKnown = (one: number): boolean => this.#roles.has(one) || this.#named.has(one)
    if (!inner.every(isKnown)) return undefined
    return {
      roles: inner.flatMap((one) => this.#roles.get(one) ?? []),
      groups: inner.flatMap((one) => {
        const group = this.#named.get(one)
        return group?.isActive === true ? [group.id] : []
      }),
      people: [...(this.#members.get(there) ?? [])],
      isPartial: this.#partial.has(there) || inner.some((one) => this.#named.get(one)?.isActive === false),
    }
  }

  #readMembers(tables: ZulipTables, accounts: ReadonlyMap<number, Account>, { leftOut }: Conversion): void {
    for (const { id } of readRows('zerver_usergroup', tables.zerver_usergroup, zulipBareGroup, leftOut)) {
      if (!this.#roles.has(id) && !this.#named.has(id)) this.#nameless.add(id)
    }
    const members = readRows('zerver_usergroupmembership', tables.zerver_usergroupmembership, zulipGroupMember, leftOut)
    for (const { user_group: group, user_profile: user } of members) {
      const account = accounts.get(user)
      if (account === undefined) this.#partial.add(group)
      else addToSet(this.#members, group, account.id)
    }
    const nested = readRows(
      'zerver_groupgroupmembership',
      tables.zerver_groupgroupmembership,
      zulipGroupInGroup,
      leftOut,
    )
    if (nested.length > MAX_GROUP_NESTINGS)
      leftOut.add('nested groups over the limit', undefined, nested.length - MAX_GROUP_NESTINGS)
    for (const { supergroup } of nested.slice(MAX_GROUP_NESTINGS)) this.#partial.add(supergroup)
    for (const { supergroup, subgroup } of nested.slice(0, MAX_GROUP_NESTINGS)) {
      if (this.#isWithin(supergroup, subgroup)) leftOut.add('groups that contain themselves', String(supergroup))
      else addToSet(this.#inner, supergroup, subgroup)
    }
  }

  #isWithin(group: number, outer: number): boolean {
    const reached = new Set([outer])
    for (const one of reached) for (const inner of this.#inner.get(one) ?? []) reached.add(inner)
    return reached.has(group)
  }

  async #write(
    there: number,
    group: ZulipGroup,
    accounts: ReadonlyMap<number, Account>,
    conversion: Conversion,
  ): Promise<void> {
    const { organization, leftOut, carried } = conversion
    const id = this.#named.get(there)?.id ?? 0
    const permissions = convertPermissions(group, PERMISSIONS.group, this, `group ${group.name}`, conversion)
    const subgroups: number[] = []
    for (const one of this.#inner.get(there) ?? []) {
      const role = this.#roles.get(one)
      const inner = role === undefined ? this.#named.get(one)?.id : organization.groupId(role)
      if (inner === undefined) leftOut.add('groups missing from the export', String(one))
      else subgroups.push(inner)
    }
    if (subgroups.length > 0) carried.add('nested groups', group.name, subgroups.length)
    await organization.addGroup({
      id,
      there: String(there),
      name: group.name,
      description: group.description ?? '',
      isDeactivated: group.deactivated === true,
      creatorId: accounts.get(group.creator ?? 0)?.id,
      createdAt: toUnixSeconds(group.date_created),
      permissions,
      memberIds: this.#members.get(there) ?? new Set(),
      subgroupIds: subgroups,
    })
  }
}

function addToSet(sets: Map<number, Set<number>>, key: number, value: number): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(value))
}
