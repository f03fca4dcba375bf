import { defaultColorOf } from '../capabilities/channels/actions/subscriptions.ts'
import { systemGroups } from '../capabilities/groups/actions/changes.ts'
import {
  type GroupSettingValue,
  MAX_GROUP_DESCRIPTION_LENGTH,
  MAX_GROUP_NAME_LENGTH,
} from '../capabilities/groups/contract/index.ts'
import { PERMISSIONS, type SystemGroupName } from '../capabilities/groups/contract/permissions.ts'
import { systemGroupsOfRole } from '../capabilities/groups/rules.ts'
import { LIMITS, MAX_ORGANIZATION_DESCRIPTION_CHARACTERS } from '../capabilities/organizations/contract/organization.ts'
import type { PictureKind } from '../capabilities/organizations/queries/index.ts'
import { NOTIFICATION_BOT_EMAIL } from '../capabilities/users/actions/index.ts'
import { RESERVED_DOMAIN } from '../capabilities/users/queries/index.ts'
import { hasWaitingPeriodEnded } from '../capabilities/users/rules/index.ts'
import { ROLE } from '../kernel/actor.ts'
import { caseKey } from '../kernel/case-key.ts'
import { similarityKey } from '../kernel/characters.ts'
import type { Tables } from '../kernel/tables.ts'
import { DamagedArchive } from '../platform/backup/reporting.ts'
import type { ArchiveWriter } from '../platform/moving/writer.ts'
import type { IdList } from './id-list.ts'
import { readMessageRanges, userRecord, type Account, type NewAccount } from './new-account.ts'
import { cleanLine, cleanText, toValidName, truncateWithNote } from './texts.ts'

const NOTIFICATION_BOT_NAME = 'Notification Bot'
const EMAIL_ADDRESS_PATTERN = /^[^\s\p{Cc}\p{Cs}@<>"`*\\]{1,150}@[^\s\p{Cc}\p{Cs}@<>"`*\\]{1,100}$/u
const MAX_PEOPLE = 500_000
const MAX_CHANNELS = 200_000
/** Beyond this number, unknown authors share one account. */
const MAX_UNKNOWN_AUTHORS = 10_000
/** Limit per person, because each unread message splits a read range. Older messages are marked as read. */
const MAX_UNREAD_PER_PERSON = 10_000

export interface NewChannel {
  readonly there: string
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isArchived: boolean
  readonly isDefault: boolean
  /** UNIX seconds. */
  readonly createdAt: number
  /** Whether later subscribers can read earlier messages. */
  readonly isHistoryShared?: boolean
  readonly topicsPolicy?: string | undefined
  readonly creatorId?: number | undefined
  readonly folderId?: number | undefined
  /** Days, or `UNLIMITED_RETENTION`; default: the organization's setting. */
  readonly retentionDays?: number | undefined
  readonly permissions?: Readonly<Record<string, GroupSettingValue>>
}

export interface NewGroup {
  /** ID that the caller took from `next()` in advance, because groups refer to each other. */
  readonly id: number
  readonly there: string
  readonly name: string
  readonly description: string
  readonly isDeactivated: boolean
  readonly creatorId: number | undefined
  /** UNIX seconds. */
  readonly createdAt: number | undefined
  /** Permissions that differ from those of a new group. */
  readonly permissions: Readonly<Record<string, GroupSettingValue>>
  readonly memberIds: ReadonlySet<number>
  readonly subgroupIds: readonly number[]
}

export interface Membership {
  readonly isMuted?: boolean
  readonly isPinned?: boolean
  readonly color?: string
  readonly notifications?: Readonly<Record<string, boolean>>
}

/** One object for all members without settings of their own, because huge channels have millions of members. */
export const DEFAULT_MEMBERSHIP: Membership = {}

export interface OrganizationFacts {
  readonly name: string
  readonly description: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly settingsOfNewcomers: Readonly<Record<string, unknown>>
  readonly pictures?: Readonly<Partial<Record<PictureKind, NewPicture>>>
}

export interface NewPicture {
  readonly file: string
  readonly sha256: string
}

export interface Channel extends NewChannel {
  readonly id: number
  readonly members: ReadonlyMap<number, Membership>
  firstMessageId: number | null
}

export class NewOrganization {
  readonly accounts = new Map<number, Account>()
  readonly channels = new Map<number, Channel>()
  readonly #writer: ArchiveWriter
  readonly #ids: IdList
  readonly #service: string
  readonly #most: { readonly people: number; readonly channels: number }
  readonly #emails = new Set<string>([caseKey(NOTIFICATION_BOT_EMAIL)])
  readonly #groupIds = new Map<string, number>()
  readonly #names = new Set<string>([similarityKey(NOTIFICATION_BOT_NAME)])
  readonly #strangers = new Map<string, number>()
  #botId = 0
  #position = 0
  #begunAt = Number.MAX_SAFE_INTEGER

  /** `service` is the name of the source, for placeholder email addresses. */
  constructor(
    { writer, ids }: { writer: ArchiveWriter; ids: IdList },
    service: string,
    most = { people: MAX_PEOPLE, channels: MAX_CHANNELS },
  ) {
    this.#writer = writer
    this.#ids = ids
    this.#service = service
    this.#most = most
  }

  next(): number {
    this.#position += 1
    return this.#position
  }

  /** Records a time in UNIX seconds. The earliest recorded time becomes the organization's creation time. */
  noteTime(seconds: number): void {
    if (seconds > 0) this.#begunAt = Math.min(this.#begunAt, seconds)
  }

  async found(): Promise<void> {
    for (const group of systemGroups(() => this.next())) {
      this.#groupIds.set(group.name, group.id)
      const { id, name, description, permissions, subgroupIds } = group
      const none = { creator_id: null, date_created: null, is_system_group: true, deactivated: false }
      await this.#writer.write('user_groups', { id, name, description, permissions, ...none })
      for (const inner of subgroupIds) {
        await this.#writer.write('group_subgroups', { group_id: id, subgroup_id: inner })
      }
    }
    this.#botId = this.next()
  }

  addAccount(given: NewAccount): Account {
    const { there, isBot } = given
    if (this.accounts.size >= this.#most.people)
      throw new DamagedArchive(`The export has more than ${this.#most.people.toLocaleString('en')} people.`)
    const email = isBot ? undefined : this.#freeEmail(given.email)
    if (!isBot && email === undefined && given.isActive) {
      this.#writer.leftOut.add(
        'people without an email address of their own in the export: they get a placeholder address',
        `${there}, ${given.fullName}`,
      )
    }
    const account: Account = {
      ...given,
      id: this.next(),
      email: email ?? this.#madeUpEmail(there),
      fullName: this.#nameOf(given),
    }
    this.#emails.add(caseKey(account.email))
    this.#names.add(similarityKey(account.fullName))
    this.accounts.set(account.id, account)
    return account
  }

  /** Creates an account for an author or mentioned person missing from the export's list. */
  stranger(there: string, name: string, isBot: boolean): Account {
    const key = this.#strangers.size < MAX_UNKNOWN_AUTHORS || this.#strangers.has(there) ? there : ''
    const known = this.accounts.get(this.#strangers.get(key) ?? 0)
    if (known !== undefined) return known.fullName === there && name !== there ? this.#rename(known, name) : known
    const who = isBot ? 'bots' : 'people'
    const what = `${who} who wrote messages but are missing from the export: created as deactivated accounts`
    this.#writer.leftOut.add(what, `${there}, ${name}`)
    const account = this.addAccount({
      there: key === '' ? 'others' : there,
      email: undefined,
      fullName: key === '' ? 'others' : name,
      role: ROLE.member,
      isActive: false,
      isBot,
    })
    this.#strangers.set(key, account.id)
    return account
  }

  /** Names an account that was created from an ID in a member list, because only messages contain the name. */
  #rename(account: Account, name: string): Account {
    const renamed = { ...account, fullName: this.#nameOf({ ...account, fullName: name }) }
    this.#names.add(similarityKey(renamed.fullName))
    this.accounts.set(account.id, renamed)
    return renamed
  }

  addChannel(channel: NewChannel, members: ReadonlyMap<number, Membership>): Channel {
    if (this.channels.size >= this.#most.channels)
      throw new DamagedArchive(`The export has more than ${this.#most.channels.toLocaleString('en')} channels.`)
    const name = this.#truncate(cleanLine(channel.name), LIMITS.max_stream_name_length, 'channel names')
    const most = LIMITS.max_stream_description_length
    const description = this.#truncate(cleanText(channel.description), most, 'channel descriptions')
    const made = { ...channel, name, description, id: this.next(), members, firstMessageId: null }
    this.noteTime(channel.createdAt)
    this.channels.set(made.id, made)
    return made
  }

  async addGroup({ there, memberIds, subgroupIds, ...group }: NewGroup): Promise<void> {
    const permissions = Object.entries(PERMISSIONS.group).map(([permission, { default_group_name: by }]) => {
      return [permission, this.groupId(by === 'group_creator' ? 'role:administrators' : by)] as const
    })
    const { id } = group
    await this.#writer.write('user_groups', {
      id,
      name: this.#truncate(cleanLine(group.name), MAX_GROUP_NAME_LENGTH, 'group names'),
      description: this.#truncate(cleanText(group.description), MAX_GROUP_DESCRIPTION_LENGTH, 'group descriptions'),
      creator_id: group.creatorId ?? null,
      date_created: group.createdAt ?? null,
      is_system_group: false,
      deactivated: group.isDeactivated,
      permissions: { ...Object.fromEntries(permissions), ...group.permissions },
    })
    for (const user_id of memberIds) await this.#writer.write('group_members', { group_id: id, user_id })
    for (const subgroup_id of subgroupIds) await this.#writer.write('group_subgroups', { group_id: id, subgroup_id })
    await this.#ids.add('group', there, id)
  }

  /** Call this in ascending order of `messageId` for each user. */
  markUnread(userId: number, messageId: number): void {
    const account = this.accounts.get(userId)
    if (account === undefined) return
    const unread = (account.unread ??= [])
    unread.push(messageId)
    if (unread.length > 2 * MAX_UNREAD_PER_PERSON) unread.splice(0, unread.length - MAX_UNREAD_PER_PERSON - 1)
  }

  async addRecord(table: keyof Tables, record: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#writer.write(table, record)
  }

  /** Writes everything but messages. Returns the first log position. `now`: time of the export in UNIX seconds. */
  async end(facts: OrganizationFacts, now: number): Promise<number> {
    const { name, description, settings, settingsOfNewcomers, pictures = {} } = facts
    const end = this.next()
    const begunAt = this.#begunAt === Number.MAX_SAFE_INTEGER ? 0 : Math.floor(this.#begunAt)
    await this.#writeBot(begunAt)
    const waitingDays = Number(settings['waiting_period_threshold'] ?? 0)
    for (const account of this.accounts.values()) await this.#writeAccount(account, { begunAt, end, now, waitingDays })
    for (const channel of this.channels.values()) await this.#writeChannel(channel, begunAt, end)
    await this.#writer.write('organization_settings', {
      name,
      description: this.#truncate(
        cleanText(description),
        MAX_ORGANIZATION_DESCRIPTION_CHARACTERS,
        'organization descriptions',
      ),
      rendered_description: null,
      date_created: begunAt,
      deactivated: false,
      settings,
      user_settings_defaults: settingsOfNewcomers,
      pictures: Object.fromEntries(Object.entries(pictures).map(([kind, { file }]) => [kind, file])),
      files: Object.fromEntries(Object.entries(pictures).map(([kind, { sha256 }]) => [kind, sha256])),
    })
    return end
  }

  groupId(name: SystemGroupName): number {
    return this.#groupIds.get(name) ?? 0
  }

  #truncate(text: string, most: number, what: string): string {
    return truncateWithNote(text, most, what, this.#writer.leftOut)
  }

  #freeEmail(given: string | undefined): string | undefined {
    const email = given?.trim() ?? ''
    const key = caseKey(email)
    return EMAIL_ADDRESS_PATTERN.test(email) && !key.endsWith(RESERVED_DOMAIN) && !this.#emails.has(key)
      ? email
      : undefined
  }

  /** Generates an address such as `u1@slack.imported.invalid`, which no server generates for its own users. */
  #madeUpEmail(there: string): string {
    const local = there
      .toLowerCase()
      .slice(0, 60)
      .replaceAll(/[^a-z\d]+/g, '-')
    for (let number = 1; ; number += 1) {
      const email = `${local}${number === 1 ? '' : `.${number}`}@${this.#service}.imported${RESERVED_DOMAIN}`
      if (!this.#emails.has(email)) return email
    }
  }

  /** Bots get unique names, so that their messages cannot be attributed to another account. */
  #nameOf({ fullName, there, isBot }: NewAccount): string {
    const name = toValidName(fullName, toValidName(there, 'somebody'), this.#writer.leftOut)
    const isTaken = isBot
      ? this.#names.has(similarityKey(name))
      : similarityKey(name) === similarityKey(NOTIFICATION_BOT_NAME)
    return isTaken ? toValidName(`${name.slice(0, 60)} (${there.slice(0, 30)})`, there) : name
  }

  async #writeBot(begunAt: number): Promise<void> {
    const bot = { there: '', role: ROLE.member, isActive: true, isBot: true }
    const named = { ...bot, id: this.#botId, email: NOTIFICATION_BOT_EMAIL, fullName: NOTIFICATION_BOT_NAME }
    await this.#writer.write('users', { ...userRecord(named, begunAt), is_system_bot: true })
  }

  /** Makes members whose waiting period has ended by `now` full members. */
  async #writeAccount(
    account: Account,
    { begunAt, end, now, waitingDays }: { begunAt: number; end: number; now: number; waitingDays: number },
  ): Promise<void> {
    const { id: user_id, role, isActive, unread = [] } = account
    const isFull = hasWaitingPeriodEnded(account.joinedAt ?? begunAt, now, waitingDays)
    await this.#ids.add('user', account.there, user_id)
    await this.#writer.write('users', { ...userRecord(account, begunAt), is_system_bot: false })
    const none = { password_hash: null, api_key: null, deactivation_comment: null }
    await this.#writer.write('credentials', { user_id, ...none })
    for (const name of isActive ? systemGroupsOfRole(role, isFull) : []) {
      await this.#writer.write('group_members', { group_id: this.groupId(name), user_id })
    }
    if (unread.length > MAX_UNREAD_PER_PERSON) {
      this.#writer.leftOut.add('unread messages over the limit: marked as read', account.fullName)
    }
    await this.#writer.write('user_reads', {
      user_id,
      read: readMessageRanges(unread.slice(-MAX_UNREAD_PER_PERSON), end),
    })
  }

  async #writeChannel(channel: Channel, begunAt: number, end: number): Promise<void> {
    const { id, name, description, isPrivate, isArchived, isDefault, createdAt, members } = channel
    await this.#ids.add('channel', channel.there, id)
    const permissions = Object.entries(PERMISSIONS.stream).map(([permission, { default_group_name: by }]) => {
      return [permission, this.groupId(by === 'stream_creator_or_nobody' ? 'role:nobody' : by)] as const
    })
    await this.#writer.write('channels', {
      id,
      name,
      description,
      rendered_description: null,
      // Some exports lack the creation time.
      date_created: createdAt === 0 ? begunAt : createdAt,
      creator_id: channel.creatorId ?? null,
      invite_only: isPrivate,
      is_web_public: false,
      history_public_to_subscribers: channel.isHistoryShared ?? true,
      is_default: isDefault && !isPrivate && !isArchived,
      is_archived: isArchived,
      message_retention_days: channel.retentionDays ?? null,
      topics_policy: channel.topicsPolicy ?? 'inherit',
      folder_id: channel.folderId ?? null,
      first_message_id: channel.firstMessageId,
      is_recently_active: true,
      weekly_traffic: null,
      permissions: { ...Object.fromEntries(permissions), ...channel.permissions },
    })
    for (const [userId, membership] of members) {
      const isActive = this.accounts.get(userId)?.isActive === true
      await this.#writer.write('subscriptions', {
        user_id: userId,
        channel_id: id,
        periods: isActive ? `{[${id},)}` : `{[${id},${end})}`,
        is_resting: !isActive,
        color: membership.color ?? defaultColorOf(channel),
        is_muted: membership.isMuted ?? false,
        pin_to_top: membership.isPinned ?? false,
        desktop_notifications: null,
        audible_notifications: null,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
        ...membership.notifications,
      })
    }
  }
}
