import { Refusal } from '../../../kernel/refusal.ts'
import { integrationOf } from '../rules/index.ts'
import { contentOf, topicOf } from '../rules/posting.ts'
import { serviceRequest } from '../rules/requests.ts'
import type { Sent } from './sending.ts'

export interface PostedMessage {
  readonly topic: string
  readonly content: string
}

/**
 * Reads a service's request as the webhook does, without a server.
 * @returns the message that it becomes; undefined if there is nothing to say
 * @throws Refusal where the webhook is refused
 */
export async function read(service: string, { headers = {}, body = {} }: Sent): Promise<PostedMessage | undefined> {
  const { displayName, load } = integrationOf(service)
  const { read: readRequest } = await load()
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const message = readRequest(await serviceRequest({ headers, body: bytes }, displayName))
  return message && { topic: topicOf(message, displayName), content: contentOf(message.content).trimEnd() }
}

/** Like `read`, with the code of a refusal instead of its throw; anything else that is thrown is a fault. */
export async function tryRead(service: string, request: Sent): Promise<PostedMessage | string | undefined> {
  try {
    return await read(service, request)
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
