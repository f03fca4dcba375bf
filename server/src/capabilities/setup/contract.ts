import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, linkToken, mailAddress, string } from '../../kernel/schemas.ts'
import { channelDescription, channelName } from '../channels/contract/records.ts'
import { newAccountSettings } from '../users/contract/own-settings.ts'

export const SETUP_LINK_LIMIT: Limit = {
  most: 10,
  per: 'organization',
  what: 'setup links for an organization; the oldest expires',
}

/** Each start of the server prints a new link until the organization is set up. */
export const SETUP_LINK_SECONDS = 3_600

export const MAX_FIRST_CHANNELS = 10

export const getSetup = endpoint({
  id: 'getSetup',
  method: 'POST',
  path: '/setup/link',
  summary: 'Check the token of a setup link at this host name.',
  description:
    'The token follows `#` in the setup link that the server prints until an organization exists. An unknown, ' +
    'used, or expired token, or one of another organization, gets the same refusal.',
  since: 420,
  authentication: 'none',
  withoutOrganization: true,
  input: z.object({ token: linkToken }),
  output: z.object({
    /** Name suggested by the operator; empty for none. */
    realm_name: string,
  }),
  errors: ['AUTHENTICATION_FAILED'],
})

export const setUpOrganization = endpoint({
  id: 'setUpOrganization',
  method: 'POST',
  path: '/setup',
  summary: 'Create the organization and its owner with the token of a setup link, and sign in the browser.',
  description:
    'The response sets the session cookie, as `POST /login` does. The owner and everyone who joins later are ' +
    'subscribed to the channels. Passwords that are too easy to guess are refused.',
  since: 420,
  authentication: 'none',
  withoutOrganization: true,
  input: z.object({
    token: linkToken,
    realm_name: string,
    full_name: string,
    email: mailAddress,
    password: string,
    channels: z._default(
      z
        .array(z.strictObject({ name: channelName, description: z.optional(channelDescription) }))
        .check(z.maxLength(MAX_FIRST_CHANNELS)),
      [],
    ),
    ...newAccountSettings,
  }),
  output: z.object({ user_id: id, email: string }),
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})
