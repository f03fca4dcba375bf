import * as z from 'zod/mini'
import { endpoint, READ_BY_PAGES } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import type { Limit } from '../../../kernel/limits.ts'
import { boolean, givenId, id, integer, linkToken, mailAddress, nothing, string } from '../../../kernel/schemas.ts'
import { GROUP_LIMIT } from '../../default-channel-groups/contract.ts'
import { languageCode } from '../../organizations/contract/languages.ts'
import { signedIn } from '../../sessions/contract.ts'

export const REGISTRATION_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'addresses that are being confirmed by those who want to join; the oldest confirmation ends',
}

export const CONFIRMATION_SECONDS = 86_400
export const CONFIRMATIONS_PER_ADDRESS = 5
export const CONFIRMATION_PAUSE_SECONDS = 300

export const lookAtOrganization = endpoint({
  id: 'lookAtOrganization',
  method: 'GET',
  path: '/join/organization',
  summary: 'See what the organization is called, and whether one can join without an invitation.',
  since: 420,
  authentication: 'none',
  ratePerAddress: READ_BY_PAGES,
  input: nothing,
  output: z.object({
    realm_name: string,
    can_register: boolean,
    /** If false, administrators pass on the confirmation links. */
    sends_email: boolean,
  }),
  errors: [],
})

export const lookAtInvitation = endpoint({
  id: 'lookAtInvitation',
  method: 'POST',
  path: '/join/invitation',
  summary: 'See who invites where to, by the token of a link.',
  description:
    'The token is what stands behind `#` in the address of the link. One that is unknown, used, revoked, over or of another organization is ' +
    'refused alike.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({
    realm_name: string,
    /** Null if the person joins without an invitation. */
    inviter_full_name: z.nullable(string),
    /** True for invite links. */
    asks_for_email: boolean,
    /** If true, the address must first be confirmed with `POST /registrations`. */
    confirms_email: boolean,
    /** Empty for guests. */
    default_channel_groups: z.array(
      z.strictObject({ id, name: string, description: string, channel_names: z.array(string) }),
    ),
  }),
  errors: ['AUTHENTICATION_FAILED'],
})

export const join = endpoint({
  id: 'join',
  method: 'POST',
  path: '/join',
  summary: 'Make an account by the token of a link, and sign the browser in.',
  description:
    'The answer sets the cookie of a session, as that of `POST /login` does. A password that is guessed too easily is refused.',
  since: 420,
  authentication: 'none',
  input: z.object({
    token: linkToken,
    full_name: string,
    password: string,
    email: z.optional(mailAddress),
    default_channel_group_ids: z._default(z.array(givenId).check(z.maxLength(GROUP_LIMIT.most)), []),
    /** Language of the page. Defaults to the organization's. */
    default_language: z.optional(languageCode),
  }),
  output: signedIn,
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})

export const requestRegistration = endpoint({
  id: 'requestRegistration',
  method: 'POST',
  path: '/registrations',
  summary: 'Have a link sent to an address, with which its owner can join.',
  description:
    'By the token of a link that invites everybody who has it, or without one where the organization lets everybody join ' +
    '(`invite_required` is off). The answer is the same whether or not the address has an account already.',
  since: 420,
  authentication: 'none',
  // Each request sends an email to an arbitrary address and can displace the oldest one.
  ratePerAddress: { count: 30, seconds: 3_600 },
  input: z.object({
    email: mailAddress,
    token: z.optional(linkToken),
    /** Language of the page. Defaults to the organization's. */
    default_language: z.optional(languageCode),
  }),
  output: nothing,
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})

export const getRegistrations = endpoint({
  id: 'getRegistrations',
  method: 'GET',
  path: '/registrations',
  summary:
    'List the addresses whose owners want to join and have to be given the link that confirms them. Administrators only.',
  description:
    'Where the server sends e-mails, they get it by e-mail, and nobody is listed. Clients with the capability `registrations` are told who comes ' +
    'and who goes. `invites_changed` may end some, too, and so may the setting `invite_required`.',
  since: 420,
  input: nothing,
  output: z.object({
    registrations: z.array(
      z.strictObject({
        email: string,
        /** UNIX seconds, like `expires`. */
        requested: integer,
        expires: integer,
      }),
    ),
  }),
  errors: ['BAD_REQUEST'],
})

export const makeRegistrationLink = endpoint({
  id: 'makeRegistrationLink',
  method: 'POST',
  path: '/registrations/link',
  summary:
    'Get the link with which somebody goes on who wants to join with an address. Administrators only, where no e-mail is sent.',
  description:
    'Who hands it over says that the address is that of the person. The audit log says who got it. Where the server sends e-mails, the ' +
    'link is for the owner of the address alone.',
  since: 420,
  input: z.object({ email: mailAddress }),
  output: z.object({ registration_link: string }),
  errors: ['BAD_REQUEST'],
})

/** Only for clients with the capability `registrations`. */
export const registrationAdded = event({
  type: 'registrations',
  op: 'add',
  summary:
    'Somebody wants to join and waits for the link: the list has to be asked for anew. For those who may give it to them.',
  payload: z.strictObject({}),
  touches: [],
  apply() {
    // No state contains registrations.
  },
})

/** Only for clients with the capability `registrations`. */
export const registrationRemoved = event({
  type: 'registrations',
  op: 'remove',
  summary:
    'Somebody who waited has joined, or waits no longer: the list has to be asked for anew. For those who could give them the link.',
  payload: z.strictObject({}),
  touches: [],
  apply() {
    // No state contains registrations.
  },
})
