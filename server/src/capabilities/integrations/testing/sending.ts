import type { EventFields } from '../../../testing/contract-types.ts'
import type { Message } from '../../messages/contract/index.ts'
import { callApi, eventsOf, type Answer, type Parameters, type TestUser } from '../../../testing/user.ts'

export interface WebhookRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export async function sendAs(
  bot: TestUser,
  service: string,
  { headers = {}, body = {} }: WebhookRequest,
  query: Parameters = {},
): Promise<Answer> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ api_key: bot.apiKey, ...query })) {
    if (value !== undefined) parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const path = `/external/${service}?${parameters.toString()}`
  return callApi(
    bot.url,
    bot.host,
    'POST',
    path,
    {},
    { headers: { 'content-type': 'application/json', ...headers }, body: text },
  )
}

export function messagesIn(events: readonly EventFields[]): Message[] {
  return eventsOf(events, 'message').map(({ message }) => message)
}
