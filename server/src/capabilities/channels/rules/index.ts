import { isSpectator, ROLE, type Role } from '../../../kernel/actor.ts'
import type { Audience } from '../../../kernel/audience.ts'
import { turnOwner } from '../../../kernel/pauses.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import type { MarkdownContext, NamedUser } from '../../../platform/markdown/job.ts'
import { customEmojiByName, emojiPath } from '../../custom-emoji/queries.ts'
import type { RealmPermission } from '../../groups/contract/permissions.ts'
import { groupByName } from '../../groups/queries.ts'
import { isCovered, includesGroup, type Member } from '../../groups/rules.ts'
import { linkifiersOf } from '../../linkifiers/queries.ts'
import { groupSetting, settingOf } from '../../organizations/queries/index.ts'
import { userById, userSetting, usersProjection, usersByFullName, type UserRow } from '../../users/queries/index.ts'
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

/** Permissions whose holders can see a private channel. */
export const METADATA_PERMISSIONS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
] as const
/** Permissions whose holders can read a private channel, because they could subscribe themselves. */
export const CONTENT_PERMISSIONS = ['can_add_subscribers_group', 'can_subscribe_group'] as const

/** Spectators have none of the permissions that guests lack. */
function isGuest(member: Member): boolean {
  return member.role >= ROLE.guest
}

/** Whether the member can see the channel, its name, and its settings. `as`: treats the member as unsubscribed. */
export function canSeeChannel(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  as?: 'unsubscribed',
): boolean {
  if (isSpectator(member)) return isPublished(organization, channel)
  if (as === undefined && isSubscribed(organization, member.userId, channel.id)) return true
  if (isAdministrator(member)) return true
  if (!channel.inviteOnly && !isGuest(member)) return true
  return hasMetadataPermission(organization, member, channel)
}

function hasMetadataPermission(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return METADATA_PERMISSIONS.some((name) => isCovered(organization, member, channel.permissions[name]))
}

export function isVisibleThroughGroup(organization: OrganizationState, channel: Channel, groupId: number): boolean {
  return METADATA_PERMISSIONS.some((name) => includesGroup(organization, channel.permissions[name], groupId))
}

/** Whether spectators can read the channel, if the server allows web-public channels. */
export function isPublished(organization: OrganizationState, channel: Channel): boolean {
  return channel.isWebPublic && !channel.isArchived && settingOf(organization, 'enable_spectator_access')
}

export function isSentWhileWebPublic({ isWebPublic, webPublicFrom }: Channel, messageId: number): boolean {
  return isWebPublic && webPublicFrom !== null && messageId >= webPublicFrom
}

/**
 * `subscribed`: can read only messages sent while subscribed. `published`: can read only messages sent since the channel
 * became web-public. `as`: treats the member as unsubscribed.
 */
export function readablePart(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  as?: 'unsubscribed',
): 'all' | 'subscribed' | 'published' | 'none' {
  if (isSpectator(member)) return isPublished(organization, channel) ? 'published' : 'none'
  if (as === undefined && isSubscribed(organization, member.userId, channel.id)) {
    return channel.historyPublic ? 'all' : 'subscribed'
  }
  if (!channel.inviteOnly) return isGuest(member) ? 'none' : 'all'
  if (!channel.historyPublic) return 'none'
  return CONTENT_PERMISSIONS.some((name) => isCovered(organization, member, channel.permissions[name])) ? 'all' : 'none'
}

export function hasContentAccess(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return isSubscribed(organization, member.userId, channel.id) || maySubscribeItself(organization, member, channel)
}

export function mayAdministerChannel(organization: OrganizationState, member: Member, channel: Channel): boolean {
  return isAdministrator(member) || isCovered(organization, member, channel.permissions.can_administer_channel_group)
}

/** Hidden channels get the same error as missing channels. */
export function requireAdministeredChannel(
  organization: OrganizationState,
  member: Member,
  channelId: number,
): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !canSeeChannel(organization, member, channel))
    throw new ApiError('BAD_REQUEST', 'Invalid channel ID')
  if (!mayAdministerChannel(organization, member, channel)) {
    throw new ApiError('CANNOT_ADMINISTER_CHANNEL', 'You do not have permission to administer this channel.')
  }
  return channel
}

export function isDefaultChannel(channel: Channel): boolean {
  return channel.isDefault && !channel.isArchived
}

export interface MessageWithPlace {
  readonly id: number
  readonly channelId: number | null
  /** Members of the direct conversation who can read the message; null in channels. */
  readonly readerIds: readonly number[] | null
}

export function mayReadMessage(organization: OrganizationState, member: Member, message: MessageWithPlace): boolean {
  if (message.channelId === null) return message.readerIds?.includes(member.userId) ?? false
  const channel = channelById(organization, message.channelId)
  if (channel === undefined) return false
  return mayReadMessageInChannel(organization, member, channel, message.id)
}

function mayReadMessageInChannel(
  organization: OrganizationState,
  member: Member,
  channel: Channel,
  messageId: number,
): boolean {
  switch (readablePart(organization, member, channel)) {
    case 'all':
      return true
    case 'subscribed':
      return wasSubscribed(organization, member.userId, channel.id, messageId)
    case 'published':
      return isSentWhileWebPublic(channel, messageId)
    case 'none':
      return false
  }
}

export function firstMessageFor(organization: OrganizationState, member: Member, channel: Channel): number | null {
  const { firstMessageId: id } = channel
  return id !== null && mayReadMessageInChannel(organization, member, channel, id) ? id : null
}

export function defaultChannels(organization: OrganizationState, member: { readonly role: Role }): number[] {
  if (member.role === ROLE.guest) return []
  const all = [...organization.of(channelsProjection).byId.values()]
  return all.filter(isDefaultChannel).map((channel) => channel.id)
}

export function maySendToChannel(organization: OrganizationState, member: Member, channel: Channel): boolean {
  if (channel.isArchived) return false
  const isInside = isSubscribed(organization, member.userId, channel.id) || (!channel.inviteOnly && !isGuest(member))
  return isInside && isCovered(organization, member, channel.permissions.can_send_message_group)
}

export function maySubscribeItself(organization: OrganizationState, member: Member, channel: Channel): boolean {
  if (!channel.inviteOnly && !isGuest(member)) return true
  return CONTENT_PERMISSIONS.some((name) => isCovered(organization, member, channel.permissions[name]))
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
  const knows = canSeeChannel(organization, member, channel)
  if (knows && userById(organization, targetId)?.botOwnerId === member.userId) return true
  return knows && isCovered(organization, member, channel.permissions.can_remove_subscribers_group)
}

export type PrivacyKind = 'private' | 'public' | 'web-public'

export function privacyOf(channel: Pick<Channel, 'inviteOnly' | 'isWebPublic'>): PrivacyKind {
  if (channel.inviteOnly) return 'private'
  return channel.isWebPublic ? 'web-public' : 'public'
}

const CREATION_PERMISSIONS: Readonly<Record<PrivacyKind, RealmPermission>> = {
  private: 'can_create_private_channel_group',
  public: 'can_create_public_channel_group',
  'web-public': 'can_create_web_public_channel_group',
}

export function mayCreateChannel(organization: OrganizationState, member: Member, kind: PrivacyKind): boolean {
  return isCovered(organization, member, groupSetting(organization, CREATION_PERMISSIONS[kind]))
}

export function knownChannel(organization: OrganizationState, member: Member, channelId: number): Channel {
  const channel = channelById(organization, channelId)
  if (channel === undefined || !canSeeChannel(organization, member, channel)) {
    throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel with ID '${channelId}' does not exist`, {
      stream_id: channelId,
    })
  }
  return channel
}

export function knownChannelByName(organization: OrganizationState, member: Member, name: string): Channel {
  const channel = channelByName(organization, name.trim())
  if (channel === undefined || !canSeeChannel(organization, member, channel)) {
    throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${name}' does not exist`, { stream: name })
  }
  return channel
}

/** Includes subscribers at the time of the event, and other users with access. */
export function channelAudience(organization: OrganizationState, channel: Channel): Audience {
  // `users` lists only users whom `roleAtMost` does not include.
  const roleAtMost = channel.inviteOnly ? ROLE.administrator : ROLE.member
  const users = [...organization.of(usersProjection).byId.values()]
    .filter(({ id, role }) => role > roleAtMost && hasMetadataPermission(organization, { userId: id, role }, channel))
    .map(({ id }) => id)
  return { channel: channel.id, roleAtMost, users, ...channelClientFilter(channel) }
}

export function channelClientFilter(channel: Pick<Channel, 'isArchived'>): Pick<Audience, 'clients'> {
  return channel.isArchived ? { clients: { capability: 'archived_channels', has: true } } : {}
}

export type MarkdownServerFacts = Pick<ServerFacts, 'urlOf' | 'apiNames'>

/** References in the text are limited to people and channels that the member can see. */
export function markdownContextFor(
  organization: OrganizationState,
  member: Member,
  server: MarkdownServerFacts,
  uploadPreviews?: MarkdownContext['uploadPreviews'],
): MarkdownContext {
  const author = userById(organization, member.userId)
  return makeMarkdownContext(organization, server, {
    translateEmoticons: author !== undefined && userSetting(author, 'translate_emoticons'),
    mayName: (channel) => canSeeChannel(organization, member, channel),
    mayMention: (user) => canSeeUser(organization, member, user),
    owner: turnOwner(organization.id, member.userId),
    uploadPreviews,
  })
}

/** Lets the server's texts refer to any channel: the caller controls who reads them. `changed` overrides the state. */
export function serverMarkdownContext(
  organization: OrganizationState,
  server: MarkdownServerFacts,
  changed: readonly Channel[] = [],
): MarkdownContext {
  const context = makeMarkdownContext(organization, server, {
    translateEmoticons: false,
    mayName: () => true,
    mayMention: () => true,
  })
  return {
    ...context,
    channelByName: (name) => changed.find((channel) => channel.name === name) ?? context.channelByName(name),
    channelById: (channelId) => changed.find((channel) => channel.id === channelId) ?? context.channelById(channelId),
  }
}

function toNamedUser({ id, fullName, isActive }: UserRow): NamedUser {
  return { id, full_name: fullName, isDeactivated: !isActive }
}

interface MarkdownContextParts extends Pick<MarkdownContext, 'owner' | 'uploadPreviews'> {
  readonly translateEmoticons: boolean
  readonly mayName: (channel: Channel) => boolean
  readonly mayMention: (user: UserRow) => boolean
}

/** Makes the context as one literal, because every send needs one, and copying its many fields took 2 of 110 us. */
function makeMarkdownContext(
  organization: OrganizationState,
  server: MarkdownServerFacts,
  { translateEmoticons, mayName, mayMention, owner, uploadPreviews }: MarkdownContextParts,
): MarkdownContext {
  const nameableOrUndefined = (channel: Channel | undefined): Channel | undefined =>
    channel !== undefined && mayName(channel) ? channel : undefined
  return {
    translateEmoticons,
    userByName(name) {
      const named = usersByFullName(organization, name).filter(mayMention)
      const active = named.filter((user) => user.isActive)
      const [found, ...others] = active.length > 0 ? active : named
      return found === undefined || others.length > 0 ? undefined : toNamedUser(found)
    },
    userById(userId) {
      const user = userById(organization, userId)
      return user === undefined || !mayMention(user) ? undefined : toNamedUser(user)
    },
    groupByName(name) {
      const group = groupByName(organization, name)
      return group && { id: group.id, name: group.name, isDeactivated: group.deactivated }
    },
    channelByName: (name) => nameableOrUndefined(channelByName(organization, name)),
    channelById: (channelId) => nameableOrUndefined(channelById(organization, channelId)),
    realmEmoji(name) {
      const emoji = customEmojiByName(organization, name)
      return emoji === undefined ? undefined : { id: String(emoji.id), url: emojiPath(emoji) }
    },
    linkifiers: linkifiersOf(organization),
    baseUrl: server.urlOf(organization),
    apiNames: server.apiNames,
    defaultCodeLanguage: settingOf(organization, 'default_code_block_language'),
    imagePreviews: settingOf(organization, 'inline_image_preview'),
    owner,
    uploadPreviews,
  }
}
