import type * as z from 'zod/mini'
import { ROLE } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { defaultsOf } from '../../kernel/setting.ts'
import type { ClientForm, Viewer } from '../../kernel/viewer.ts'
import { capability, command, query } from '../../platform/capability.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { groupSetting, setting } from '../organizations/queries.ts'
import { isCovered, type Member } from '../groups/rules.ts'
import type { RealmPermission } from '../groups/contract/permissions.ts'
import { changeProfile } from './actions/profile.ts'
import {
  createCustomProfileField,
  deleteCustomProfileField,
  reorderCustomProfileFields,
  updateCustomProfileField,
} from './actions/profile-fields.ts'
import * as contract from './contract/index.ts'
import {
  LEGACY_DISPLAY_SETTINGS,
  LEGACY_NOTIFICATION_SETTINGS,
  SETTING_CHOICES,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from './contract/settings.ts'
import {
  avatarFields,
  avatarPath,
  members,
  NEWEST_RECEIVED_MESSAGE,
  newUserSettings,
  notificationBot,
  userById,
  usersProjection,
  userSetting,
  type UserRow,
} from './queries.ts'
import { presentUnknown, presentUser, presentUserWithProfile } from './queries/present.ts'
import { profileFieldsOf, readProfileFields } from './queries/profile.ts'
import { sharedRoomsProjection } from './queries/shared-rooms.ts'
import { idsWithStatus, statusesProjection, statusOf } from './queries/status.ts'
import { knownUser, knownUserByEmail, canSeeAddress } from './rules.ts'
import { isLimitedGuest, knownTo, canSeeUser, viewingMember, visibleUser } from './rules/visibility.ts'

/** Users: accounts of people and bots, their roles and personal settings. */
export const users = capability({
  name: 'users',
  tables: ['users', 'custom_profile_fields', 'user_statuses'],
  projections: [usersProjection, sharedRoomsProjection, statusesProjection],
  routes: [
    query(contract.getUsers, ({ organization, actor }, input) => {
      const named = input.user_ids === undefined ? undefined : new Set(input.user_ids)
      const wanted = named === undefined ? members(organization) : [...named].map((id) => userById(organization, id))
      const shown = wanted
        .filter((row) => row !== undefined)
        .filter((row) => !row.isSystemBot && canSeeUser(organization, actor, row))
      return { members: shown.map((row) => show(row, actor, input)) }
    }),
    query(contract.getOwnUser, async ({ organization, actor, db, organizationId }) => {
      const own = knownUser(organization, actor.userId)
      const { bot_type: _, bot_owner_id: __, ...shown } = presentUserWithProfile(own, actor, false)
      const [newest] = await db.rows<{ id: number | null }>('newest_received_message', NEWEST_RECEIVED_MESSAGE, [
        organizationId,
        actor.userId,
      ])
      return {
        ...shown,
        avatar_url: avatarPath(own),
        delivery_email: own.deliveryEmail,
        max_message_id: newest?.id ?? -1,
      }
    }),
    query(contract.getUser, ({ organization, actor }, input) => ({
      user: show(knownTo(organization, actor, input.user_id), actor, input),
    })),
    query(contract.getUserByEmail, ({ organization, actor }, input) => ({
      user: show(knownUserByEmail(organization, actor, input.email), actor, input),
    })),
    query(contract.getCustomProfileFields, async ({ db, organizationId }) => ({
      custom_fields: await readProfileFields(db, organizationId),
    })),
    command(contract.createCustomProfileField, createCustomProfileField),
    command(contract.reorderCustomProfileFields, reorderCustomProfileFields),
    command(contract.updateCustomProfileField, updateCustomProfileField),
    command(contract.deleteCustomProfileField, deleteCustomProfileField),
    command(contract.updateOwnProfileData, async (tx, { data }, server) => {
      await changeProfile(tx, knownUser(tx.organization, tx.actor.userId), data, server)
      return {}
    }),
    command(contract.deleteOwnProfileData, async (tx, { data }, server) => {
      const nothing = data.map((id) => ({ id, value: null }))
      await changeProfile(tx, knownUser(tx.organization, tx.actor.userId), nothing, server)
      return {}
    }),
  ],
  events: [
    {
      event: contract.userAdded,
      toEachClient: ({ payload }, { organization, userId, form }) => {
        // The payload is the declared one: a person as the person is shown to itself.
        const { person } = payload as { person: contract.User }
        const row = userById(organization, person.user_id)
        const viewer = { userId, role: knownUser(organization, userId).role }
        if (row === undefined || !canSeeUser(organization, viewer, row))
          return unknownTo(organization, form, person.user_id)
        const seesAddress = canSeeAddress(viewer, row)
        return {
          person: {
            ...person,
            delivery_email: seesAddress ? person.delivery_email : null,
            avatar_url: form.clientExternalAvatar && isDrawn(person) ? null : person.avatar_url,
          },
        }
      },
    },
    {
      event: contract.userUpdated,
      isWanted: ({ payload }, { organization, userId }) => {
        // The payload is the declared one. Who reads it late may not see the address any more; the event that says so follows.
        const { person } = payload as { person: { user_id: number; delivery_email?: string | null } }
        const viewer = { userId, role: knownUser(organization, userId).role }
        const row = visibleUser(organization, viewer, person.user_id)
        return row !== undefined && (typeof person.delivery_email !== 'string' || canSeeAddress(viewer, row))
      },
      toClient: ({ payload }, { form }) => {
        // The payload is the declared one.
        const { person } = payload as { person: z.output<typeof contract.changedPerson> }
        if (!form.clientExternalAvatar || !('avatar_source' in person) || person.avatar_source === 'U') return payload
        return { person: { ...person, avatar_url: null, avatar_url_medium: null } }
      },
    },
    { event: contract.botDeleted },
    { event: contract.userRemoved, isWanted: (_event, { form }) => form.capabilities.user_list_incomplete },
    { event: contract.userSettingUpdated },
    { event: contract.displaySettingUpdated, isWanted: isForLegacyClients },
    { event: contract.notificationSettingUpdated, isWanted: isForLegacyClients },
    { event: contract.userSettingsDefaultUpdated },
    { event: contract.customProfileFieldsChanged },
    { event: contract.userStatusChanged },
  ],
  snapshot: [
    {
      eventTypes: ['realm_user'],
      observe: ({ organization, userId }, { server }) => {
        const own = knownUser(organization, userId)
        return { ...ownFields(organization, own, server), ...avatarFields(own) }
      },
      share: ({ organization, userId, form }) => {
        const own = knownUser(organization, userId)
        const anybody = { userId: NOBODY, role: own.role }
        // Of the same role everybody sees the same, but for an own address that is hidden from others.
        const isUsual = !isLimitedGuest(organization, anybody) && canSeeAddress(anybody, own)
        return {
          key: isUsual ? `${own.role} ${form.clientExternalAvatar}` : undefined,
          make: (projections) => peopleFor(projections, isUsual ? anybody : { userId, role: own.role }, form),
        }
      },
      // Whoever is not logged in knows nobody.
      spectatorFields: () => ({ realm_users: [], realm_non_active_users: [], cross_realm_bots: [] }),
    },
    {
      eventTypes: ['custom_profile_fields'],
      read: async (db, { organization }) => ({
        custom_profile_fields: await profileFieldsOf(db, organization.id),
        custom_profile_field_types: contract.FIELD_TYPES,
      }),
    },
    {
      eventTypes: ['user_status'],
      observe: (viewer) => {
        const { organization } = viewer
        const shown = [...idsWithStatus(organization)].filter(
          (userId) => visibleUser(organization, viewingMember(viewer), userId) !== undefined,
        )
        return { user_status: Object.fromEntries(shown.map((userId) => [userId, statusOf(organization, userId)])) }
      },
    },
    { eventTypes: ['realm'], observe: () => ({ realm_default_external_accounts: contract.EXTERNAL_ACCOUNTS }) },
    {
      eventTypes: ['user_settings'],
      observe: ({ organization, userId }) => ({ user_settings: personalSettings(knownUser(organization, userId)) }),
    },
    {
      eventTypes: ['update_display_settings'],
      observe: ({ organization, userId, form }) => {
        const own = knownUser(organization, userId)
        const legacy = legacySettings(own, LEGACY_DISPLAY_SETTINGS)
        return form.capabilities.user_settings_object
          ? {}
          : { ...legacy, timezone: own.timezone, emojiset_choices: SETTING_CHOICES.emojiset_choices }
      },
    },
    {
      eventTypes: ['update_global_notifications'],
      observe: ({ organization, userId, form }) => {
        const legacy = legacySettings(knownUser(organization, userId), LEGACY_NOTIFICATION_SETTINGS)
        const { available_notification_sounds } = SETTING_CHOICES
        return form.capabilities.user_settings_object ? {} : { ...legacy, available_notification_sounds }
      },
    },
    {
      eventTypes: ['realm_user_settings_defaults'],
      observe: ({ organization }) => ({
        realm_user_settings_defaults: {
          ...defaultsOf(USER_SETTINGS),
          ...newUserSettings(organization),
          ...SETTING_CHOICES,
        },
      }),
    },
  ],
})

/** Whether nobody uploaded the picture of a person. */
function isDrawn({ user_id, avatar_version, avatar_url }: contract.User): boolean {
  return avatar_url === contract.drawnAvatarPath(user_id, avatar_version)
}

/** No user has this id. */
const NOBODY = 0

/** Everybody in the organization, as one viewer sees them. */
function peopleFor(organization: OrganizationState, viewer: Member, form: ClientForm): Record<string, unknown> {
  const isKnown = isLimitedGuest(organization, viewer)
    ? (row: UserRow) => canSeeUser(organization, viewer, row)
    : () => true
  const listed = members(organization).flatMap((row) => {
    if (isKnown(row)) return [presentUserWithProfile(row, viewer, form.clientExternalAvatar)]
    return unknownTo(organization, form, row.id)?.person ?? []
  })
  const bot = presentUser(notificationBot(organization), viewer, form.clientExternalAvatar)
  return {
    realm_users: listed.filter((person) => person.is_active),
    realm_non_active_users: listed.filter((person) => !person.is_active),
    cross_realm_bots: [{ ...bot, is_system_bot: true }],
  }
}

/** Whom a client lists of whom its user knows nothing but the id: somebody without a name, or nobody. */
function unknownTo(
  organization: OrganizationState,
  form: ClientForm,
  userId: number,
): { person: contract.User } | undefined {
  if (form.capabilities.user_list_incomplete) return undefined
  return { person: presentUnknown(organization, userId, form.clientExternalAvatar) }
}

function show(
  row: UserRow,
  viewer: Member,
  input: { client_external_avatar: boolean; include_custom_profile_fields: boolean },
): contract.User {
  const present = input.include_custom_profile_fields ? presentUserWithProfile : presentUser
  return present(row, viewer, input.client_external_avatar)
}

/** `update_display_settings` and `update_global_notifications` say again what `user_settings` said. */
function isForLegacyClients(_event: unknown, { form }: Viewer): boolean {
  return !form.capabilities.user_settings_object
}

/** What the register response says of the user who asks. */
function ownFields(organization: OrganizationState, own: UserRow, server: ServerFacts): Record<string, unknown> {
  const may = (name: RealmPermission): boolean =>
    isCovered(organization, { userId: own.id, role: own.role }, groupSetting(organization, name))
  return {
    user_id: own.id,
    email: own.email,
    delivery_email: own.deliveryEmail,
    full_name: own.fullName,
    ...contract.roleFlags(own.role),
    is_moderator: own.role === ROLE.moderator,
    can_create_streams: may('can_create_public_channel_group') || may('can_create_private_channel_group'),
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams:
      server.webPublicChannels &&
      setting(organization, 'enable_spectator_access') &&
      may('can_create_web_public_channel_group'),
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
}

function personalSettings(own: UserRow): Record<string, unknown> {
  return {
    ...Object.fromEntries(USER_SETTING_NAMES.map((name) => [name, userSetting(own, name)])),
    timezone: own.timezone,
    ...SETTING_CHOICES,
  }
}

function legacySettings(own: UserRow, names: readonly UserSettingName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, userSetting(own, name)]))
}

/** For delivery: the role number of an active user. */
export function activeRole(organization: OrganizationState, userId: number): number | undefined {
  const user = userById(organization, userId)
  return user?.isActive === true ? user.role : undefined
}
