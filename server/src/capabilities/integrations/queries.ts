import { INTEGRATIONS } from './rules/index.ts'

const SECRET = { key: 'secret', label: 'Secret with which the service signs its requests', validator: 'check_string' }

/** The services whose requests become messages, and what their addresses may hold. */
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
