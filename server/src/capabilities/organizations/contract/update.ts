import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { composedText, nothing, text } from '../../../kernel/schemas.ts'
import { parametersOf } from '../../../kernel/setting.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import { groupSettingUpdate } from '../../groups/contract/index.ts'
import { PERMISSIONS, OWNER_PERMISSIONS, type RealmPermission } from '../../groups/contract/permissions.ts'
import { MAX_ORGANIZATION_DESCRIPTION_CHARACTERS, MAX_ORGANIZATION_NAME_CHARACTERS } from './organization.ts'
import { wildcardMentionPolicies } from './events.ts'
import { REALM_SETTINGS, OWNER_SETTINGS, type RealmSettingName } from './settings.ts'

export const REALM_PERMISSIONS = keysOf(PERMISSIONS.realm)

export const OWNER_SETTINGS_AND_PERMISSIONS: readonly (RealmSettingName | RealmPermission)[] = [
  ...OWNER_SETTINGS,
  ...OWNER_PERMISSIONS,
]

const group = z.optional(groupSettingUpdate)
const groups = recordWith(REALM_PERMISSIONS, () => group)

// A union, because form values are parsed as numbers for unions, but not for a literal with several values.
const wildcardMentionPolicy = z.union(wildcardMentionPolicies().map((number) => z.literal(number)))

export const updateRealm = endpoint({
  id: 'updateRealm',
  method: 'PATCH',
  path: '/realm',
  summary: "Update the organization's name, description, and settings.",
  description:
    'Administrators can change most settings; others, such as `message_retention_days`, require an owner. In a ' +
    'browser, these and `enable_spectator_access` also require a recent confirmation.',
  since: 0,
  input: z.object({
    name: z.optional(composedText(MAX_ORGANIZATION_NAME_CHARACTERS)),
    description: z.optional(text(MAX_ORGANIZATION_DESCRIPTION_CHARACTERS)),
    ...parametersOf(REALM_SETTINGS),
    ...groups,
    /** Older form of `can_mention_many_users_group`: the number of a system group. */
    wildcard_mention_policy: z.optional(wildcardMentionPolicy),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'SYSTEM_GROUP_REQUIRED', 'EXPECTATION_MISMATCH', 'CONFIRMATION_REQUIRED'],
})
