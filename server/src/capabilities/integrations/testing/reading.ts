import { ApiError } from '../../../kernel/refusal.ts'
import { loadIntegration, readMessage } from '../queries.ts'
import { toMessageContent, requireIntegration, topicOf } from '../rules/index.ts'
import { serviceRequest } from '../rules/requests.ts'
import type { WebhookRequest } from './sending.ts'

export interface PostedMessage {
  readonly topic: string
  readonly content: string
}

/** Reads a request without a server. @throws ApiError if the webhook rejects the request */
export async function readWebhook(
  service: string,
  { headers = {}, body = {} }: WebhookRequest,
): Promise<PostedMessage | undefined> {
  const listed = requireIntegration(service)
  const { displayName } = listed
  const integration = await loadIntegration(listed)
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const message = await readMessage(integration, await serviceRequest({ headers, body: bytes }, displayName))
  return message && { topic: topicOf(message, displayName), content: toMessageContent(message.content).trimEnd() }
}

/** Returns the error code if the webhook rejects the request. Any other error is a bug. */
export async function tryRead(service: string, request: WebhookRequest): Promise<PostedMessage | string | undefined> {
  try {
    return await readWebhook(service, request)
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
