import type { OrganizationState } from '../../../kernel/projection.ts'
import { ANSWER_SECONDS, personIn, type OutsideRequest } from '../../../platform/outside/request.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { presentMessage, type LinkedMessage, type StoredMessage } from '../../messages/queries/index.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import { PAYLOAD_INTERFACE, type BotService } from '../../users/contract/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import type { Trigger } from './index.ts'

/** A reply contains one message of at most 10,000 characters. */
const MAX_ANSWER_BYTES = 256 * 1024

export interface BotRequest {
  readonly bot: UserRow
  readonly service: BotService
  readonly message: StoredMessage
  readonly trigger: Trigger
}

interface LinkedRequest {
  readonly message: LinkedMessage
}

export function requestOf(organization: OrganizationState, delivered: BotRequest & LinkedRequest): OutsideRequest {
  const isSlack = delivered.service.interface === PAYLOAD_INTERFACE.slack
  return {
    url: delivered.service.base_url,
    method: 'POST',
    headers: {
      'content-type': isSlack ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8',
      accept: 'application/json',
    },
    body: isSlack ? slackForm(organization, delivered) : JSON.stringify(payloadOf(organization, delivered)),
    person: personIn(organization.id, delivered.bot.botOwnerId ?? delivered.bot.id),
    mostSeconds: ANSWER_SECONDS,
    mostBytes: MAX_ANSWER_BYTES,
  }
}

function presentToBot(
  organization: OrganizationState,
  { bot, message }: BotRequest,
): ReturnType<typeof presentMessage> {
  return presentMessage(organization, message, {
    applyMarkdown: false,
    clientExternalAvatar: false,
    emptyTopicName: false,
    reader: { userId: bot.id, role: bot.role },
  })
}

function payloadOf(organization: OrganizationState, delivered: BotRequest & LinkedRequest): object {
  const { bot, service, message, trigger } = delivered
  return {
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    data: message.content,
    trigger,
    token: service.token,
    message: {
      ...presentToBot(organization, delivered),
      topic_links: message.topicLinks,
      rendered_content: message.renderedContent,
    },
  }
}

/** Formats a message like Slack, where IDs start with a letter for their kind. */
function slackForm(organization: OrganizationState, delivered: BotRequest): string {
  const { bot, service, message } = delivered
  const { display_recipient, sender_full_name, timestamp } = presentToBot(organization, delivered)
  const isDirect = typeof display_recipient !== 'string'
  const team = organizationOf(organization)
  return new URLSearchParams({
    token: service.token,
    team_id: `T${organization.id}`,
    team_domain: team.stringId,
    channel_id: isDirect ? `D${message.conversationId ?? 0}` : `C${message.channelId ?? 0}`,
    channel_name: isDirect ? 'directmessage' : display_recipient,
    thread_ts: String(timestamp),
    timestamp: String(timestamp),
    user_id: `U${message.senderId}`,
    user_name: sender_full_name,
    text: message.content,
    trigger_word: isDirect ? '' : `@**${bot.fullName}**`,
    service_id: String(bot.id),
    ...(isDirect ? {} : { topic: presentTopic(message.topic, false) }),
  }).toString()
}
