import type { Role } from '../../../kernel/actor.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Projection, OrganizationState } from '../../../kernel/projection.ts'
import { defaultsOf, mergeSettings } from '../../../kernel/setting.ts'
import { organizationOf, settingOf } from '../../organizations/queries/index.ts'
import type { BotChannel } from '../contract/bots.ts'
import { generatedAvatarPath, type OwnAvatar, type ProfileData } from '../contract/index.ts'
import { USER_SETTINGS, type UserSettingName, type UserSettingValue } from '../contract/settings.ts'

export type BotHabits = Readonly<Record<BotChannel, number | null>> & { readonly default_all_public_streams: boolean }

export const NO_BOT_HABITS: BotHabits = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

export interface UserRow {
  readonly id: number
  /** API email: the real address, or a placeholder while the real address is hidden from some users. */
  readonly email: string
  readonly deliveryEmail: string
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  readonly botType: number | null
  readonly botOwnerId: number | null
  readonly isSystemBot: boolean
  readonly dateJoined: number
  readonly timezone: string
  readonly avatarVersion: number
  readonly avatarFile: string | null
  /** Only settings that differ from their defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly profile: Readonly<ProfileData>
  readonly botHabits: BotHabits
}

export interface UsersState {
  readonly byId: Map<number, UserRow>
  /** Users by `caseKey` of both their API email and their real email. */
  readonly byEmail: Map<string, UserRow>
  readonly byName: Map<string, Set<number>>
  readonly bots: Map<number, UserRow>
  readonly away: Set<number>
  notificationBot: UserRow | undefined
}

type NewestField = 'profile' | 'botHabits'
type UserRowChange = Omit<UserRow, NewestField> & Partial<Pick<UserRow, NewestField>>

/** All columns except `email_key` and `delivery_email_key`, which are derived from other columns. */
export const USER_COLUMNS = [
  'id',
  'email',
  'delivery_email',
  'full_name',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'is_system_bot',
  'date_joined',
  'timezone',
  'avatar_version',
  'avatar_file',
  'settings',
  'profile_data',
  'bot_habits',
] as const

export const usersProjection: Projection<UsersState, UserRow> = {
  name: 'users',
  takesRights({ byId }, row) {
    const previous = byId.get(row.id)
    if (previous === undefined) return false
    const mayLess = (previous.isActive && !row.isActive) || row.role > previous.role
    const isHidden = (['email_address_visibility', 'public_name'] as const).some(
      (name) => userSetting(previous, name) !== userSetting(row, name),
    )
    return mayLess || isHidden || previous.botOwnerId !== row.botOwnerId
  },
  empty: () => ({
    byId: new Map(),
    byEmail: new Map(),
    byName: new Map(),
    bots: new Map(),
    away: new Set(),
    notificationBot: undefined,
  }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('users')
      .select(USER_COLUMNS)
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    for (const row of rows) {
      usersProjection.apply(
        state,
        {
          id: row.id,
          email: row.email,
          deliveryEmail: row.delivery_email,
          fullName: row.full_name,
          // Safe: a check constraint allows only roles.
          role: row.role as Role,
          isActive: row.is_active,
          botType: row.bot_type,
          botOwnerId: row.bot_owner_id,
          isSystemBot: row.is_system_bot,
          dateJoined: row.date_joined,
          timezone: row.timezone,
          avatarVersion: row.avatar_version,
          avatarFile: row.avatar_file,
          settings: row.settings,
          profile: row.profile_data,
          botHabits: { ...NO_BOT_HABITS, ...row.bot_habits },
        },
        0,
      )
    }
  },
  apply(state, change) {
    const previous = state.byId.get(change.id)
    const row = mergeUserRow(previous, change)
    if (previous !== undefined) {
      state.byEmail.delete(caseKey(previous.email))
      state.byEmail.delete(caseKey(previous.deliveryEmail))
    }
    if (previous?.fullName !== row.fullName) {
      const namesakes = previous === undefined ? undefined : state.byName.get(previous.fullName)
      namesakes?.delete(row.id)
      if (namesakes?.size === 0) state.byName.delete(previous?.fullName ?? '')
      state.byName.set(row.fullName, (state.byName.get(row.fullName) ?? new Set()).add(row.id))
    }
    state.byId.set(row.id, row)
    state.byEmail.set(caseKey(row.email), row)
    state.byEmail.set(caseKey(row.deliveryEmail), row)
    if (row.botType !== null) state.bots.set(row.id, row)
    if (isAway(row)) state.away.add(row.id)
    else state.away.delete(row.id)
    if (row.isSystemBot) state.notificationBot = row
  },
}

/** Keeps new fields that an older server does not send. Spreading the objects would make reads ten times as slow. */
function mergeUserRow(previous: UserRow | undefined, change: UserRowChange): UserRow {
  return {
    id: change.id,
    email: change.email,
    deliveryEmail: change.deliveryEmail,
    fullName: change.fullName,
    role: change.role,
    isActive: change.isActive,
    botType: change.botType,
    botOwnerId: change.botOwnerId,
    isSystemBot: change.isSystemBot,
    dateJoined: change.dateJoined,
    timezone: change.timezone,
    avatarVersion: change.avatarVersion,
    avatarFile: change.avatarFile,
    settings: change.settings,
    profile: change.profile ?? previous?.profile ?? {},
    botHabits: change.botHabits ?? previous?.botHabits ?? NO_BOT_HABITS,
  }
}

export function isAway(row: UserRow): boolean {
  return row.botType === null && !userSetting(row, 'presence_enabled')
}

export function userById(organization: OrganizationState, userId: number): UserRow | undefined {
  return organization.of(usersProjection).byId.get(userId)
}

export function usersByFullName(organization: OrganizationState, fullName: string): UserRow[] {
  const ids = organization.of(usersProjection).byName.get(fullName.normalize('NFC')) ?? []
  return [...ids].map((id) => userById(organization, id)).filter((user) => user !== undefined)
}

export function nonSystemUsers(organization: OrganizationState): UserRow[] {
  return [...organization.of(usersProjection).byId.values()].filter((user) => !user.isSystemBot)
}

export function notificationBot(organization: OrganizationState): UserRow {
  const bot = organization.of(usersProjection).notificationBot
  if (bot === undefined) throw new Error(`organization ${organization.id} has no notification bot`)
  return bot
}

export function userByEmail(organization: OrganizationState, email: string): UserRow | undefined {
  return organization.of(usersProjection).byEmail.get(caseKey(email))
}

/** Also accepts a placeholder email, because clients may have stored it. */
export function userByLogin(organization: OrganizationState, email: string): UserRow | undefined {
  return userByEmail(organization, email) ?? userByHiddenAddress(organization, email)
}

function userByHiddenAddress(organization: OrganizationState, email: string): UserRow | undefined {
  const user = userById(organization, Number(/^user(\d+)@/i.exec(email)?.[1]))
  const isTheirs = user?.botType === null && caseKey(hiddenAddress(organization, user.id)) === caseKey(email)
  return isTheirs ? user : undefined
}

export function userSetting<Name extends UserSettingName>(
  user: Pick<UserRow, 'settings'>,
  name: Name,
): UserSettingValue<Name> {
  const stored = user.settings[name]
  // Safe: only this capability's actions write the value, and they check its type.
  return (stored === undefined ? USER_SETTINGS[name].byDefault : stored) as UserSettingValue<Name>
}

export interface NewAccountSettings {
  readonly default_language?: string | undefined
  readonly timezone?: string | undefined
  readonly enter_sends?: boolean | undefined
}

const DEFAULT_SETTINGS = defaultsOf(USER_SETTINGS)

export function newUserSettings(
  organization: OrganizationState,
  { default_language = settingOf(organization, 'default_language'), enter_sends }: NewAccountSettings = {},
): Readonly<Record<string, unknown>> {
  const { userDefaults } = organizationOf(organization)
  const chosen = enter_sends === undefined ? { default_language } : { default_language, enter_sends }
  return mergeSettings(userDefaults, chosen, DEFAULT_SETTINGS)
}

export function avatarPath(row: Pick<UserRow, 'id' | 'avatarVersion' | 'avatarFile'>, size = ''): string {
  return row.avatarFile === null
    ? generatedAvatarPath(row.id, row.avatarVersion)
    : `/user_avatars/${row.avatarFile}${size}.png`
}

export function avatarFor(row: UserRow, externalAvatar: boolean): string | null {
  return externalAvatar && row.avatarFile === null ? null : avatarPath(row)
}

export function avatarFields(row: UserRow): OwnAvatar {
  return {
    avatar_url: avatarPath(row),
    avatar_url_medium: avatarPath(row, '-medium'),
    avatar_source: row.avatarFile === null ? 'G' : 'U',
  }
}

export const UNKNOWN_USER_AVATAR_PATH = generatedAvatarPath(0, 1)

export function unknownSender(organization: OrganizationState, userId: number): { email: string; full_name: string } {
  return { email: hiddenAddress(organization, userId), full_name: 'Unknown user' }
}

export function hiddenAddress(organization: OrganizationState, userId: number): string {
  return hiddenAddressIn(organizationOf(organization).stringId, userId)
}

/** `stringId` is the organization's subdomain. */
export function hiddenAddressIn(stringId: string, userId: number): string {
  return `user${userId}@${stringId === '' ? 'organization' : stringId}${RESERVED_DOMAIN}`
}

/** Reserved top-level domain, which no one can own (RFC 2606). */
export const RESERVED_DOMAIN = '.invalid'

export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')
}

export function roleIfActive(organization: OrganizationState, userId: number): number | undefined {
  const user = userById(organization, userId)
  return user?.isActive === true ? user.role : undefined
}
