import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, nothing, string, text } from '../../kernel/schemas.ts'

const MAX_INTEGRATION_NAME = 60
const MAX_EVENT_PATTERN = 100
const MAX_SECRET = 1_000

/** Names of events, in which `*` stands for any characters. */
const eventPatterns = z.optional(z.array(text(MAX_EVENT_PATTERN)))

export const receiveWebhook = endpoint({
  id: 'receiveWebhook',
  method: 'POST',
  path: '/external/:integration_name',
  summary: 'Take what a service outside tells, in its own form, and post it as a message of a bot.',
  description:
    'Give the service this address with the parameters in it. The body is what the service sends: JSON, or a form with JSON ' +
    'in `payload`. `realm_incoming_webhook_bots` of the register response lists the services and their events.',
  since: 0,
  forWriteOnlyBots: true,
  isWebhook: true,
  input: z.object({
    /** The service, such as `github`. */
    integration_name: text(MAX_INTEGRATION_NAME),
    /** The API key of the bot that posts, for a service that cannot send it in the header `Authorization`. */
    api_key: z.optional(string),
    /** The name or the id of the channel to post to. Without it, the bot writes to its owner. */
    stream: z.optional(string),
    /** The topic of all messages. Without it, each has the topic of what it is about. */
    topic: z.optional(string),
    /** Only these events are posted. */
    only_events: eventPatterns,
    /** These events are not posted. */
    exclude_events: eventPatterns,
    /**
     * What the service signs its requests with, or sends along as a token. With it, a request without the right signature is
     * refused; it may be given for services of which `url_options` lists it.
     */
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
  ],
})

export const getIntegrations = endpoint({
  id: 'getIntegrations',
  method: 'GET',
  path: '/integrations',
  summary: 'List the services whose requests become messages, without registering a queue.',
  since: 420,
  input: nothing,
  output: z.object({
    integrations: z.array(
      z.strictObject({
        /** The last part of the address. */
        name: string,
        display_name: string,
        /** What `only_events` and `exclude_events` of the address can name; empty where it tells of one kind of thing. */
        event_types: z.array(string),
        /** Whether it signs its requests, so that the address may have a `secret`. */
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
  summary: 'Make a request as a service would send it, to try an address with. Nothing is posted by this.',
  since: 420,
  input: z.object({
    /** The service, such as `github`. */
    integration_name: text(MAX_INTEGRATION_NAME),
    /** What the address has as `secret`: the request is signed with it. */
    secret: z.optional(text(MAX_SECRET)),
  }),
  output: z.object({
    /** What to send beside the body. */
    headers: z.record(string, string),
    body: string,
  }),
  errors: ['BAD_REQUEST', 'NOT_FOUND'],
})
