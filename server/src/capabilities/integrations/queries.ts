import type { Input, Output } from '../../kernel/endpoint.ts'
import type { Reader } from '../../kernel/transaction.ts'
import { emojiByShortName, loadShortNames } from '../../platform/markdown/emoji/names.ts'
import { INTEGRATIONS, type ListedIntegration } from './contract/catalog.ts'
import type * as contract from './contract/index.ts'
import { requireIntegration, signaturesUnsupportedError } from './rules/index.ts'
import type { Integration, ServiceMessage, ServiceRequest } from './rules/requests.ts'
import { renameEmojiOutsideCode } from './rules/text.ts'

const SECRET_OPTION = {
  key: 'secret',
  label: 'Secret with which the service signs its requests',
  validator: 'check_string',
}

export function incomingWebhookBotsSnapshot(): Record<string, unknown> {
  return {
    realm_incoming_webhook_bots: INTEGRATIONS.map(({ name, displayName, eventTypes, signs }) => ({
      name,
      display_name: displayName,
      all_event_types: eventTypes,
      config_options: [],
      url_options: signs ? [SECRET_OPTION] : [],
    })),
  }
}

export function getIntegrations(): Output<typeof contract.getIntegrations> {
  return {
    integrations: INTEGRATIONS.map(({ name, displayName, eventTypes, signs }) => ({
      name,
      display_name: displayName,
      event_types: [...(eventTypes ?? [])],
      signs,
    })),
  }
}

export async function loadIntegration({ name }: ListedIntegration): Promise<Integration> {
  // Safe: a test loads each of these files. The compiler does not know which file this is.
  const file = (await import(`./rules/${name}.ts`)) as { readonly integration: Integration }
  return file.integration
}

export async function readMessage(
  { read, emojiNames }: Integration,
  request: ServiceRequest,
): Promise<ServiceMessage | undefined> {
  const message = read(request)
  if (message === undefined || emojiNames === undefined || !message.content.includes(':')) return message
  const emoji = await loadShortNames(emojiNames)
  const nameOf = (given: string): string | undefined => emojiByShortName(given, (name) => emoji.get(name)?.name)
  return { ...message, content: renameEmojiOutsideCode(message.content, nameOf) }
}

/** Lets people test a URL before they configure the service. */
export async function getSampleRequest(
  _reader: Reader,
  { integration_name: name, secret }: Input<typeof contract.getSampleRequest>,
): Promise<Output<typeof contract.getSampleRequest>> {
  const listed = requireIntegration(name)
  const { sample, sign } = await loadIntegration(listed)
  const body = JSON.stringify(sample.body)
  if (secret !== undefined && sign === undefined) throw signaturesUnsupportedError(listed)
  const signature = secret === undefined ? {} : sign?.(body, secret)
  return { headers: { 'content-type': 'application/json', ...sample.headers, ...signature }, body }
}
