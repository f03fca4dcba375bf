import type { ActorTx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import { narrowUrl, isUnescapedName } from '../../../platform/markdown/narrow.ts'
import type { ChannelChange } from './update.ts'
import type { Channel } from '../queries/index.ts'
import { mentionOfActor, fenceText, type NoticeDestination } from '../../messages/actions/post.ts'

/* The returned Markdown has escaped names and descriptions. */

export function creationNotice(tx: ActorTx, channel: Channel): string {
  const actor = mentionOfActor(tx, { channel, topic: '' }, 'someone')
  return `**${privacyName(channel)}** channel created by ${actor}. **Description:**\n\n${quoteDescription(channel)}`
}

export function announcementText(
  tx: ActorTx,
  server: ServerFacts,
  created: readonly Channel[],
  place: NoticeDestination,
): string {
  const actor = mentionOfActor(tx, place)
  const links = created.map((channel) => linkToChannel(tx, server, channel))
  return links.length === 1
    ? `${actor} created a new channel ${links.join('')}.`
    : `${actor} created the following new channels: ${links.join(', ')}.`
}

export function subscriptionNotice(
  tx: ActorTx,
  server: ServerFacts,
  channels: readonly Channel[],
  place: NoticeDestination,
): string {
  const actor = mentionOfActor(tx, place)
  const links = channels.map((channel) => linkToChannel(tx, server, channel))
  return links.length === 1
    ? `${actor} subscribed you to the channel ${links.join('')}.`
    : `${actor} subscribed you to the following channels:\n\n${links.map((link) => `* ${link}`).join('\n')}`
}

export function* changeNotices(tx: ActorTx, { before, after }: ChannelChange): Generator<string> {
  const actor = mentionOfActor(tx, { channel: after, topic: '' })
  // Earlier names and descriptions stay with members, like earlier messages.
  const isPublishedNow = after.isWebPublic && !before.isWebPublic
  if (before.name !== after.name && !isPublishedNow) {
    yield `${actor} renamed channel **${escapeMarkdown(before.name)}** to **${escapeMarkdown(after.name)}**.`
  }
  if (before.description !== after.description && !isPublishedNow) {
    yield (
      `${actor} changed the description for this channel.\n\n**Old description:**\n\n${quoteDescription(before)}\n\n` +
      `**New description:**\n\n${quoteDescription(after)}`
    )
  }
  if (privacyName(before) !== privacyName(after)) {
    yield (
      `${actor} changed the access permissions for this channel from **${privacyName(before)}** to ` +
      `**${privacyName(after)}**.`
    )
  }
  if (before.messageRetentionDays !== after.messageRetentionDays) {
    yield (
      `${actor} changed the message retention period of this channel from **${retentionText(before)}** to ` +
      `**${retentionText(after)}**.`
    )
  }
  if (before.topicsPolicy !== after.topicsPolicy) {
    yield (
      `${actor} changed the topics policy of this channel from **${TOPICS_POLICY_NAMES[before.topicsPolicy]}** to ` +
      `**${TOPICS_POLICY_NAMES[after.topicsPolicy]}**.`
    )
  }
  if (before.isArchived !== after.isArchived) {
    yield `${actor} ${after.isArchived ? 'archived' : 'unarchived'} this channel.`
  }
}

function privacyName(channel: Channel): string {
  if (!channel.inviteOnly) return channel.isWebPublic ? 'Web-public' : 'Public'
  return channel.historyPublic ? 'Private, shared history' : 'Private, protected history'
}

const TOPICS_POLICY_NAMES: Readonly<Record<Channel['topicsPolicy'], string>> = {
  inherit: 'as in the organization',
  allow_empty_topic: 'with or without a topic',
  disable_empty_topic: 'only with a topic',
  empty_topic_only: 'only without a topic',
}

function retentionText({ messageRetentionDays: days }: Channel): string {
  if (days === null) return 'as in the organization'
  return days < 0 ? 'forever' : `${days} days`
}

function linkToChannel(tx: ActorTx, server: ServerFacts, channel: Channel): string {
  return isUnescapedName(channel.name)
    ? `#**${channel.name}**`
    : `[${escapeMarkdown(`#${channel.name}`)}](${server.urlOf(tx.organization)}${narrowUrl(channel)})`
}

/** Formats a description as code: its links must not be resolved with the notification bot's access. */
function quoteDescription({ description }: Channel): string {
  return description === '' ? '*No description.*' : fenceText(description)
}
