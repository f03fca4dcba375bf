import { isBlank } from '../../kernel/characters.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Call } from '../../platform/request.ts'
import { sendMessage } from '../messages/actions/send/send.ts'
import { userById } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import type { ListedIntegration } from './contract/catalog.ts'
import type * as contract from './contract/index.ts'
import { loadIntegration, readMessage } from './queries.ts'
import {
  toMessageContent,
  requireIntegration,
  passesEventFilters,
  signaturesUnsupportedError,
  topicOf,
} from './rules/index.ts'
import { serviceRequest, type Integration, type ServiceMessage, type ServiceRequest } from './rules/requests.ts'
import { plainText } from './rules/text.ts'

type WebhookInput = Input<typeof contract.receiveWebhook>

export async function receiveWebhook(call: Call, input: WebhookInput): Promise<Output<typeof contract.receiveWebhook>> {
  const listed = requireIntegration(input.integration_name)
  if (call.foreign === undefined) throw new Error('a webhook came without its body')
  const request = await serviceRequest(call.foreign, listed.displayName)
  const integration = await loadIntegration(listed)
  requireSignature(listed, integration, request, input.secret)
  const message = await readMessage(integration, request)
  if (message === undefined || !passesEventFilters(message.event, input.only_events, input.exclude_events)) return {}
  try {
    await postServiceMessage(call, input, message, listed)
  } catch (error) {
    // A service would send the event again after an error.
    if (!(error instanceof ApiError) || error.code !== 'MESSAGE_HELD') throw error
  }
  return {}
}

/** @throws ApiError BAD_REQUEST if the request is not signed with the given secret */
function requireSignature(
  listed: ListedIntegration,
  { isSigned }: Integration,
  request: ServiceRequest,
  secret: string | undefined,
): void {
  if (secret === undefined) return
  if (isSigned === undefined) throw signaturesUnsupportedError(listed)
  // Anyone could sign with an empty secret.
  if (secret === '' || !isSigned(request, secret)) {
    throw new ApiError('BAD_REQUEST', 'The request is not signed with the secret.')
  }
}

async function postServiceMessage(
  call: Call,
  { stream, topic }: WebhookInput,
  message: ServiceMessage,
  { displayName }: ListedIntegration,
): Promise<void> {
  const asService: Call = { ...call, actor: { ...call.actor, client: `${displayName.replaceAll(' ', '')}Webhook` } }
  if (isBlank(message.content)) return
  const subject = topic ?? topicOf(message, displayName)
  if (stream !== undefined && stream !== '') {
    const to = /^\d{1,15}$/.test(stream) ? Number(stream) : stream
    await sendMessage(asService, { type: 'stream', to, topic: subject, content: toMessageContent(message.content) })
    return
  }
  const content = toMessageContent(`**${plainText(subject)}**\n\n${message.content}`)
  await sendMessage(asService, { type: 'direct', to: [recipientIdOf(call)], content })
}

function recipientIdOf({ log: { organization }, actor }: Call): number {
  const { id, botType, botOwnerId } = knownUser(organization, actor.userId)
  if (botType === null) return id
  const owner = botOwnerId === null ? undefined : userById(organization, botOwnerId)
  if (owner?.isActive === true) return owner.id
  throw new ApiError('BAD_REQUEST', "The bot has no owner. Specify a channel with 'stream'.")
}
