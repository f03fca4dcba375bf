import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, nothing, string, text } from '../../../kernel/schemas.ts'

const MAX_INTEGRATION_NAME_CHARACTERS = 60
const MAX_EVENT_PATTERN_CHARACTERS = 100
const MAX_SECRET_CHARACTERS = 1_000

/** In each pattern, `*` matches any characters. */
const eventPatterns = z.optional(z.array(text(MAX_EVENT_PATTERN_CHARACTERS)))

export const receiveWebhook = endpoint({
  id: 'receiveWebhook',
  method: 'POST',
  path: '/external/:integration_name',
  summary: 'Receive a webhook from another service and post it as a message of a bot.',
  description:
    "Give the service this URL with its parameters. The body is the service's own: JSON, or a form with JSON in " +
    '`payload`. `realm_incoming_webhook_bots` of the register response lists the services and their events.',
  since: 0,
  forWriteOnlyBots: true,
  isWebhook: true,
  input: z.object({
    integration_name: text(MAX_INTEGRATION_NAME_CHARACTERS),
    api_key: z.optional(string),
    /** Channel name or ID. If omitted, the bot's owner receives direct messages. */
    stream: z.optional(string),
    /** If omitted, the event determines each message's topic. */
    topic: z.optional(string),
    only_events: eventPatterns,
    exclude_events: eventPatterns,
    /** If given, requests must be signed with this secret. Only for services whose `url_options` contain `secret`. */
    secret: z.optional(string),
  }),
  output: nothing,
  errors: [
    'BAD_REQUEST',
    'NOT_FOUND',
    'STREAM_DOES_NOT_EXIST',
    'MISSING_HTTP_EVENT_HEADER',
    'ANOMALOUS_WEBHOOK_PAYLOAD',
    'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'SLOW_MODE',
  ],
})

export const getIntegrations = endpoint({
  id: 'getIntegrations',
  method: 'GET',
  path: '/integrations',
  summary: 'List the supported services, without registering a queue.',
  since: 420,
  input: nothing,
  output: z.object({
    integrations: z.array(
      z.strictObject({
        name: string,
        display_name: string,
        /** Names for `only_events` and `exclude_events`; empty if the service has one event. */
        event_types: z.array(string),
        /** If true, the URL can contain a `secret`. */
        signs: boolean,
      }),
    ),
  }),
  errors: [],
})

export const getSampleRequest = endpoint({
  id: 'getSampleRequest',
  method: 'POST',
  path: '/integrations/:integration_name/sample_request',
  summary: 'Build a sample request of a service for testing. Posts nothing.',
  since: 420,
  input: z.object({
    integration_name: text(MAX_INTEGRATION_NAME_CHARACTERS),
    secret: z.optional(text(MAX_SECRET_CHARACTERS)),
  }),
  output: z.object({
    headers: z.record(string, string),
    body: string,
  }),
  errors: ['BAD_REQUEST', 'NOT_FOUND'],
})
