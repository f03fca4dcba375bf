import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event, type ClientState } from '../../../kernel/event.ts'
import { boolean, id, ids, integer, nothing, string } from '../../../kernel/schemas.ts'
import { groupsOf, isCoveredBy, type GroupSettingValue } from '../../groups/contract/index.ts'
import { applyBotEmail } from './bots.ts'

/** In code points. */
export const MAX_FULL_NAME = 100

export const role = z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)])

/** By the id of the field. */
const profileData = z.record(
  string,
  z.strictObject({
    value: string,
    /** HTML; only of fields that may hold Markdown. */
    rendered_value: z.optional(string),
  }),
)
export type ProfileData = z.output<typeof profileData>

/** A user as the API shows it. */
export const user = z.strictObject({
  user_id: id,
  delivery_email: z.nullable(string),
  email: string,
  full_name: string,
  /** ISO 8601. */
  date_joined: string,
  is_active: boolean,
  is_owner: boolean,
  is_admin: boolean,
  is_guest: boolean,
  is_billing_admin: boolean,
  is_bot: boolean,
  bot_type: z.nullable(integer),
  bot_owner_id: z.nullable(id),
  role,
  timezone: string,
  avatar_url: z.nullable(string),
  avatar_version: integer,
  /** Present only for people, and only when the client asked for it. */
  profile_data: z.optional(profileData),
})
export type User = z.output<typeof user>

const listing = {
  client_external_avatar: z._default(boolean, true),
  include_custom_profile_fields: z._default(boolean, false),
}

export const getUsers = endpoint({
  id: 'getUsers',
  method: 'GET',
  path: '/users',
  summary: 'List the users of the organization.',
  since: 0,
  forTokens: 'reading',
  input: z.object({ ...listing, user_ids: z.optional(ids) }),
  output: z.object({ members: z.array(user) }),
  errors: ['BAD_REQUEST'],
})

export const getUser = endpoint({
  id: 'getUser',
  method: 'GET',
  path: '/users/:user_id',
  summary: 'Show a user.',
  since: 1,
  forTokens: 'reading',
  input: z.object({ user_id: id, ...listing }),
  output: z.object({ user }),
  errors: ['BAD_REQUEST'],
})

export const getUserByEmail = endpoint({
  id: 'getUserByEmail',
  method: 'GET',
  path: '/users/:email',
  summary: 'Show the user with an e-mail address.',
  since: 39,
  forTokens: 'reading',
  input: z.object({ email: string, ...listing }),
  output: z.object({ user }),
  errors: ['BAD_REQUEST'],
})

export const getOwnUser = endpoint({
  id: 'getOwnUser',
  method: 'GET',
  path: '/users/me',
  summary: 'Show who is logged in.',
  since: 0,
  forTokens: 'reading',
  forChannelTokens: true,
  input: nothing,
  output: z.extend(z.omit(user, { bot_type: true, bot_owner_id: true }), {
    avatar_url: string,
    delivery_email: string,
    max_message_id: integer,
  }),
  errors: [],
})

const USER_LISTS = ['realm_users', 'realm_non_active_users'] as const

/** The two lists of users that the register response has: active and not. */
function usersOf(state: ClientState): { active: User[]; others: User[] } | undefined {
  if (state['realm_users'] === undefined) return undefined
  // The register response sets this field, in the shape that this capability declares.
  return { active: state['realm_users'] as User[], others: state['realm_non_active_users'] as User[] }
}

export const userAdded = event({
  type: 'realm_user',
  op: 'add',
  summary: 'A user joined the organization, or the receiver may know of the user now, or no longer.',
  payload: z.strictObject({ person: user }),
  touches: USER_LISTS,
  apply(state, { person }) {
    list(state, [...withoutUser(state, person.user_id), person])
  },
})

/** `G`: the picture is drawn by the server, or by the client. `U`: the user uploaded it. */
const avatarSource = z.enum(['G', 'U'])

/** The own picture in the register response. */
export interface OwnAvatar {
  readonly avatar_url: string
  readonly avatar_url_medium: string
  readonly avatar_source: z.output<typeof avatarSource>
}

/** The path of the picture that the server draws for a user. */
export function drawnAvatarPath(userId: number, version: number): string {
  return `/avatar/${userId}?version=${version}`
}

export const userRemoved = event({
  type: 'realm_user',
  op: 'remove',
  summary: 'The receiver, a guest, may no longer know of a user; for clients with `user_list_incomplete`.',
  payload: z.strictObject({ person: z.strictObject({ user_id: id }) }),
  touches: USER_LISTS,
  apply(state, { person }) {
    list(state, withoutUser(state, person.user_id))
  },
})

function withoutUser(state: ClientState, userId: number): User[] {
  const { active = [], others = [] } = usersOf(state) ?? {}
  return [...active, ...others].filter((known) => known.user_id !== userId)
}

/** Puts users into the two lists, where the client asked for them. */
function list(state: ClientState, users: readonly User[]): void {
  if (usersOf(state) === undefined) return
  const everybody = users.toSorted((a, b) => a.user_id - b.user_id)
  state['realm_users'] = everybody.filter((person) => person.is_active)
  state['realm_non_active_users'] = everybody.filter((person) => !person.is_active)
}

/** The fields that say of the client's own user what the lists say of everyone. */
const OWN_FIELDS = [
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'delivery_email',
  'email',
  'full_name',
  'is_admin',
  'is_guest',
  'is_moderator',
  'is_owner',
] as const

/** What changed about a person; the form says what. */
export const changedPerson = z.union([
  z.strictObject({ user_id: id, full_name: string }),
  z.strictObject({
    user_id: id,
    /** Null, as `avatar_url_medium`, for clients that draw pictures themselves where the user uploaded none. */
    avatar_url: z.nullable(string),
    avatar_url_medium: z.nullable(string),
    avatar_source: avatarSource,
    avatar_version: integer,
  }),
  z.strictObject({ user_id: id, bot_owner_id: id }),
  z.strictObject({ user_id: id, role }),
  z.strictObject({
    user_id: id,
    /** The API email. */
    email: string,
    timezone: string,
  }),
  z.strictObject({
    user_id: id,
    /** Null once the receiver may not see it any more. */
    delivery_email: z.nullable(string),
  }),
  z.strictObject({
    user_id: id,
    /** The API email. */
    new_email: string,
  }),
  z.strictObject({
    user_id: id,
    custom_profile_field: z.strictObject({
      id,
      /** Null where the person no longer says anything. */
      value: z.nullable(string),
      rendered_value: z.optional(string),
    }),
  }),
  z.strictObject({ user_id: id, is_active: boolean }),
])

export const userUpdated = event({
  type: 'realm_user',
  op: 'update',
  summary: 'A user changed.',
  payload: z.strictObject({ person: changedPerson }),
  touches: [...USER_LISTS, 'realm_bots', ...OWN_FIELDS],
  apply(state, { person }) {
    if ('new_email' in person) applyBotEmail(state, person.user_id, person.new_email)
    const users = usersOf(state)
    const known = [...(users?.active ?? []), ...(users?.others ?? [])].find(({ user_id }) => user_id === person.user_id)
    if (users === undefined || known === undefined) return
    const { user_id: ownId } = state as { user_id?: number }
    if ('custom_profile_field' in person) {
      applyProfileField(known, person.custom_profile_field)
      return
    }
    if ('new_email' in person) {
      known.email = person.new_email
      if (ownId === person.user_id) state['email'] = person.new_email
      return
    }
    if ('avatar_version' in person) {
      const { avatar_url, avatar_version, avatar_source, avatar_url_medium } = person
      Object.assign(known, { avatar_url, avatar_version })
      const drawn = drawnAvatarPath(person.user_id, avatar_version)
      // The own picture always has an address.
      const own = { avatar_source, avatar_url: avatar_url ?? drawn, avatar_url_medium: avatar_url_medium ?? drawn }
      if (ownId === person.user_id) Object.assign(state, own satisfies OwnAvatar)
      return
    }
    Object.assign(known, person)
    if ('delivery_email' in person && ownId === person.user_id) state['delivery_email'] = person.delivery_email
    if ('role' in person) {
      const flags = roleFlags(person.role)
      Object.assign(known, flags)
      if (ownId === person.user_id) {
        Object.assign(state, {
          is_owner: flags.is_owner,
          is_admin: flags.is_admin,
          is_guest: flags.is_guest,
          is_moderator: person.role === 300,
        })
      }
    }
    if ('full_name' in person && ownId === person.user_id) state['full_name'] = person.full_name
    if ('is_active' in person) list(state, [...users.active, ...users.others])
  },
})

function applyProfileField(
  person: User,
  { id: fieldId, ...said }: { id: number; value: string | null; rendered_value?: string | undefined },
): void {
  const { [String(fieldId)]: _, ...others } = person.profile_data ?? {}
  const { value, rendered_value } = said
  const rendered = rendered_value === undefined ? {} : { rendered_value }
  person.profile_data = value === null ? others : { ...others, [String(fieldId)]: { value, ...rendered } }
}

/** Fields of the register response that say what the client's own user may do, and the setting each is derived from. */
const OWN_PERMISSIONS = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_subscribe_other_users: 'realm_can_add_subscribers_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
} as const

/** The fields that `deriveOwnPermissions` derives. */
export const OWN_PERMISSION_FIELDS: readonly string[] = [...Object.keys(OWN_PERMISSIONS), 'can_create_streams']

/** The fields from which it derives them, beside the user. */
export const OWN_PERMISSION_SOURCES: ReadonlySet<string> = new Set([
  'realm_user_groups',
  ...Object.values(OWN_PERMISSIONS),
])

/**
 * Derives anew what the client's own user may do. No event says so, since it follows from groups and settings: a
 * client that has the user, the groups and the settings does this after each event that changes them.
 */
export function deriveOwnPermissions(state: ClientState): void {
  const groups = groupsOf(state)
  const { user_id: ownId } = state as { user_id?: number }
  if (ownId === undefined || groups.length === 0) return
  for (const [field, name] of Object.entries(OWN_PERMISSIONS)) {
    // The register response sets this field to a group setting, when the client asked for the organization.
    const value = state[name] as GroupSettingValue | undefined
    if (value !== undefined && state[field] !== undefined) state[field] = isCoveredBy(groups, ownId, value)
  }
  if (state['can_create_streams'] !== undefined) {
    state['can_create_streams'] =
      state['can_create_public_streams'] === true || state['can_create_private_streams'] === true
  }
}

/** What older clients read instead of the role. */
export function roleFlags(value: User['role']): Pick<User, 'is_owner' | 'is_admin' | 'is_guest'> {
  return { is_owner: value === 100, is_admin: value <= 200, is_guest: value === 600 }
}
