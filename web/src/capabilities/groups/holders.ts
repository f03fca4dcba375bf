import type { groups } from '@parley/server/contract'
import { tl } from '../../kernel/later-texts.ts'
import { languageCode } from '../../kernel/strings.ts'
import { userById, userName } from '../users/state.ts'
import { groupById } from './members.ts'
import { coversUser, groupNamed } from './state.ts'

type GroupValue = groups.GroupSettingValue
export type Role = keyof ReturnType<typeof tl>['roles']['anywhere']

/** Values of all settings that grant a permission: to anyone, or only to people in the channel. */
export interface Holders {
  readonly anywhere: readonly GroupValue[]
  readonly inChannel: readonly GroupValue[]
}

export interface HolderNames {
  /** Names for the beginning of a sentence; empty if no one has the permission. */
  readonly names: readonly string[]
  /** Whether the verb after the names is in the singular. */
  readonly isSingular: boolean
}

/** Roles from the smallest to the largest group of people. */
const ROLES = ['owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone', 'internet'] as const
const ROLES_OF_EVERYONE: readonly Role[] = ['fullmembers', 'members', 'everyone', 'internet']

export function valuesOfRole(role: Role): readonly GroupValue[] {
  const group = groupNamed(`role:${role}`)
  return group === undefined ? [] : [group.id]
}

/**
 * Names holders in as few words as possible: the largest role, then groups, then people outside them. A role that stands
 * for everyone comes last, because "everyone except guests and Ada" would seem to exclude Ada.
 */
export function namesOfHolders({ anywhere, inChannel }: Holders): HolderNames {
  const role = largestRole(anywhere)
  const roleInChannel = largestRole(inChannel)
  const roles = [
    { is: role, texts: tl().roles.anywhere },
    { is: isLargerRole(roleInChannel, role) ? roleInChannel : undefined, texts: tl().roles.inChannel },
  ]
  const namesOf = (isEveryone: boolean): readonly string[] =>
    roles.flatMap(({ is, texts }) =>
      is !== undefined && ROLES_OF_EVERYONE.includes(is) === isEveryone ? texts[is] : [],
    )
  const valuesOf = (is: Role | undefined): readonly GroupValue[] => (is === undefined ? [] : valuesOfRole(is))
  const others = [
    ...new Set([
      ...namesNotCovered(anywhere, valuesOf(role)),
      ...namesNotCovered(inChannel, [...valuesOf(role), ...valuesOf(roleInChannel)]),
    ]),
  ]
  const before = namesOf(false)
  const names = [...before, ...others, ...namesOf(true)]
  const beginsWithRole = before.length > 0 || others.length === 0
  return {
    names: beginsWithRole ? names.map((name, index) => (index === 0 ? capitalize(name) : name)) : names,
    isSingular: names.length === 0 || (names.length === 1 && others.length === 1),
  }
}

/** Names everyone who has a permission, for the beginning of a sentence. */
export function holderNames(value: GroupValue): readonly string[] {
  const { names } = namesOfHolders({ anywhere: [value], inChannel: [] })
  return names.length === 0 ? [tl().groups.nobody] : names
}

function isLargerRole(one: Role | undefined, other: Role | undefined): boolean {
  return one !== undefined && (other === undefined || ROLES.indexOf(one) > ROLES.indexOf(other))
}

function largestRole(values: readonly GroupValue[]): Role | undefined {
  const names = groupsIn(values).map(({ name }) => name)
  return ROLES.findLast((role) => names.includes(`role:${role}`))
}

/** Returns the names of groups without a role, and of people whom neither these groups nor `covering` include. */
function namesNotCovered(values: readonly GroupValue[], covering: readonly GroupValue[]): readonly string[] {
  const own = groupsIn(values).filter(({ is_system_group: isRole, deactivated }) => !isRole && !deactivated)
  const all = [...covering, ...own.map(({ id }) => id)]
  const people = new Set(values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members)))
  const outside = [...people].filter(
    (id) => userById(id)?.is_active !== false && !all.some((value) => coversUser(id, value)),
  )
  return [...own.map(({ name }) => name), ...outside.map(userName)]
}

function groupsIn(values: readonly GroupValue[]): readonly groups.UserGroup[] {
  const ids = new Set(values.flatMap((value) => (typeof value === 'number' ? [value] : value.direct_subgroups)))
  return [...ids].flatMap((id) => groupById(id) ?? [])
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase(languageCode()) + text.slice(1)
}
