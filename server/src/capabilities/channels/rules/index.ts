import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { MarkdownContext, NamedUser } from '../../../platform/markdown/job.ts'
import { customEmojiByName, emojiPath } from '../../custom-emoji/queries.ts'
import type { RealmPermission } from '../../groups/contract/permissions.ts'
import { groupByName } from '../../groups/queries.ts'
import { isCovered, reaches, type Member } from '../../groups/rules.ts'
import { linkifiersOf } from '../../linkifiers/queries.ts'
import { groupSetting, setting } from '../../organizations/queries/index.ts'
import { userById, userSetting, usersProjection, usersNamed, type UserRow } from '../../users/queries/index.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import {
  channelById,
  channelByName,
  channelsProjection,
  isSubscribed,
  wasSubscribed,
  type Channel,
} from '../queries/index.ts'

/** Permissions that let their holders know of a private channel. */
export const GRANTING_METADATA = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
] as const
/** Permissions that let their holders read a private channel, since they could subscribe themselves. */
export const GRANTING_CONTENT = ['can_add_subscribers_group', 'can_subscribe_group'] as const

function isGuest(member: Member): boolean {
  return member.role === ROLE.guest
}

/**
 * Whether the member may know that the channel exists, its name and its settings.
 * @param as answers as if the member were not subscribed
 */
export function mayKnow(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  as?: 'unsubscribed',
): boolean {
  if (as === undefined && isSubscribed(organization, member.userId, channel.id)) return true
  if (isAdministrator(member)) return true
  if (!channel.inviteOnly && !isGuest(member)) return true
  return isGrantedMetadata(organization, member, channel)
}

function isGrantedMetadata(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return GRANTING_METADATA.some((name) => isCovered(organization, member, channel.permissions[name]))
}

/** Whether the members of a group may know of the channel because they are in it. */
export function isKnownThrough(organization: OrganizationState, channel: Channel, groupId: number): boolean {
  return GRANTING_METADATA.some((name) => reaches(organization, channel.permissions[name], groupId))
}

/**
 * Which of a channel's messages the member may read: `all`, those sent while `subscribed` (protected history),
 * `none`.
 * @param as answers as if the member were not subscribed
 */
export function readable(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  as?: 'unsubscribed',
): 'all' | 'subscribed' | 'none' {
  if (as === undefined && isSubscribed(organization, member.userId, channel.id)) {
    return channel.historyPublic ? 'all' : 'subscribed'
  }
  if (!channel.inviteOnly) return isGuest(member) ? 'none' : 'all'
  if (!channel.historyPublic) return 'none'
  return GRANTING_CONTENT.some((name) => isCovered(organization, member, channel.permissions[name])) ? 'all' : 'none'
}

/** Whether the member may read the channel's messages, or could by subscribing. */
export function hasContentAccess(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return isSubscribed(organization, member.userId, channel.id) || maySubscribeItself(organization, member, channel)
}

/** Whether the member may change the channel's properties, and archive it. */
export function mayAdminister(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return isAdministrator(member) || isCovered(organization, member, channel.permissions.can_administer_channel_group)
}

/** The channel of an id, for a member who may administer it. A hidden channel is refused as if absent. */
export function administeredChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !mayKnow(organization, member, channel))
    throw new Refusal('BAD_REQUEST', 'Invalid channel ID')
  if (!mayAdminister(organization, member, channel)) {
    throw new Refusal('CANNOT_ADMINISTER_CHANNEL', 'You do not have permission to administer this channel.')
  }
  return channel
}

export function isDefaultChannel(channel: Channel): boolean {
  return channel.isDefault && !channel.isArchived
}

/** A message, by where it is: in a channel or in a conversation of these users. */
export interface PlacedMessage {
  readonly id: number
  /** Null for direct messages. */
  readonly channelId: number | null
  /** Null for channel messages. */
  readonly memberIds: readonly number[] | null
}

/** Whether the member may read the message. */
export function mayRead(organization: OrganizationState, member: Member, message: PlacedMessage): boolean {
  if (message.channelId === null) return message.memberIds?.includes(member.userId) ?? false
  const channel = channelById(organization, message.channelId)
  if (channel === undefined) return false
  return mayReadIn(organization, member, channel, message.id)
}

function mayReadIn(organization: OrganizationState, member: Member, channel: Channel, messageId: number): boolean {
  const part = readable(organization, member, channel)
  return part === 'all' || (part === 'subscribed' && wasSubscribed(organization, member.userId, channel.id, messageId))
}

/** The channel's first message as the member sees it: null where the member may not read that message. */
export function firstMessageFor(organization: OrganizationState, member: Member, channel: Channel): number | null {
  const { firstMessageId: id } = channel
  return id !== null && mayReadIn(organization, member, channel, id) ? id : null
}

/** The default channels, as far as the member may know: guests start with none. */
export function defaultChannels(organization: OrganizationState, member: { readonly role: Role }): number[] {
  if (member.role === ROLE.guest) return []
  const all = [...organization.of(channelsProjection).byId.values()]
  return all.filter(isDefaultChannel).map((channel) => channel.id)
}

/** Whether the member may send to the channel. */
export function maySend(organization: OrganizationState, member: Member, channel: Channel): boolean {
  if (channel.isArchived) return false
  const isInside = isSubscribed(organization, member.userId, channel.id) || (!channel.inviteOnly && !isGuest(member))
  return isInside && isCovered(organization, member, channel.permissions.can_send_message_group)
}

export function maySubscribeItself(organization: OrganizationState, member: Member, channel: Channel): boolean {
  if (!channel.inviteOnly && !isGuest(member)) return true
  return GRANTING_CONTENT.some((name) => isCovered(organization, member, channel.permissions[name]))
}

export function maySubscribeOthers(organization: OrganizationState, member: Member, channel: Channel): boolean {
  if (isCovered(organization, member, channel.permissions.can_add_subscribers_group)) return true
  if (!channel.inviteOnly && isAdministrator(member)) return true
  if (!channel.inviteOnly && isCovered(organization, member, channel.permissions.can_administer_channel_group))
    return true
  const isInside = isSubscribed(organization, member.userId, channel.id) || (!channel.inviteOnly && !isGuest(member))
  return isInside && isCovered(organization, member, groupSetting(organization, 'can_add_subscribers_group'))
}

export function mayUnsubscribe(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  targetId: number,
): boolean {
  if (targetId === member.userId || isAdministrator(member)) return true
  const knows = mayKnow(organization, member, channel)
  if (knows && userById(organization, targetId)?.botOwnerId === member.userId) return true
  return knows && isCovered(organization, member, channel.permissions.can_remove_subscribers_group)
}

export type PrivacyKind = 'private' | 'public' | 'web-public'

export function privacyOf(channel: Pick<Channel, 'inviteOnly' | 'isWebPublic'>): PrivacyKind {
  if (channel.inviteOnly) return 'private'
  return channel.isWebPublic ? 'web-public' : 'public'
}

const CREATING: Readonly<Record<PrivacyKind, RealmPermission>> = {
  private: 'can_create_private_channel_group',
  public: 'can_create_public_channel_group',
  'web-public': 'can_create_web_public_channel_group',
}

/** Whether the member may make channels of this kind, or make one that is into one of this kind. */
export function mayCreate(organization: OrganizationState, member: Member, kind: PrivacyKind): boolean {
  return isCovered(organization, member, groupSetting(organization, CREATING[kind]))
}

/** The channel of an id, for a member who may know of it. A hidden channel is refused as if absent. */
export function knownChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !mayKnow(organization, member, channel)) {
    throw new Refusal('STREAM_DOES_NOT_EXIST', `Channel with ID '${channelId}' does not exist`, {
      stream_id: channelId,
    })
  }
  return channel
}

/** The channel of a name, for a member who may know of it. A hidden channel is refused as if absent. */
export function knownChannelByName(organization: OrganizationState, member: Member, name: string): Channel {
  const channel = channelByName(organization, name.trim())
  if (channel === undefined || !mayKnow(organization, member, channel)) {
    throw new Refusal('STREAM_DOES_NOT_EXIST', `Channel '${name}' does not exist`, { stream: name })
  }
  return channel
}

/**
 * The accounts that may know of the channel, as an audience: its subscribers at the time of the event, and the
 * accounts that may know of it without being subscribed.
 */
export function audienceKnowing(organization: OrganizationState, channel: Channel): Audience {
  // The others are in the audience by their role.
  const roleAtMost = channel.inviteOnly ? ROLE.administrator : ROLE.member
  const users = [...organization.of(usersProjection).byId.values()]
    .filter(({ id, role }) => role > roleAtMost && isGrantedMetadata(organization, { userId: id, role }, channel))
    .map(({ id }) => id)
  return { channel: channel.id, roleAtMost, users, ...clientsKnowing(channel) }
}

/** Events of archived channels go only to clients that know archived channels. */
export function clientsKnowing(channel: Pick<Channel, 'isArchived'>): Pick<Audience, 'clients'> {
  return channel.isArchived ? { clients: { capability: 'archived_channels', has: true } } : {}
}

/** The facts about the server on which the rendering of a text depends. */
export type WritingServer = Pick<ServerFacts, 'urlOf' | 'apiNames'>

/** The context of a member's text, which may refer to the people and the channels that the member may know of. */
export function linkableBy(organization: OrganizationState, member: Member, server: WritingServer): MarkdownContext {
  const author = userById(organization, member.userId)
  return linkable(
    organization,
    server,
    author !== undefined && userSetting(author, 'translate_emoticons'),
    (channel) => mayKnow(organization, member, channel),
    (user) => canSeeUser(organization, member, user),
  )
}

/**
 * The context of a text that the server itself writes. It may name every channel: the caller answers for who reads
 * it.
 * @param changed channels as the transaction that writes leaves them
 */
export function linkableByServer(
  organization: OrganizationState,
  server: WritingServer,
  changed: readonly Channel[] = [],
): MarkdownContext {
  const context = linkable(
    organization,
    server,
    false,
    () => true,
    () => true,
  )
  return {
    ...context,
    channelByName: (name) => changed.find((channel) => channel.name === name) ?? context.channelByName(name),
    channelById: (channelId) => changed.find((channel) => channel.id === channelId) ?? context.channelById(channelId),
  }
}

function namedUser({ id, fullName, isActive }: UserRow): NamedUser {
  return { id, full_name: fullName, isDeactivated: !isActive }
}

function linkable(
  organization: OrganizationState,
  server: WritingServer,
  translateEmoticons: boolean,
  mayName: (channel: Channel) => boolean,
  mayMention: (user: UserRow) => boolean,
): MarkdownContext {
  const shown = (channel: Channel | undefined): Channel | undefined =>
    channel !== undefined && mayName(channel) ? channel : undefined
  return {
    translateEmoticons,
    userByName(name) {
      const named = usersNamed(organization, name).filter(mayMention)
      const active = named.filter((user) => user.isActive)
      const [found, ...others] = active.length > 0 ? active : named
      return found === undefined || others.length > 0 ? undefined : namedUser(found)
    },
    userById(userId) {
      const user = userById(organization, userId)
      return user === undefined || !mayMention(user) ? undefined : namedUser(user)
    },
    groupByName(name) {
      const group = groupByName(organization, name)
      return group === undefined || group.deactivated ? undefined : { id: group.id, name: group.name }
    },
    channelByName: (name) => shown(channelByName(organization, name)),
    channelById: (channelId) => shown(channelById(organization, channelId)),
    realmEmoji(name) {
      const emoji = customEmojiByName(organization, name)
      return emoji === undefined ? undefined : { id: String(emoji.id), url: emojiPath(emoji) }
    },
    linkifiers: linkifiersOf(organization),
    baseUrl: server.urlOf(organization),
    apiNames: server.apiNames,
    defaultCodeLanguage: setting(organization, 'default_code_block_language'),
    imagePreviews: setting(organization, 'inline_image_preview'),
  }
}
