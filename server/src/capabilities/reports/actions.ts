import { escapeMarkdown } from '../../platform/markdown/escape.ts'
import type { Input } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { narrowUrl } from '../../platform/markdown/narrow.ts'
import { destinationWithAllowedTopic } from '../channels/actions/noticed.ts'
import { channelById, type Channel } from '../channels/queries/index.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { silentMentionOf, prepareNotice, postMessages, fenceText } from '../messages/actions/post.ts'
import { readableMessage, type StoredMessage } from '../messages/queries/index.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { REPORT_REASONS, REPORTS_TOPIC, type reportMessage as contract } from './contract.ts'

/** Quotes the reported message, even if the moderators cannot read it. */
export async function reportMessage(
  tx: ActorTx,
  input: Input<typeof contract>,
  server: ServerFacts,
): Promise<Record<string, never>> {
  const message = await readableMessage(tx, input.message_id)
  const renderContext = moderationChannel(tx)
  if (input.report_type === 'other' && input.description.trim() === '') {
    throw new ApiError('BAD_REQUEST', 'An explanation is required for this report type.')
  }
  await postMessages(tx, [
    await prepareNotice(
      tx,
      server,
      destinationWithAllowedTopic(tx, renderContext, REPORTS_TOPIC),
      reportText(tx, server, message, input),
    ),
  ])
  return {}
}

/** Checks that the channel is still private: it may have become public since it was chosen. */
function moderationChannel(tx: ActorTx): Channel {
  const channel = channelById(tx.organization, settingOf(tx.organization, 'moderation_request_channel_id'))
  if (channel === undefined || channel.isArchived || !channel.inviteOnly) {
    throw new ApiError('BAD_REQUEST', 'Moderation request channel must be specified to enable message reporting.')
  }
  return channel
}

function reportText(tx: ActorTx, server: ServerFacts, message: StoredMessage, input: Input<typeof contract>): string {
  const { report_type: reason, description } = input
  const reporter = silentMentionOf(tx.organization, tx.actor.userId)
  const sender = silentMentionOf(tx.organization, message.senderId)
  const parts = [
    `${reporter} reported a message that ${sender} sent ${describeConversation(tx, server, message)}.`,
    `**Reason:** ${REPORT_REASONS[reason]}`,
    ...(description.trim() === '' ? [] : ['**Explanation:**', fenceText(description)]),
    '**Message:**',
    fenceText(message.content),
  ]
  return parts.join('\n\n')
}

function describeConversation(tx: ActorTx, server: ServerFacts, { id, channelId, topic }: StoredMessage): string {
  const channel = channelId === null ? undefined : channelById(tx.organization, channelId)
  if (channel === undefined) return 'in a direct message'
  const name = escapeMarkdown(`#${channel.name} > ${presentTopic(topic, false)}`)
  return `in [${name}](${server.urlOf(tx.organization)}${narrowUrl(channel, topic, id)})`
}
