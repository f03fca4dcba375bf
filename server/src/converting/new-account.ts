import { BOT_TYPE } from '../capabilities/users/contract/bots.ts'
import { USER_SETTINGS } from '../capabilities/users/contract/settings.ts'
import { hiddenAddressIn } from '../capabilities/users/queries/index.ts'
import type { Role } from '../kernel/actor.ts'

const EMAIL_VISIBLE_TO_EVERYONE = USER_SETTINGS.email_address_visibility.byDefault
const TIMEZONE_PATTERN = /^[\w+/-]{1,60}$/

export interface NewAccount {
  readonly there: string
  readonly email: string | undefined
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  readonly isBot: boolean
  readonly timezone?: string
  /** UNIX seconds. */
  readonly joinedAt?: number | undefined
  readonly avatar?: { readonly file: string; readonly files: Readonly<Record<string, string>> } | undefined
  /** Settings that differ from the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
}

export interface Account extends Omit<NewAccount, 'email'> {
  readonly id: number
  readonly email: string
  unread?: number[]
  /** Values by profile field ID. */
  profile?: Map<number, { readonly value: string; readonly rendered_value?: string }>
}

/** Returns the ranges of all message IDs up to `end` except `unread`, which is sorted. */
export function readMessageRanges(unread: readonly number[], end: number): string {
  const ranges: string[] = []
  let from = 1
  for (const id of unread) {
    if (id > from) ranges.push(`[${from},${id})`)
    from = id + 1
  }
  return `{${[...ranges, `[${from},${end + 1})`].join(',')}}`
}

export function userRecord(account: Omit<Account, 'unread'>, begunAt: number): Record<string, unknown> {
  const {
    id,
    email,
    fullName,
    role,
    isActive,
    isBot,
    timezone,
    joinedAt,
    avatar,
    profile = [],
    settings = {},
  } = account
  const isShown = (settings['email_address_visibility'] ?? EMAIL_VISIBLE_TO_EVERYONE) === EMAIL_VISIBLE_TO_EVERYONE
  return {
    id,
    email: isShown ? email : hiddenAddressIn('', id),
    delivery_email: email,
    full_name: fullName,
    role,
    is_active: isActive,
    bot_type: isBot ? BOT_TYPE.generic : null,
    bot_owner_id: null,
    date_joined: joinedAt ?? begunAt,
    timezone: TIMEZONE_PATTERN.test(timezone ?? '') ? timezone : '',
    avatar_version: 1,
    avatar_file: avatar?.file ?? null,
    settings,
    profile_data: Object.fromEntries(profile),
    bot_habits: {},
    files: avatar?.files ?? {},
  }
}
