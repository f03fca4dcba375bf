import { ROLE } from '../../../kernel/actor.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Member } from '../../groups/rules.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { roleFlags, type User } from '../contract/index.ts'
import { avatarFor, isoTime, UNKNOWN_AVATAR, unknownSender, type UserRow } from './index.ts'
import { canSeeAddress } from '../rules/index.ts'

export function presentUser(row: UserRow, viewer: Member, externalAvatar: boolean): User {
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

export function presentUserWithProfile(row: UserRow, viewer: Member, externalAvatar: boolean): User {
  const shown = presentUser(row, viewer, externalAvatar)
  return row.botType === null ? { ...shown, profile_data: row.profile } : shown
}

export function presentUnknown(organization: OrganizationState, userId: number, externalAvatar: boolean): User {
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
    avatar_url: externalAvatar ? null : UNKNOWN_AVATAR,
    avatar_version: 1,
    profile_data: {},
  }
}
