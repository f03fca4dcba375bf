import type { Input, Output } from '../../kernel/endpoint.ts'
import type { Reader } from '../../kernel/transaction.ts'
import type * as contract from './contract.ts'
import { INTEGRATIONS, integrationOf, noSignature } from './rules/index.ts'

const SECRET = { key: 'secret', label: 'Secret with which the service signs its requests', validator: 'check_string' }

export function incomingWebhookBotsSnapshot(): Record<string, unknown> {
  return {
    realm_incoming_webhook_bots: INTEGRATIONS.map(({ name, displayName, eventTypes, signs }) => ({
      name,
      display_name: displayName,
      all_event_types: eventTypes,
      config_options: [],
      url_options: signs ? [SECRET] : [],
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

/** Lets people test a URL before they configure the service. */
export async function getSampleRequest(
  _reader: Reader,
  { integration_name: name, secret }: Input<typeof contract.getSampleRequest>,
): Promise<Output<typeof contract.getSampleRequest>> {
  const listed = integrationOf(name)
  const { sample, sign } = await listed.load()
  const body = JSON.stringify(sample.body)
  if (secret !== undefined && sign === undefined) throw noSignature(listed)
  const signature = secret === undefined ? {} : sign?.(body, secret)
  return { headers: { 'content-type': 'application/json', ...sample.headers, ...signature }, body }
}
