import { ApiError, call } from '@parley/client'
import { history, integrations } from '@parley/server/contract'
import type { ListedIntegration } from '@parley/server/integrations'
import { isRecord } from '@parley/server/kernel/keys'
import type { Message } from '../../kernel/message.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { createBot } from '../bots/actions.ts'
import { textsOf, type WebhookOptions } from './state.ts'

export async function createBotFor(service: ListedIntegration): Promise<number> {
  return createBot({ full_name: textsOf(service).title, short_name: service.name.replaceAll('_', '-'), bot_type: 2 })
}

/** Sends a sample request without the browser's credentials. @returns undefined if the user cannot see the message */
export async function sendSampleRequest(
  { name }: ListedIntegration,
  address: string,
  { botId, channelId, secret }: WebhookOptions,
): Promise<Message | undefined> {
  const sample = await call(SESSION, integrations.getSampleRequest, {
    integration_name: name,
    ...(secret === '' ? {} : { secret }),
  })
  const before = await newestMessageFrom(botId, channelId)
  const { pathname, search } = new URL(address)
  const response = await fetch(pathname + search, {
    method: 'POST',
    headers: sample.headers,
    body: sample.body,
    credentials: 'omit',
  })
  const answer: unknown = await response.json()
  if (!isRecord(answer)) throw new ApiError(response.status, {})
  if (answer['result'] !== 'success' || answer['code'] !== undefined) throw new ApiError(response.status, answer)
  const after = await newestMessageFrom(botId, channelId)
  return after?.id === before?.id ? undefined : after
}

async function newestMessageFrom(
  botId: number | undefined,
  channelId: number | undefined,
): Promise<Message | undefined> {
  if (botId === undefined) return undefined
  const place = channelId === undefined ? [] : [{ operator: 'channel', operand: channelId }]
  const { messages } = await call(SESSION, history.getMessages, {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [...place, { operator: 'sender', operand: botId }],
    client_external_avatar: false,
    allow_empty_topic_name: true,
  })
  return messages.at(-1)
}
