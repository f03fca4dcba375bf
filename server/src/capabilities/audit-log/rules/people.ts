import { isDeepStrictEqual } from 'node:util'
import { ROLE } from '../../../kernel/actor.ts'
import { credentialsChanged } from '../../authentication/contract.ts'
import { botCommandsUpdated, type DeclaredCommand } from '../../bot-commands/contract.ts'
import { commandsOf } from '../../bot-commands/queries.ts'
import { botUpdated } from '../../bots/contract.ts'
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from '../../groups/contract/index.ts'
import { groupById, type Group } from '../../groups/queries.ts'
import { userAdded, userUpdated } from '../../users/contract/index.ts'
import { userById, type UserRow } from '../../users/queries/index.ts'
import type { AuditChange, AuditTarget } from '../contract.ts'
import {
  describeNameListChange,
  describeChange,
  changeWithoutValues,
  describeEvent,
  type AuditDescription,
  type EventDescription,
  type AuditedEvent,
} from './described.ts'

const commandNames = (commands: readonly DeclaredCommand[]): string[] => commands.map(({ name }) => `/${name}`)

export const peopleDescriptions: readonly EventDescription[] = [
  describeEvent(userAdded, ({ organization, payload: { person } }) => {
    if (userById(organization, person.user_id) !== undefined) return []
    const target = { type: 'user', id: person.user_id, name: person.full_name } as const
    const role = person.is_bot || person.role === ROLE.member ? [] : describeChange('role', undefined, person.role)
    return [{ kind: person.is_bot ? 'bots' : 'people', action: 'created', target, changes: role }]
  }),
  describeEvent(userUpdated, (entry) => {
    const { organization, payload, actorId } = entry
    const user = userById(organization, payload.person.user_id)
    if (user === undefined) return []
    return describeUser(user, [
      ...accountChanges(user, payload.person),
      ...profileChangesByOthers(user, payload.person, user.id === actorId),
    ])
  }),
  // Omits the values: API keys are secret, and the URL of a webhook can contain a secret.
  describeEvent(botUpdated, ({ organization, payload: { bot } }) => {
    const user = userById(organization, bot.user_id)
    if (user === undefined) return []
    const changes = [
      ...(bot.api_key === undefined ? [] : changeWithoutValues('api_key')),
      ...(bot.services === undefined ? [] : changeWithoutValues('service')),
    ]
    return describeUser(user, changes)
  }),
  describeEvent(botCommandsUpdated, ({ organization, payload: { bot_id: id, commands } }) => {
    const user = userById(organization, id)
    const before = commandsOf(organization, id)
    // Skips events that only inform clients that a bot's unchanged commands are available again.
    if (user === undefined || isDeepStrictEqual(before, commands)) return []
    return describeUser(user, describeNameListChange('commands', commandNames(before), commandNames(commands)))
  }),
  describeEvent(credentialsChanged, ({ organization, payload: { user_id: id, what, before, after } }) => {
    const user = userById(organization, id)
    if (user === undefined) return []
    return describeUser(
      user,
      before === null && after === null ? changeWithoutValues(what) : describeChange(what, before, after),
    )
  }),
  describeEvent(groupAdded, ({ organization, payload: { group } }) => {
    if (group.is_system_group || groupById(organization, group.id) !== undefined) return []
    const members = group.members.length === 0 ? [] : describeChange('members', undefined, group.members)
    return [
      {
        kind: 'groups',
        action: 'created',
        target: { type: 'group', id: group.id, name: group.name },
        changes: members,
      },
    ]
  }),
  describeEvent(groupUpdated, ({ organization, payload: { group_id: id, data } }) => {
    const group = groupById(organization, id)
    if (group === undefined) return []
    const before: Readonly<Record<string, unknown>> = { ...group, ...group.permissions }
    return describeGroup(
      group,
      'changed',
      Object.entries(data).flatMap(([name, value]) => describeChange(name, before[name], value)),
    )
  }),
  describeEvent(groupMembersAdded, (entry) =>
    describeMembership(entry, entry.payload.user_ids, 'members_added', 'members'),
  ),
  describeEvent(groupMembersRemoved, (entry) =>
    describeMembership(entry, entry.payload.user_ids, 'members_removed', 'members'),
  ),
  describeEvent(subgroupsAdded, (entry) =>
    describeMembership(entry, entry.payload.direct_subgroup_ids, 'subgroups_added', 'subgroups'),
  ),
  describeEvent(subgroupsRemoved, (entry) =>
    describeMembership(entry, entry.payload.direct_subgroup_ids, 'subgroups_removed', 'subgroups'),
  ),
]

type PersonUpdate = AuditedEvent<{
  person: { readonly user_id: number } & Readonly<Record<string, unknown>>
}>['payload']['person']

function accountChanges(user: UserRow, person: PersonUpdate): AuditChange[] {
  return [
    ...('role' in person ? describeChange('role', user.role, person['role']) : []),
    ...('is_active' in person ? describeChange('is_active', user.isActive, person['is_active']) : []),
    ...('bot_owner_id' in person ? describeChange('bot_owner_id', user.botOwnerId, person['bot_owner_id']) : []),
  ]
}

function profileChangesByOthers(user: UserRow, person: PersonUpdate, isOwn: boolean): AuditChange[] {
  if (isOwn) return []
  return [
    ...('full_name' in person ? [{ property: 'full_name', to: String(person['full_name']) }] : []),
    ...(isNewAddress(user, person) ? changeWithoutValues('email') : []),
    ...('avatar_version' in person ? changeWithoutValues('avatar') : []),
    ...('custom_profile_field' in person ? changeWithoutValues('profile') : []),
  ]
}

/** Whether the address itself changed: the event is also sent if some users only gain or lose sight of it. */
function isNewAddress({ deliveryEmail }: UserRow, { delivery_email: entry }: PersonUpdate): boolean {
  return typeof entry === 'string' && entry !== deliveryEmail
}

function describeUser(user: UserRow, changes: readonly AuditChange[]): readonly AuditDescription[] {
  if (changes.length === 0) return []
  const target: AuditTarget = { type: 'user', id: user.id, name: user.fullName }
  return [{ kind: user.botType === null ? 'people' : 'bots', action: 'changed', target, changes: [...changes] }]
}

/** Omits membership changes of system groups, because they follow from role changes, which are audited. */
function describeGroup(group: Group, action: string, changes: readonly AuditChange[]): readonly AuditDescription[] {
  if (changes.length === 0 || (group.isSystemGroup && action !== 'changed')) return []
  return [{ kind: 'groups', action, target: { type: 'group', id: group.id, name: group.name }, changes: [...changes] }]
}

function describeMembership(
  { organization, payload: { group_id: id } }: AuditedEvent<{ readonly group_id: number }>,
  ids: readonly number[],
  action: string,
  property: string,
): readonly AuditDescription[] {
  const group = groupById(organization, id)
  return group === undefined ? [] : describeGroup(group, action, describeChange(property, undefined, ids))
}
