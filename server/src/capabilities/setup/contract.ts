import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, linkToken, mailAddress, string } from '../../kernel/schemas.ts'
import { channelDescription, channelName } from '../channels/contract/records.ts'
import { languageCode } from '../organizations/contract/languages.ts'

export const SETUP_LINK_LIMIT: Limit = {
  most: 10,
  per: 'organization',
  what: 'links with which its owner sets it up, before it is there; the oldest one ends',
}

/** Each start of the server prints a new link until one is used. */
export const SETUP_LINK_SECONDS = 3_600

export const MAX_FIRST_CHANNELS = 10

export const lookAtSetup = endpoint({
  id: 'lookAtSetup',
  method: 'POST',
  path: '/setup/link',
  summary: 'See whether the token of a link lets one set an organization up at this host name.',
  description:
    'The token is what stands behind `#` in the address that the server prints as long as there is no organization. One that is unknown, ' +
    'used, over or of another organization is refused alike.',
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
  summary: 'Make the organization with its first owner by the token of a link, and sign the browser in.',
  description:
    'The answer sets the cookie of a session, as that of `POST /login` does. The owner is subscribed to the channels, and so is everybody ' +
    'who joins later. A password that is guessed too easily is refused.',
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
    /** Default language of the organization: that of the setup page. */
    default_language: z.optional(languageCode),
  }),
  output: z.object({ user_id: id, email: string }),
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})
