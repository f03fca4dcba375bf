import * as z from 'zod/mini'
import { isBlank, decodeUtf8 } from '../../kernel/characters.ts'
import { isExcessiveJson } from '../../kernel/excessive-json.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { boolean, string } from '../../kernel/schemas.ts'
import type { ConsumedEvent } from '../../platform/consumers/consumer.ts'
import { markdownOfSlack } from '../../platform/markdown/slack.ts'
import {
  isTemporaryStatus,
  REQUEST_TIMEOUT_SECONDS,
  personKey,
  type OutsideResponse,
  type OutsideRequest,
} from '../../platform/outside/request.ts'
import { botForCommandIn } from '../bot-commands/queries.ts'
import { commandNameIn } from '../bot-commands/rules.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { messageContent } from '../messages/contract/index.ts'
import { presentMessage, type LinkedMessage, type StoredMessage } from '../messages/queries/index.ts'
import { messagePayload } from '../messages/rules/payload.ts'
import { organizationOf } from '../organizations/queries/index.ts'
import { BOT_TYPE, PAYLOAD_INTERFACE, type BotService } from '../users/contract/index.ts'
import { usersProjection, type UserRow } from '../users/queries/index.ts'

export type WebhookTrigger = 'mention' | 'direct_message'

export interface TriggeredBot {
  readonly botId: number
  readonly trigger: WebhookTrigger
}

/** Returns bots that the message reaches by a mention or a command, or all bots in a direct conversation. */
export function triggeredBots(organization: OrganizationState, event: ConsumedEvent): TriggeredBot[] {
  const { audience } = event
  const { mentioned = NO_USERS, command_bot: commandBot } = messagePayload(event)
  const isDirect = !('channel' in audience) && 'users' in audience
  const called = commandBot === undefined || mentioned.includes(commandBot) ? mentioned : [...mentioned, commandBot]
  const addressed = isDirect ? audience.users : called
  if (addressed === undefined || addressed.length === 0) return NO_BOTS
  const { bots } = organization.of(usersProjection)
  const outgoing = addressed.filter((userId) => {
    const bot = bots.get(userId)
    return bot?.botType === BOT_TYPE.outgoingWebhook && bot.isActive
  })
  if (outgoing.length === 0) return NO_BOTS
  return outgoing.map((botId) => ({ botId, trigger: isDirect ? 'direct_message' : 'mention' }))
}

const NO_BOTS: TriggeredBot[] = []
const NO_USERS: readonly number[] = []

export type DeliveryOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'reply'; readonly content: string; readonly widget: string | undefined }
  | { readonly kind: 'again'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

const storableContent = messageContent.check(
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), { message: 'contains invalid characters' }),
)

const genericReply = z.object({
  content: z.nullish(storableContent),
  response_string: z.nullish(storableContent),
  response_not_required: z.nullish(boolean),
  widget_content: z.nullish(string),
})
const slackReply = z.object({ text: z.nullish(storableContent) })

export function parseDeliveryOutcome({ status, body }: OutsideResponse, service: BotService): DeliveryOutcome {
  const reason = `its answer had the status ${status}`
  if (isTemporaryStatus(status)) return { kind: 'again', reason }
  if (status < 200 || status >= 300) return { kind: 'failed', reason }
  const text = decodeUtf8(body)
  if (isBlank(text)) return { kind: 'done' }
  const value = parseJson(text)
  if (value === null) return { kind: 'done' }
  if (value === undefined) return { kind: 'failed', reason: 'its answer is not JSON' }
  return service.interface === PAYLOAD_INTERFACE.slack ? slackOutcome(value) : readReply(value)
}

function readReply(value: unknown): DeliveryOutcome {
  const answer = genericReply.safeParse(value)
  if (!answer.success) return invalidReply(answer.error)
  const { content, response_string, response_not_required, widget_content } = answer.data
  const text = content ?? response_string ?? ''
  if (response_not_required === true || isBlank(text)) return { kind: 'done' }
  return { kind: 'reply', content: text, widget: widget_content ?? undefined }
}

function slackOutcome(value: unknown): DeliveryOutcome {
  const answer = slackReply.safeParse(value)
  if (!answer.success) return invalidReply(answer.error)
  const text = answer.data.text ?? ''
  return isBlank(text) ? { kind: 'done' } : { kind: 'reply', content: markdownOfSlack(text), widget: undefined }
}

function invalidReply(error: z.core.$ZodError): DeliveryOutcome {
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? ''
  return {
    kind: 'failed',
    reason: field === '' ? 'its response is not a JSON object' : `its response has an invalid field ${field}`,
  }
}

function parseJson(text: string): unknown {
  if (isExcessiveJson(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** More than enough for a reply, which is one message of at most 10,000 characters. */
const MAX_RESPONSE_BYTES = 256 * 1024

export interface BotRequest {
  readonly bot: UserRow
  readonly service: BotService
  readonly message: StoredMessage
  readonly trigger: WebhookTrigger
}

interface MessageWithLinks {
  readonly message: LinkedMessage
}

export function buildRequest(
  organization: OrganizationState,
  delivered: BotRequest & MessageWithLinks,
): OutsideRequest {
  const isSlack = delivered.service.interface === PAYLOAD_INTERFACE.slack
  return {
    url: delivered.service.base_url,
    method: 'POST',
    headers: {
      'content-type': isSlack ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8',
      accept: 'application/json',
    },
    body: isSlack ? slackFormBody(organization, delivered) : JSON.stringify(createPayload(organization, delivered)),
    person: personKey(organization.id, delivered.bot.botOwnerId ?? delivered.bot.id),
    mostSeconds: REQUEST_TIMEOUT_SECONDS,
    mostBytes: MAX_RESPONSE_BYTES,
  }
}

function presentMessageToBot(
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

function createPayload(organization: OrganizationState, delivered: BotRequest & MessageWithLinks): object {
  const { bot, service, message, trigger } = delivered
  return {
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    data: message.content,
    trigger,
    token: service.token,
    message: {
      ...presentMessageToBot(organization, delivered),
      topic_links: message.topicLinks,
      rendered_content: message.renderedContent,
    },
  }
}

/** Programs that expect Slack's format remove this word from the start of the text. */
function triggerWord(organization: OrganizationState, { bot, message: { content } }: BotRequest): string {
  const isCommand = botForCommandIn(organization, content)?.id === bot.id
  return isCommand ? `/${commandNameIn(content) ?? ''}` : `@**${bot.fullName}**`
}

/** Adds letters to IDs, because Slack's IDs start with a letter that denotes their kind. */
function slackFormBody(organization: OrganizationState, delivered: BotRequest): string {
  const { bot, service, message } = delivered
  const { display_recipient, sender_full_name, timestamp } = presentMessageToBot(organization, delivered)
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
    trigger_word: isDirect ? '' : triggerWord(organization, delivered),
    service_id: String(bot.id),
    ...(isDirect ? {} : { topic: presentTopic(message.topic, false) }),
  }).toString()
}
