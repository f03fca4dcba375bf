import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ROLE, type Role } from '../../kernel/actor.ts'
import { keysOf, recordWith } from '../../kernel/keys.ts'
import { withState, type OrganizationState } from '../../kernel/projection.ts'
import { effort } from '../../testing/effort.ts'
import type { GroupSettingValue } from './contract/index.ts'
import { PERMISSIONS, SYSTEM_GROUPS } from './contract/permissions.ts'
import {
  groupById,
  groupsAfter,
  groupsProjection,
  isWithinGroup,
  membersOf,
  subgroupsOf,
  type GroupChange,
} from './queries.ts'
import { isCovered, includesGroup, systemGroupsOfRole } from './rules.ts'

/* Compares the projection, its closures, and its predictions with a simple model while random organizations change. */

const USERS = [101, 102, 103, 104, 105, 106]
const ROLES: readonly Role[] = [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.member, ROLE.guest]
const CUSTOM_GROUP_IDS = [21, 22, 23, 24, 25]

interface ModelGroup {
  readonly id: number
  readonly members: Set<number>
  readonly inner: Set<number>
  deactivated: boolean
}

type Model = Map<number, ModelGroup>

const step = fc.record({
  kind: fc.constantFrom('join', 'leave', 'nest', 'take out', 'switch', 'end', 'resume'),
  group: fc.constantFrom(...CUSTOM_GROUP_IDS),
  other: fc.constantFrom(...CUSTOM_GROUP_IDS, 2, 4, 5, 6, 7),
  user: fc.constantFrom(...USERS),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const value: fc.Arbitrary<GroupSettingValue> = fc.oneof(
  fc.constantFrom(...CUSTOM_GROUP_IDS, 1, 2, 3, 4, 5, 6, 7, 8, 99),
  fc.record({
    direct_members: fc.subarray(USERS),
    direct_subgroups: fc.subarray([...CUSTOM_GROUP_IDS, 1, 3, 5]),
  }),
)

/** Uses list positions as IDs, starting at 1. */
function initialModel(): { changes: GroupChange[]; model: Model } {
  const permissions = recordWith(keysOf(PERMISSIONS.group), () => 1)
  const changes: GroupChange[] = []
  const model: Model = new Map()
  const add = (id: number, name: string, isSystemGroup: boolean, subgroupIds: number[], members: number[]): void => {
    const group = { id, name, description: '', creatorId: null, dateCreated: null, isSystemGroup, subgroupIds }
    changes.push({ group: { ...group, deactivated: false, permissions } }, { groupId: id, add: members })
    model.set(id, { id, members: new Set(members), inner: new Set(subgroupIds), deactivated: false })
  }
  for (const [index, name] of SYSTEM_GROUPS.entries()) {
    const members = USERS.filter((_, user) => systemGroupsOf(user).some((own) => own === name))
    add(index + 1, name, true, index > 1 ? [index] : [], members)
  }
  for (const id of CUSTOM_GROUP_IDS) add(id, `Group ${id}`, false, [], [])
  return { changes, model }
}

/** The second user with the role member is still in the waiting period. */
function systemGroupsOf(user: number): readonly string[] {
  return systemGroupsOfRole(ROLES[user] ?? ROLE.guest, user !== 4)
}

/** Applies a step to the model. Returns the log's changes, or none if the action would fail. */
function applyStep(
  model: Model,
  organization: OrganizationState,
  { kind, group: groupId, other, user }: Step,
): GroupChange[] {
  const [group, outer] = [groupById(organization, groupId), model.get(groupId)]
  if (group === undefined || outer === undefined) return []
  const { members: _, ...kept } = group
  const restructured = (): GroupChange[] => [
    { group: { ...kept, deactivated: outer.deactivated, subgroupIds: [...outer.inner] } },
  ]
  const roleGroups = SYSTEM_GROUPS.flatMap((name, index) =>
    systemGroupsOf(USERS.indexOf(user)).includes(name) ? [index + 1] : [],
  )
  switch (kind) {
    case 'join':
      outer.members.add(user)
      return [{ groupId, add: [user] }]
    case 'leave':
      outer.members.delete(user)
      return [{ groupId, remove: [user] }]
    case 'nest':
      if (isWithinGroup(organization, groupId, other) !== containsGroup(model, other, groupId)) {
        throw new Error(
          `group ${groupId} inside ${other}: ${containsGroup(model, other, groupId)}, and the fold says otherwise`,
        )
      }
      if (containsGroup(model, other, groupId)) return []
      outer.inner.add(other)
      return restructured()
    case 'take out':
      outer.inner.delete(other)
      return restructured()
    case 'switch':
      outer.deactivated = !outer.deactivated
      return restructured()
    case 'end':
      for (const id of roleGroups) model.get(id)?.members.delete(user)
      return roleGroups.map((id) => ({ groupId: id, remove: [user] }))
    case 'resume':
      for (const id of roleGroups) model.get(id)?.members.add(user)
      return roleGroups.map((id) => ({ groupId: id, add: [user] }))
  }
}

/** Whether the outer group is or contains the inner group, even through deactivated groups. */
function containsGroup(model: Model, outerId: number, innerId: number): boolean {
  return outerId === innerId || [...(model.get(outerId)?.inner ?? [])].some((id) => containsGroup(model, id, innerId))
}

function isMember(model: Model, groupId: number, user: number): boolean {
  const group = model.get(groupId)
  if (group === undefined || group.deactivated) return false
  return group.members.has(user) || [...group.inner].some((id) => isMember(model, id, user))
}

function isActive(model: Model, user: number): boolean {
  return SYSTEM_GROUPS.some((_, index) => model.get(index + 1)?.members.has(user) === true)
}

function compare(organization: OrganizationState, model: Model, values: readonly GroupSettingValue[]): void {
  for (const group of model.values()) {
    const folded = groupById(organization, group.id)
    if (folded === undefined) throw new Error(`group ${group.id} is missing`)
    const insiders = USERS.filter((user) => isActive(model, user)).filter(
      (user) => group.members.has(user) || [...group.inner].some((id) => isMember(model, id, user)),
    )
    expect([group.id, [...membersOf(organization, folded, false)].toSorted((a, b) => a - b)]).toEqual([
      group.id,
      insiders.toSorted((a, b) => a - b),
    ])
    const inside = [...model.keys()].filter((id) => id !== group.id && activePath(model, group.id, id))
    expect(subgroupsOf(organization, folded, false).map(({ id }) => id)).toEqual(inside.toSorted((a, b) => a - b))
  }
  for (const setting of values) {
    const named = typeof setting === 'number' ? [setting] : setting.direct_subgroups
    for (const [index, user] of USERS.entries()) {
      if (!isActive(model, user)) continue
      const people = typeof setting === 'number' ? [] : setting.direct_members
      const expected = people.includes(user) || named.some((id) => isMember(model, id, user))
      const member = { userId: user, role: ROLES[index] ?? ROLE.guest }
      expect([setting, user, isCovered(organization, member, setting)]).toEqual([setting, user, expected])
    }
    for (const id of CUSTOM_GROUP_IDS) {
      const expected = named.some(
        (outer) => model.get(outer)?.deactivated === false && (outer === id || activePath(model, outer, id)),
      )
      expect([setting, id, includesGroup(organization, setting, id)]).toEqual([setting, id, expected])
    }
  }
}

function activePath(model: Model, outerId: number, innerId: number): boolean {
  return [...(model.get(outerId)?.inner ?? [])].some(
    (id) => model.get(id)?.deactivated === false && (id === innerId || activePath(model, id, innerId)),
  )
}

function emptyState(): OrganizationState {
  const nothing: OrganizationState = {
    id: 1,
    position: 0,
    of: () => {
      throw new Error('only groups are looked at')
    },
    changedAt: () => 0,
    invalidatedSince: () => [],
  }
  return withState(nothing, groupsProjection, groupsProjection.empty())
}

it('resolves nested group membership exactly as a model does after any change', () => {
  const property = fc.property(
    fc.array(step, { maxLength: 40 }),
    fc.array(value, { maxLength: 6 }),
    (steps, values) => {
      const organization = emptyState()
      const { changes, model } = initialModel()
      for (const change of changes) groupsProjection.apply(organization.of(groupsProjection), change, 0)
      compare(organization, model, values)
      for (const one of steps) {
        const changed = applyStep(model, organization, one)
        compare(groupsAfter(organization, changed), model, values)
        for (const change of changed) groupsProjection.apply(organization.of(groupsProjection), change, 0)
        compare(organization, model, values)
      }
    },
  )
  fc.assert(property, { numRuns: effort(100) })
})
