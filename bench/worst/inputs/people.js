import { BODY_BYTES, form, list, raw, upload } from '../requests.js'
import { CONTROL, HEAVY_TEXTS } from '../texts.js'

const LONG_TEXT = 'x'.repeat(BODY_BYTES - 1_000)
const MEMBERS_AT_ONCE = 10_000
const PEOPLE_IN_JSON = 45_000

/** @param {import('../known.js').Known} known @returns {import('../known.js').Inputs} */
export function peopleInputs({ me, email, users, others, group, groups, field, fields, bot }) {
  const everybody = users.slice(0, MEMBERS_AT_ONCE)
  const [other] = others
  const setting = { direct_members: everybody, direct_subgroups: groups }
  const data = fields.map((id) => ({ id, value: CONTROL.repeat(500) }))
  const unknown = list(PEOPLE_IN_JSON, (index) => 900_000_000 + index)
  return {
    getUsers: [
      form('everyone with profiles', 'GET /users', {
        include_custom_profile_fields: true,
        client_external_avatar: false,
      }),
      form('by ID', 'GET /users', {
        user_ids: users.slice(0, PEOPLE_IN_JSON),
        include_custom_profile_fields: true,
      }),
      form('by missing IDs', 'GET /users', { user_ids: unknown }),
      form('one person, repeated', 'GET /users', {
        user_ids: list(PEOPLE_IN_JSON, () => me),
        include_custom_profile_fields: true,
      }),
    ],
    getUser: [form('with profile', `GET /users/${me}`, { include_custom_profile_fields: true })],
    getUserByEmail: [
      form('long address', `GET /users/${encodeURIComponent(`${'x'.repeat(900)}@a.b`)}`),
      form('one', `GET /users/${encodeURIComponent(email)}`),
    ],
    getUserChannels: [form('member of many channels', `GET /users/${me}/channels`)],
    updateOwnStatus: [form('long', 'POST /users/me/status', { status_text: LONG_TEXT })],
    updateUserStatus: [form('long', `POST /users/${me}/status`, { status_text: LONG_TEXT })],
    updateUser: [
      form('full profile', `PATCH /users/${other}`, { profile_data: data }),
      form('profile field listing everyone', `PATCH /users/${other}`, {
        profile_data: fields.map((id) => ({ id, value: users.slice(0, 400) })),
      }),
      form('long name', `PATCH /users/${other}`, { full_name: LONG_TEXT }),
    ],
    updateUserByEmail: [form('full profile', `PATCH /users/${encodeURIComponent(email)}`, { profile_data: data })],
    createUser: [
      form('long', 'POST /users', {
        email: `${'x'.repeat(600_000)}@a.b`,
        full_name: 'x'.repeat(600_000),
        password: 'x'.repeat(600_000),
      }),
    ],
    updateOwnProfileData: [
      form('everything', 'PATCH /users/me/profile_data', { data }),
      form('expensive texts', 'PATCH /users/me/profile_data', {
        data: fields.map((id) => ({ id, value: HEAVY_TEXTS['formulas']?.slice(0, 500) })),
      }),
      form('repeated people', 'PATCH /users/me/profile_data', {
        data: fields.map((id) => ({ id, value: list(450, () => me) })),
      }),
      form('one field listing everyone', 'PATCH /users/me/profile_data', {
        data: [{ id: field, value: users.slice(0, PEOPLE_IN_JSON) }],
      }),
      form('2 MiB URL', 'PATCH /users/me/profile_data', {
        data: fields.map((id) => ({ id, value: `http://${'a.'.repeat(8_000)}` })),
      }),
    ],
    deleteOwnProfileData: [form('everything', 'DELETE /users/me/profile_data', { data: fields })],
    getCustomProfileFields: [form('maximum count', 'GET /realm/profile_fields')],
    createCustomProfileField: [
      form('many choices', 'POST /realm/profile_fields', {
        name: 'Many',
        field_type: 3,
        field_data: Object.fromEntries(
          list(16_000, (index) => [`c${index}`, { text: `Choice ${index}`, order: String(index) }]),
        ),
      }),
      form('external account', 'POST /realm/profile_fields', {
        name: 'Account',
        field_type: 7,
        field_data: { subtype: 'custom', url_pattern: `https://a.b/${'%(username)s'.repeat(100_000)}` },
      }),
    ],
    reorderCustomProfileFields: [
      form('all', 'PATCH /realm/profile_fields', { order: fields.toReversed() }),
      form('too many fields', 'PATCH /realm/profile_fields', { order: list(49_000, (index) => index + 1) }),
    ],
    updateCustomProfileField: [
      form('many choices', `PATCH /realm/profile_fields/${field}`, {
        field_data: Object.fromEntries(
          list(16_000, (index) => [`c${index}`, { text: `Choice ${index}`, order: index }]),
        ),
      }),
    ],
    deleteCustomProfileField: [form('field that everyone filled in', `DELETE /realm/profile_fields/${field}`)],
    getUserGroups: [form('all groups with members', 'GET /user_groups', { include_deactivated_groups: true })],
    getUserGroupMembers: [
      form('everyone', `GET /user_groups/${group}/members`),
      form('nested groups', `GET /user_groups/${groups.at(-1)}/members`),
    ],
    getUserGroupSubgroups: [form('nested groups', `GET /user_groups/${groups.at(-1)}/subgroups`)],
    getIsUserGroupMember: [form('nested groups', `GET /user_groups/${groups.at(-1)}/members/${other}`)],
    createUserGroup: [
      form('everyone', 'POST /user_groups/create', {
        name: 'Everybody',
        description: '',
        members: everybody,
        subgroups: groups,
      }),
      form('one member, repeated', 'POST /user_groups/create', {
        name: 'One',
        description: '',
        members: list(MEMBERS_AT_ONCE, () => me),
      }),
      form('permissions for everyone', 'POST /user_groups/create', {
        name: 'Set',
        description: '',
        members: [],
        can_manage_group: setting,
        can_mention_group: setting,
      }),
      form('missing members', 'POST /user_groups/create', {
        name: 'None',
        description: '',
        members: unknown.slice(0, MEMBERS_AT_ONCE),
      }),
    ],
    updateUserGroup: [
      form('permissions for everyone', `PATCH /user_groups/${group}`, {
        can_manage_group: { new: setting },
        can_mention_group: { new: setting },
      }),
      form('permissions for one person, repeated', `PATCH /user_groups/${group}`, {
        can_manage_group: { new: { direct_members: list(49_000, () => me), direct_subgroups: [] } },
      }),
    ],
    updateUserGroupMembers: [
      form('remove everyone', `POST /user_groups/${group}/members`, { delete: everybody }),
      form('add everyone', `POST /user_groups/${group}/members`, { add: everybody }),
      form('missing members', `POST /user_groups/${group}/members`, { add: unknown.slice(0, MEMBERS_AT_ONCE) }),
    ],
    updateUserGroupSubgroups: [
      form('long cycle', `POST /user_groups/${groups[0]}/subgroups`, { add: [groups.at(-1)] }),
      form('all', `POST /user_groups/${group}/subgroups`, { add: groups }),
    ],
    deactivateUserGroup: [form('large group', `POST /user_groups/${group}/deactivate`)],
    getPresence: [form('everyone', 'GET /realm/presence')],
    getUserPresence: [form('long address', `GET /users/${encodeURIComponent(`${'x'.repeat(900)}@a.b`)}/presence`)],
    updatePresence: [
      form('everyone', 'POST /users/me/presence', {
        status: 'active',
        last_update_id: -1,
        history_limit_days: 365_000,
        slim_presence: true,
      }),
      form('everyone, legacy format', 'POST /users/me/presence', {
        status: 'active',
        history_limit_days: 365_000,
      }),
    ],
    getBots: [form('all', 'GET /bots')],
    createBot: [
      form('long names', 'POST /bots', { full_name: 'x'.repeat(1_000_000), short_name: 'x'.repeat(1_000_000) }),
    ],
    updateBot: [form('long name', `PATCH /bots/${bot}`, { full_name: LONG_TEXT })],
    updateSettings: settingsRequests('/settings'),
    updateDisplaySettings: settingsRequests('/settings/display'),
    updateNotificationSettings: settingsRequests('/settings/notifications'),
    uploadAvatar: [
      upload('invalid image', 'POST /users/me/avatar', { name: 'a.png', content: Buffer.alloc(1_000_000, 'x') }),
    ],
    fetchApiKey: [
      raw('long values', 'POST /fetch_api_key', `username=${'x'.repeat(1_000_000)}&password=${'x'.repeat(1_000_000)}`),
    ],
    devFetchApiKey: [form('long address', 'POST /dev_fetch_api_key', { username: LONG_TEXT })],
    regenerateOwnApiKey: 'the other requests need the key',
    deactivateUser: [form('member of many channels', `DELETE /users/${other}`)],
    reactivateUser: [form('member of many channels', `POST /users/${other}/reactivate`)],
    deactivateOwnUser: 'same as deactivateUser, but the other requests need the user',
  }
}

/** @param {string} path */
function settingsRequests(path) {
  return [
    form('long name', `PATCH ${path}`, { full_name: LONG_TEXT }),
    form('long password', `PATCH ${path}`, {
      old_password: 'x'.repeat(1_000_000),
      new_password: 'x'.repeat(1_000_000),
    }),
    form('long address', `PATCH ${path}`, { email: `${'x@'.repeat(300_000)}a.b` }),
  ]
}
