import { ROLE } from '../../../kernel/actor.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { EventOf, LoggedEvent } from '../../../kernel/event-binding.ts'
import { createYielder, turnOwner } from '../../../kernel/pauses.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { ClientForm, Viewer } from '../../../kernel/viewer.ts'
import type { ServerFacts, SharedFields, SnapshotContext } from '../../../platform/server-facts.ts'
import type { RealmPermission } from '../../groups/contract/permissions.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting, settingOf, organizationOf } from '../../organizations/queries/index.ts'
import type * as contract from '../contract/index.ts'
import { generatedAvatarPath, roleFlags } from '../contract/index.ts'
import {
  avatarFields,
  nonSystemUsers,
  notificationBot,
  userById,
  type UserRow,
  avatarFor,
  isoTime,
  UNKNOWN_USER_AVATAR_PATH,
  unknownSender,
} from './index.ts'
import { canSeeAddress, knownUser, knownUserByEmail } from '../rules/index.ts'
import { canSeeUser, isLimitedGuest, requireVisibleUser, visibleUser } from '../rules/visibility.ts'

export async function getUsers(
  { organization, actor }: Reader,
  input: Input<typeof contract.getUsers>,
): Promise<Output<typeof contract.getUsers>> {
  const named = input.user_ids === undefined ? undefined : new Set(input.user_ids)
  const wanted = named === undefined ? nonSystemUsers(organization) : [...named].map((id) => userById(organization, id))
  const shown = wanted
    .filter((row) => row !== undefined)
    .filter((row) => !row.isSystemBot && canSeeUser(organization, actor, row))
  const pause = createYielder(turnOwner(organization.id, actor.userId))
  const presented: contract.User[] = []
  for (const row of shown) {
    presented.push(presentRequestedUser(row, actor, input))
    await pause()
  }
  return { members: presented }
}

export function getUser(
  { organization, actor }: Reader,
  input: Input<typeof contract.getUser>,
): Output<typeof contract.getUser> {
  return { user: presentRequestedUser(requireVisibleUser(organization, actor, input.user_id), actor, input) }
}

export function getUserByEmail(
  { organization, actor }: Reader,
  input: Input<typeof contract.getUserByEmail>,
): Output<typeof contract.getUserByEmail> {
  return { user: presentRequestedUser(knownUserByEmail(organization, actor, input.email), actor, input) }
}

export function userAddedToEachClient(
  // The payload shows the new user with data that only that user may see.
  { payload: { person } }: EventOf<typeof contract.userAdded>,
  { organization, userId, form }: Viewer,
): Record<string, unknown> | undefined {
  const row = userById(organization, person.user_id)
  const viewer = { userId, role: knownUser(organization, userId).role }
  if (row === undefined || !canSeeUser(organization, viewer, row))
    return presentUnknownUserTo(organization, form, person.user_id)
  const seesAddress = canSeeAddress(viewer, row)
  return {
    person: {
      ...person,
      delivery_email: seesAddress ? person.delivery_email : null,
      avatar_url: form.clientExternalAvatar && isGeneratedAvatar(person) ? null : person.avatar_url,
    },
  }
}

/** Viewers who receive the event late may no longer see the new email address; a later event then sends them null. */
export function isUserUpdateWanted(
  { payload: { person } }: EventOf<typeof contract.userUpdated>,
  { organization, userId }: Viewer,
): boolean {
  const viewer = { userId, role: knownUser(organization, userId).role }
  const row = visibleUser(organization, viewer, person.user_id)
  const address = 'delivery_email' in person ? person.delivery_email : undefined
  return row !== undefined && (typeof address !== 'string' || canSeeAddress(viewer, row))
}

export function userUpdatedToClient(
  { payload }: EventOf<typeof contract.userUpdated>,
  { form }: Viewer,
): Readonly<Record<string, unknown>> {
  const { person } = payload
  if (!form.clientExternalAvatar || !('avatar_source' in person) || person.avatar_source === 'U') return payload
  return { person: { ...person, avatar_url: null, avatar_url_medium: null } }
}

/** Clients without the capability `user_list_incomplete` keep hidden users in their lists, but without names. */
export function isUserRemovedWanted(_event: LoggedEvent, { form }: Viewer): boolean {
  return form.capabilities.user_list_incomplete
}

export function ownUserSnapshot(
  { organization, userId }: Viewer,
  { server }: SnapshotContext,
): Record<string, unknown> {
  const own = knownUser(organization, userId)
  return { ...ownUserFields(organization, own, server), ...avatarFields(own) }
}

export function sharedPeopleFields({ organization, userId, form }: Viewer): SharedFields {
  const own = knownUser(organization, userId)
  const anybody = { userId: NO_USER_ID, role: own.role }
  // Users with the same role see the same list, unless the list shows a user their own hidden email address.
  const isUsual = !isLimitedGuest(organization, anybody) && canSeeAddress(anybody, own)
  return {
    key: isUsual ? `${own.role} ${form.clientExternalAvatar}` : undefined,
    make: (projections) => peopleFieldsFor(projections, isUsual ? anybody : { userId, role: own.role }, form),
  }
}

export function spectatorPeopleFields(): Record<string, unknown> {
  return { realm_users: [], realm_non_active_users: [], cross_realm_bots: [] }
}

function isGeneratedAvatar({ user_id, avatar_version, avatar_url }: contract.User): boolean {
  return avatar_url === generatedAvatarPath(user_id, avatar_version)
}

const NO_USER_ID = 0

function peopleFieldsFor(organization: OrganizationState, viewer: Member, form: ClientForm): Record<string, unknown> {
  const isKnown = isLimitedGuest(organization, viewer)
    ? (row: UserRow) => canSeeUser(organization, viewer, row)
    : () => true
  const listed = nonSystemUsers(organization).flatMap((row) => {
    if (isKnown(row)) return [presentUserWithProfile(row, viewer, form.clientExternalAvatar)]
    return presentUnknownUserTo(organization, form, row.id)?.person ?? []
  })
  const bot = presentUser(notificationBot(organization), viewer, form.clientExternalAvatar)
  return {
    realm_users: listed.filter((person) => person.is_active),
    realm_non_active_users: listed.filter((person) => !person.is_active),
    cross_realm_bots: [{ ...bot, is_system_bot: true }],
  }
}

function presentUnknownUserTo(
  organization: OrganizationState,
  form: ClientForm,
  userId: number,
): { person: contract.User } | undefined {
  if (form.capabilities.user_list_incomplete) return undefined
  return { person: presentUnknownUser(organization, userId, form.clientExternalAvatar) }
}

function presentRequestedUser(
  row: UserRow,
  viewer: Member,
  input: { client_external_avatar: boolean; include_custom_profile_fields: boolean },
): contract.User {
  const present = input.include_custom_profile_fields ? presentUserWithProfile : presentUser
  return present(row, viewer, input.client_external_avatar)
}

function ownUserFields(organization: OrganizationState, own: UserRow, server: ServerFacts): Record<string, unknown> {
  const may = (name: RealmPermission): boolean =>
    isCovered(organization, { userId: own.id, role: own.role }, groupSetting(organization, name))
  return {
    user_id: own.id,
    email: own.email,
    delivery_email: own.deliveryEmail,
    full_name: own.fullName,
    ...roleFlags(own.role),
    is_moderator: own.role === ROLE.moderator,
    can_create_streams: may('can_create_public_channel_group') || may('can_create_private_channel_group'),
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams:
      server.webPublicChannels &&
      settingOf(organization, 'enable_spectator_access') &&
      may('can_create_web_public_channel_group'),
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
}

function presentUser(row: UserRow, viewer: Member, externalAvatar: boolean): contract.User {
  return {
    user_id: row.id,
    delivery_email: canSeeAddress(viewer, row) ? row.deliveryEmail : null,
    email: row.email,
    full_name: row.fullName,
    date_joined: isoTime(row.dateJoined),
    is_active: row.isActive,
    ...roleFlags(row.role),
    is_billing_admin: false,
    is_bot: row.botType !== null,
    bot_type: row.botType,
    bot_owner_id: row.botOwnerId,
    role: row.role,
    timezone: row.timezone,
    avatar_url: avatarFor(row, externalAvatar),
    avatar_version: row.avatarVersion,
  }
}

export function presentUserWithProfile(row: UserRow, viewer: Member, externalAvatar: boolean): contract.User {
  const shown = presentUser(row, viewer, externalAvatar)
  return row.botType === null ? { ...shown, profile_data: row.profile } : shown
}

function presentUnknownUser(organization: OrganizationState, userId: number, externalAvatar: boolean): contract.User {
  const { dateCreated } = organizationOf(organization)
  return {
    user_id: userId,
    delivery_email: null,
    ...unknownSender(organization, userId),
    date_joined: isoTime(dateCreated),
    is_active: true,
    ...roleFlags(ROLE.member),
    is_billing_admin: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: ROLE.member,
    timezone: '',
    avatar_url: externalAvatar ? null : UNKNOWN_USER_AVATAR_PATH,
    avatar_version: 1,
    profile_data: {},
  }
}
