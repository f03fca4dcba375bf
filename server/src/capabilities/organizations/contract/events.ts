import * as z from 'zod/mini'
import { event, type ClientState } from '../../../kernel/event.ts'
import { boolean, integer, string } from '../../../kernel/schemas.ts'
import { groupSettingValue, groupsOf, type GroupSettingValue } from '../../groups/contract/index.ts'
import { SYSTEM_GROUPS, type RealmPermission, type SystemGroupName } from '../../groups/contract/permissions.ts'

export const realmUpdated = event({
  type: 'realm',
  op: 'update',
  summary: 'A setting of the organization changed.',
  payload: z.strictObject({ property: string, value: z.union([boolean, integer, string, z.null()]) }),
  touches: [],
  touchesNamed: ({ property }) => stateFieldsOf(property),
  apply(state, { property, value }) {
    setField(state, property, value)
  },
})

export const realmSettingsUpdated = event({
  type: 'realm',
  op: 'update_dict',
  summary: 'Related settings of the organization changed, or settings that name groups.',
  payload: z.strictObject({
    property: z.enum(['default', 'icon', 'logo', 'night_logo']),
    data: z.record(string, z.union([boolean, integer, string, z.null(), groupSettingValue])),
  }),
  touches: [],
  touchesNamed: ({ data }) => Object.keys(data).flatMap(stateFieldsOf),
  apply(state, { data }) {
    for (const [name, value] of Object.entries(data)) setField(state, name, value)
  },
})

function stateFieldsOf(name: string): string[] {
  const legacy = LEGACY_POLICIES.filter(({ setting }) => setting === name).map(({ policy }) => `realm_${policy}`)
  const others = name === 'message_edit_history_visibility_policy' ? ['realm_allow_edit_history'] : legacy
  return [`realm_${name}`, ...others]
}

function setField(state: ClientState, name: string, value: unknown): void {
  const field = `realm_${name}`
  if (state[field] === undefined) return
  state[field] = value
  if (name === 'message_edit_history_visibility_policy') state['realm_allow_edit_history'] = value !== 'none'
  const legacy = LEGACY_POLICIES.find((policy) => policy.setting === name)
  if (legacy === undefined) return
  const groups = groupsOf(state)
  if (groups.length === 0) return
  const group = groups.find(({ id }) => id === value)
  // Safe: only permission settings have a legacy policy.
  state[`realm_${legacy.policy}`] = legacyPolicy(legacy, value as GroupSettingValue, group?.name)
}

interface LegacyPolicy {
  readonly policy: string
  readonly setting: RealmPermission
  readonly numbers: Partial<Record<SystemGroupName, number>>
  /** Strictest policy, for groups that have no number, so that clients offer nothing that the server rejects. */
  readonly otherwise: number
}

const CHANNEL_CREATOR_NUMBERS = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
} as const

export const LEGACY_POLICIES: readonly LegacyPolicy[] = [
  {
    policy: 'create_public_stream_policy',
    setting: 'can_create_public_channel_group',
    numbers: CHANNEL_CREATOR_NUMBERS,
    otherwise: 2,
  },
  {
    policy: 'create_private_stream_policy',
    setting: 'can_create_private_channel_group',
    numbers: CHANNEL_CREATOR_NUMBERS,
    otherwise: 2,
  },
  {
    policy: 'create_web_public_stream_policy',
    setting: 'can_create_web_public_channel_group',
    numbers: { 'role:administrators': 2, 'role:moderators': 4, 'role:nobody': 6, 'role:owners': 7 },
    otherwise: 6,
  },
  {
    policy: 'wildcard_mention_policy',
    setting: 'can_mention_many_users_group',
    numbers: {
      'role:everyone': 1,
      'role:members': 2,
      'role:fullmembers': 3,
      'role:administrators': 5,
      'role:nobody': 6,
      'role:moderators': 7,
    },
    otherwise: 6,
  },
]

const WILDCARD_MENTION_NUMBERS =
  LEGACY_POLICIES.find(({ policy }) => policy === 'wildcard_mention_policy')?.numbers ?? {}

export function wildcardMentionPolicies(): number[] {
  return Object.values(WILDCARD_MENTION_NUMBERS)
}

export function wildcardMentionGroup(number: number): SystemGroupName | undefined {
  return SYSTEM_GROUPS.find((name) => WILDCARD_MENTION_NUMBERS[name] === number)
}

export function legacyPolicy(
  { numbers, otherwise }: LegacyPolicy,
  value: GroupSettingValue,
  name: string | undefined,
): number {
  if (typeof value !== 'number' || name === undefined) return otherwise
  return Object.entries(numbers).find(([group]) => group === name)?.[1] ?? otherwise
}
