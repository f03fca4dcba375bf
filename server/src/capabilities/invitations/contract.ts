import * as z from 'zod/mini'
import { ROLE } from '../../kernel/actor.ts'
import { endpoint, READ_BY_PAGES } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import {
  boolean,
  givenId,
  id,
  ids,
  integer,
  linkToken,
  mailAddress,
  nothing,
  string,
  text,
} from '../../kernel/schemas.ts'
import { MAX_WELCOME_TEXT } from '../organizations/contract/settings.ts'
import { role } from '../users/contract/users.ts'
import { GROUP_LIMIT } from '../default-channel-groups/contract.ts'
import { languageCode } from '../organizations/contract/languages.ts'
import { signedIn } from '../sessions/contract.ts'

export const INVITATION_LIMIT: Limit = {
  most: 5_000,
  per: 'organization',
  what: 'invitations and links that invite, which are still good',
}

export const INVITATION_MAIL_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'e-mails in a day of UTC with invitations, and to people for whom an account was made; further accounts are made without',
}

export const INVITER_MAIL_LIMIT: Limit = {
  most: 200,
  per: 'user',
  what: 'e-mails with invitations in a day of UTC by one who is no administrator',
}

export const RESEND_PAUSE_SECONDS = 300

export const MAX_INVITEES = 100
/** Applies to channels and to groups separately. */
export const MAX_NAMED_IN_INVITATION = 100
export const DEFAULT_INVITATION_MINUTES = 10 * 24 * 60
export const MAX_INVITATION_MINUTES = 10 * 365 * 24 * 60

const named = z.array(givenId).check(z.maxLength(MAX_NAMED_IN_INVITATION))

const terms = {
  invite_expires_in_minutes: z._default(
    z.nullable(integer.check(z.minimum(1), z.maximum(MAX_INVITATION_MINUTES))),
    DEFAULT_INVITATION_MINUTES,
  ),
  invite_as: z._default(role, ROLE.member),
  group_ids: z._default(named, []),
  include_realm_default_subscriptions: z._default(boolean, false),
  welcome_message_custom_text: z.optional(z.nullable(text(MAX_WELCOME_TEXT))),
}

const invite = z.strictObject({
  id,
  invited_by_user_id: id,
  /** UNIX seconds, like `expiry_date`, which is null without an expiry. */
  invited: integer,
  expiry_date: z.nullable(integer),
  invited_as: role,
  /** Only for email invitations. */
  email: z.optional(string),
  notify_referrer_on_join: boolean,
  /** Only for invite links. */
  link_url: z.optional(string),
  is_multiuse: boolean,
})

export const getInvites = endpoint({
  id: 'getInvites',
  method: 'GET',
  path: '/invites',
  summary: 'List the invitations that are still good: the own ones, or all of them for organization administrators.',
  description: 'Links that make owners are listed for owners alone.',
  since: 0,
  input: nothing,
  output: z.object({ invites: z.array(invite) }),
  errors: [],
})

export const getInviteTerms = endpoint({
  id: 'getInviteTerms',
  method: 'GET',
  path: '/invites/terms',
  summary:
    'List what the invitations of `GET /invites` grant: the channels and the groups into which people come by them.',
  description: 'Of the channels, those are listed of which one may know.',
  since: 420,
  input: nothing,
  output: z.object({
    /** If false, the inviter passes on the links. */
    sends_email: boolean,
    terms: z.array(
      z.strictObject({
        id,
        stream_ids: ids,
        group_ids: ids,
        include_realm_default_subscriptions: boolean,
      }),
    ),
  }),
  errors: [],
})

export const sendInvites = endpoint({
  id: 'sendInvites',
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by e-mail.',
  description:
    'Addresses are separated by commas, semicolons, tabs or line ends, and may be written as `"Ann Doe" <ann@example.org>`. Where some of them cannot be invited, the others are, and the refusal says which. ' +
    'Nobody is invited with a role above the own one, nor into channels or groups to which one may add nobody.',
  since: 0,
  input: z.object({
    invitee_emails: string,
    stream_ids: named,
    notify_referrer_on_join: z._default(boolean, true),
    ...terms,
  }),
  output: nothing,
  errors: ['INVITATION_FAILED', 'BAD_REQUEST'],
})

export const createInviteLink = endpoint({
  id: 'createInviteLink',
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Make a link that invites everybody who has it.',
  since: 0,
  input: z.object({ stream_ids: z._default(named, []), ...terms }),
  output: z.object({ invite_link: string }),
  errors: ['BAD_REQUEST'],
})

const ofOne = z.object({ invite_id: givenId })

export const revokeEmailInvite = endpoint({
  id: 'revokeEmailInvite',
  method: 'DELETE',
  path: '/invites/:invite_id',
  summary: 'Take back an invitation by e-mail.',
  since: 0,
  input: ofOne,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const revokeInviteLink = endpoint({
  id: 'revokeInviteLink',
  method: 'DELETE',
  path: '/invites/multiuse/:invite_id',
  summary: 'Take back a link that invites: nobody can use it any more, nor what was sent to those who have begun to.',
  since: 0,
  input: ofOne,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const resendEmailInvite = endpoint({
  id: 'resendEmailInvite',
  method: 'POST',
  path: '/invites/:invite_id/resend',
  summary: 'Send an invitation by e-mail again.',
  since: 0,
  input: ofOne,
  output: nothing,
  errors: ['INVITATION_FAILED', 'BAD_REQUEST'],
})

export const getInviteLink = endpoint({
  id: 'getInviteLink',
  method: 'GET',
  path: '/invites/:invite_id/link',
  summary: 'Get the link of an invitation by e-mail, on a server that sends no e-mail.',
  description:
    'For whoever invited and for organization administrators. Where the server sends e-mail, the link is for the owner of the address alone, ' +
    'of which it is the proof.',
  since: 420,
  input: ofOne,
  output: z.object({ invite_link: string }),
  errors: ['BAD_REQUEST'],
})

export const invitesChanged = event({
  type: 'invites_changed',
  summary:
    'The invitations have changed: a list of them has to be asked for anew. For administrators and whoever invited.',
  payload: z.strictObject({}),
  touches: [],
  apply() {
    // No state contains invitations.
  },
})

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
