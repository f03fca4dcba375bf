import { BODY_BYTES, formRequest, createList, rawRequest, uploadRequest } from '../requests.js'
import { CONTROL_CHARACTER, HEAVY_TEXTS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)
const MEMBERS_AT_ONCE = 10_000
const PEOPLE_IN_JSON = 45_000

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function peopleInputs({ me, email, users, others, group, groups, field, fields, bot }) {
  const everybody = users.slice(0, MEMBERS_AT_ONCE)
  const [other] = others
  const setting = { direct_members: everybody, direct_subgroups: groups }
  const data = fields.map((id) => ({ id, value: CONTROL_CHARACTER.repeat(500) }))
  const unknown = createList(PEOPLE_IN_JSON, (index) => 900_000_000 + index)
  return {
    getUsers: [
      formRequest('everyone with profiles', 'GET /users', {
        include_custom_profile_fields: true,
        client_external_avatar: false,
      }),
      formRequest('by ID', 'GET /users', {
        user_ids: users.slice(0, PEOPLE_IN_JSON),
        include_custom_profile_fields: true,
      }),
      formRequest('by missing IDs', 'GET /users', { user_ids: unknown }),
      formRequest('one person, repeated', 'GET /users', {
        user_ids: createList(PEOPLE_IN_JSON, () => me),
        include_custom_profile_fields: true,
      }),
    ],
    getUser: [formRequest('with profile', `GET /users/${me}`, { include_custom_profile_fields: true })],
    getUserByEmail: [
      formRequest('long address', `GET /users/${encodeURIComponent(`${'x'.repeat(900)}@a.b`)}`),
      formRequest('one', `GET /users/${encodeURIComponent(email)}`),
    ],
    getUserChannels: [formRequest('member of many channels', `GET /users/${me}/channels`)],
    updateOwnStatus: [formRequest('long', 'POST /users/me/status', { status_text: LONG_TEXT })],
    updateUserStatus: [formRequest('long', `POST /users/${me}/status`, { status_text: LONG_TEXT })],
    updateUser: [
      formRequest('full profile', `PATCH /users/${other}`, { profile_data: data }),
      formRequest('profile field listing everyone', `PATCH /users/${other}`, {
        profile_data: fields.map((id) => ({ id, value: users.slice(0, 400) })),
      }),
      formRequest('long name', `PATCH /users/${other}`, { full_name: LONG_TEXT }),
    ],
    updateUserByEmail: [
      formRequest('full profile', `PATCH /users/${encodeURIComponent(email)}`, { profile_data: data }),
    ],
    createUser: [
      formRequest('long', 'POST /users', {
        email: `${'x'.repeat(600_000)}@a.b`,
        full_name: 'x'.repeat(600_000),
        password: 'x'.repeat(600_000),
      }),
    ],
    updateOwnProfileData: [
      formRequest('everything', 'PATCH /users/me/profile_data', { data }),
      formRequest('expensive texts', 'PATCH /users/me/profile_data', {
        data: fields.map((id) => ({ id, value: HEAVY_TEXTS['formulas']?.slice(0, 500) })),
      }),
      formRequest('repeated people', 'PATCH /users/me/profile_data', {
        data: fields.map((id) => ({ id, value: createList(450, () => me) })),
      }),
      formRequest('one field listing everyone', 'PATCH /users/me/profile_data', {
        data: [{ id: field, value: users.slice(0, PEOPLE_IN_JSON) }],
      }),
      formRequest('2 MiB URL', 'PATCH /users/me/profile_data', {
        data: fields.map((id) => ({ id, value: `http://${'a.'.repeat(8_000)}` })),
      }),
    ],
    deleteOwnProfileData: [formRequest('everything', 'DELETE /users/me/profile_data', { data: fields })],
    getCustomProfileFields: [formRequest('maximum count', 'GET /realm/profile_fields')],
    createCustomProfileField: [
      formRequest('many choices', 'POST /realm/profile_fields', {
        name: 'Many',
        field_type: 3,
        field_data: Object.fromEntries(
          createList(16_000, (index) => [`c${index}`, { text: `Choice ${index}`, order: String(index) }]),
        ),
      }),
      formRequest('external account', 'POST /realm/profile_fields', {
        name: 'Account',
        field_type: 7,
        field_data: { subtype: 'custom', url_pattern: `https://a.b/${'%(username)s'.repeat(100_000)}` },
      }),
    ],
    reorderCustomProfileFields: [
      formRequest('all', 'PATCH /realm/profile_fields', { order: fields.toReversed() }),
      formRequest('too many fields', 'PATCH /realm/profile_fields', {
        order: createList(49_000, (index) => index + 1),
      }),
    ],
    updateCustomProfileField: [
      formRequest('many choices', `PATCH /realm/profile_fields/${field}`, {
        field_data: Object.fromEntries(
          createList(16_000, (index) => [`c${index}`, { text: `Choice ${index}`, order: index }]),
        ),
      }),
    ],
    deleteCustomProfileField: [formRequest('field that everyone filled in', `DELETE /realm/profile_fields/${field}`)],
    getUserGroups: [formRequest('all groups with members', 'GET /user_groups', { include_deactivated_groups: true })],
    getUserGroupMembers: [
      formRequest('everyone', `GET /user_groups/${group}/members`),
      formRequest('nested groups', `GET /user_groups/${groups.at(-1)}/members`),
    ],
    getUserGroupSubgroups: [formRequest('nested groups', `GET /user_groups/${groups.at(-1)}/subgroups`)],
    getIsUserGroupMember: [formRequest('nested groups', `GET /user_groups/${groups.at(-1)}/members/${other}`)],
    createUserGroup: [
      formRequest('everyone', 'POST /user_groups/create', {
        name: 'Everybody',
        description: '',
        members: everybody,
        subgroups: groups,
      }),
      formRequest('one member, repeated', 'POST /user_groups/create', {
        name: 'One',
        description: '',
        members: createList(MEMBERS_AT_ONCE, () => me),
      }),
      formRequest('permissions for everyone', 'POST /user_groups/create', {
        name: 'Set',
        description: '',
        members: [],
        can_manage_group: setting,
        can_mention_group: setting,
      }),
      formRequest('missing members', 'POST /user_groups/create', {
        name: 'None',
        description: '',
        members: unknown.slice(0, MEMBERS_AT_ONCE),
      }),
    ],
    updateUserGroup: [
      formRequest('permissions for everyone', `PATCH /user_groups/${group}`, {
        can_manage_group: { new: setting },
        can_mention_group: { new: setting },
      }),
      formRequest('permissions for one person, repeated', `PATCH /user_groups/${group}`, {
        can_manage_group: { new: { direct_members: createList(49_000, () => me), direct_subgroups: [] } },
      }),
    ],
    updateUserGroupMembers: [
      formRequest('remove everyone', `POST /user_groups/${group}/members`, { delete: everybody }),
      formRequest('add everyone', `POST /user_groups/${group}/members`, { add: everybody }),
      formRequest('missing members', `POST /user_groups/${group}/members`, { add: unknown.slice(0, MEMBERS_AT_ONCE) }),
    ],
    updateUserGroupSubgroups: [
      formRequest('long cycle', `POST /user_groups/${groups[0]}/subgroups`, { add: [groups.at(-1)] }),
      formRequest('all', `POST /user_groups/${group}/subgroups`, { add: groups }),
    ],
    deactivateUserGroup: [formRequest('large group', `POST /user_groups/${group}/deactivate`)],
    getPresence: [formRequest('everyone', 'GET /realm/presence')],
    getUserPresence: [
      formRequest('long address', `GET /users/${encodeURIComponent(`${'x'.repeat(900)}@a.b`)}/presence`),
    ],
    updatePresence: [
      formRequest('everyone', 'POST /users/me/presence', {
        status: 'active',
        last_update_id: -1,
        history_limit_days: 365_000,
        slim_presence: true,
      }),
      formRequest('everyone, legacy format', 'POST /users/me/presence', {
        status: 'active',
        history_limit_days: 365_000,
      }),
    ],
    getBots: [formRequest('all', 'GET /bots')],
    createBot: [
      formRequest('long names', 'POST /bots', { full_name: 'x'.repeat(1_000_000), short_name: 'x'.repeat(1_000_000) }),
    ],
    updateBot: [formRequest('long name', `PATCH /bots/${bot}`, { full_name: LONG_TEXT })],
    updateSettings: settingsRequests('/settings'),
    updateDisplaySettings: settingsRequests('/settings/display'),
    updateNotificationSettings: settingsRequests('/settings/notifications'),
    uploadAvatar: [
      uploadRequest('invalid image', 'POST /users/me/avatar', { name: 'a.png', content: Buffer.alloc(1_000_000, 'x') }),
    ],
    fetchApiKey: [
      rawRequest(
        'long values',
        'POST /fetch_api_key',
        `username=${'x'.repeat(1_000_000)}&password=${'x'.repeat(1_000_000)}`,
      ),
    ],
    devFetchApiKey: [formRequest('long address', 'POST /dev_fetch_api_key', { username: LONG_TEXT })],
    regenerateOwnApiKey: 'the other requests need the key',
    deactivateUser: [formRequest('member of many channels', `DELETE /users/${other}`)],
    reactivateUser: [formRequest('member of many channels', `POST /users/${other}/reactivate`)],
    deactivateOwnUser: 'same as deactivateUser, but the other requests need the user',
  }
}

/** @param {string} path */
function settingsRequests(path) {
  return [
    formRequest('long name', `PATCH ${path}`, { full_name: LONG_TEXT }),
    formRequest('long password', `PATCH ${path}`, {
      old_password: 'x'.repeat(1_000_000),
      new_password: 'x'.repeat(1_000_000),
    }),
    formRequest('long address', `PATCH ${path}`, { email: `${'x@'.repeat(300_000)}a.b` }),
  ]
}
