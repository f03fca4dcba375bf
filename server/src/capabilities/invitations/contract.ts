import * as z from 'zod/mini'
import { ROLE } from '../../kernel/actor.ts'
import { endpoint, PUBLIC_READ_RATE } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import {
  boolean,
  idInRequest,
  id,
  ids,
  integer,
  linkToken,
  mailAddress,
  nothing,
  string,
  text,
} from '../../kernel/schemas.ts'
import { MAX_WELCOME_TEXT_CHARACTERS, languageCode } from '../organizations/contract/settings.ts'
import { challengeProof } from '../registration-challenges/contract.ts'
import { newAccountSettings } from '../users/contract/own-settings.ts'
import { role } from '../users/contract/users.ts'
import { GROUP_LIMIT } from '../default-channel-groups/contract.ts'
import { signInResponse } from '../sessions/contract.ts'

export const INVITATION_LIMIT: Limit = {
  most: 5_000,
  per: 'organization',
  what: 'active invitations and invite links',
}

export const INVITATION_MAIL_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'invitation and new-account emails per UTC day; accounts beyond that are created without an email',
}

export const INVITER_MAIL_LIMIT: Limit = {
  most: 200,
  per: 'user',
  what: 'invitation emails per UTC day from a user who is not an administrator',
}

export const RESEND_DELAY_SECONDS = 300

export const MAX_INVITEES = 100
/** Limits an invitation's channels and, separately, its groups. */
export const MAX_IDS_IN_INVITATION = 100
export const DEFAULT_INVITATION_MINUTES = 10 * 24 * 60
export const MAX_INVITATION_MINUTES = 10 * 365 * 24 * 60

const idsInInvitation = z.array(idInRequest).check(z.maxLength(MAX_IDS_IN_INVITATION))

const invitationTermFields = {
  invite_expires_in_minutes: z._default(
    z.nullable(integer.check(z.minimum(1), z.maximum(MAX_INVITATION_MINUTES))),
    DEFAULT_INVITATION_MINUTES,
  ),
  invite_as: z._default(role, ROLE.member),
  group_ids: z._default(idsInInvitation, []),
  include_realm_default_subscriptions: z._default(boolean, false),
  welcome_message_custom_text: z.optional(z.nullable(text(MAX_WELCOME_TEXT_CHARACTERS))),
}

const invite = z.strictObject({
  id,
  invited_by_user_id: id,
  /** UNIX seconds, like `expiry_date`, which is null if the invitation does not expire. */
  invited: integer,
  expiry_date: z.nullable(integer),
  invited_as: role,
  email: z.optional(string),
  notify_referrer_on_join: boolean,
  link_url: z.optional(string),
  is_multiuse: boolean,
})

export const getInvites = endpoint({
  id: 'getInvites',
  method: 'GET',
  path: '/invites',
  summary: 'List active invitations: your own, or all for administrators.',
  description:
    'Links that create owners are listed only for owners. In a browser without a recent confirmation, `link_url` is ' +
    'empty for links that create administrators or owners; see `GET /invites/:invite_id/link`.',
  since: 0,
  input: nothing,
  output: z.object({ invites: z.array(invite) }),
  errors: [],
})

export const getInviteTerms = endpoint({
  id: 'getInviteTerms',
  method: 'GET',
  path: '/invites/terms',
  summary: 'List the channels and groups granted by the invitations of `GET /invites`.',
  description: 'Lists only channels that you can see.',
  since: 420,
  input: nothing,
  output: z.object({
    /** If false, the inviter must pass on the links. */
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
  summary: 'Invite people by email.',
  description:
    'Separate addresses with commas, semicolons, tabs, or line breaks; `"Ann Doe" <ann@example.org>` is allowed. ' +
    'If some addresses cannot be invited, the others are invited, and the refusal lists the failed addresses. ' +
    'You cannot invite with a role above your own, or into channels or groups that you cannot add users to.',
  since: 0,
  input: z.object({
    invitee_emails: string,
    stream_ids: idsInInvitation,
    notify_referrer_on_join: z._default(boolean, true),
    ...invitationTermFields,
  }),
  output: nothing,
  errors: ['INVITATION_FAILED', 'BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const createInviteLink = endpoint({
  id: 'createInviteLink',
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Create an invite link.',
  description: 'By default, you get a direct message about each person who joins.',
  since: 0,
  input: z.object({
    stream_ids: z._default(idsInInvitation, []),
    notify_referrer_on_join: z._default(boolean, true),
    ...invitationTermFields,
  }),
  output: z.object({ invite_link: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

const invitationInput = z.object({ invite_id: idInRequest })

export const revokeEmailInvite = endpoint({
  id: 'revokeEmailInvite',
  method: 'DELETE',
  path: '/invites/:invite_id',
  summary: 'Revoke an email invitation.',
  since: 0,
  input: invitationInput,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const revokeInviteLink = endpoint({
  id: 'revokeInviteLink',
  method: 'DELETE',
  path: '/invites/multiuse/:invite_id',
  summary: 'Revoke an invite link, including for people who started to join with it.',
  since: 0,
  input: invitationInput,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const resendEmailInvite = endpoint({
  id: 'resendEmailInvite',
  method: 'POST',
  path: '/invites/:invite_id/resend',
  summary: 'Resend an email invitation.',
  since: 0,
  input: invitationInput,
  output: nothing,
  errors: ['INVITATION_FAILED', 'BAD_REQUEST'],
})

export const getInviteLink = endpoint({
  id: 'getInviteLink',
  method: 'GET',
  path: '/invites/:invite_id/link',
  summary: 'Get an invite link, or the link of an email invitation on a server without email.',
  description:
    'For the inviter and administrators. If the server sends email, the link of an email invitation is sent only to ' +
    'the invited address, because using the link proves who owns the address.',
  since: 420,
  input: invitationInput,
  output: z.object({ invite_link: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const invitesChanged = event({
  type: 'invites_changed',
  summary: 'The invitations changed. Fetch the list again. For administrators and inviters.',
  payload: z.strictObject({}),
  touches: [],
  apply() {},
})

export const REGISTRATION_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'unconfirmed addresses of people who want to join; the oldest expires',
}

export const CONFIRMATION_LINK_SECONDS = 86_400
export const CONFIRMATIONS_PER_ADDRESS = 5
export const CONFIRMATION_DELAY_SECONDS = 300

export const getJoinOrganization = endpoint({
  id: 'getJoinOrganization',
  method: 'GET',
  path: '/join/organization',
  summary: "Get the organization's name, and whether an invitation is required to join.",
  since: 420,
  authentication: 'none',
  ratePerAddress: PUBLIC_READ_RATE,
  input: nothing,
  output: z.object({
    realm_name: string,
    can_register: boolean,
    /** If false, administrators pass on the confirmation links. */
    sends_email: boolean,
  }),
  errors: [],
})

export const getInvitation = endpoint({
  id: 'getInvitation',
  method: 'POST',
  path: '/join/invitation',
  summary: "Get the inviter and organization of a link's token.",
  description:
    'The token follows `#` in the link. An unknown, used, revoked, or expired token, or one of another ' +
    'organization, gets the same refusal.',
  since: 420,
  authentication: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({
    realm_name: string,
    inviter_full_name: z.nullable(string),
    asks_for_email: boolean,
    /** If true, the address must first be confirmed with `POST /registrations`. */
    confirms_email: boolean,
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
  summary: 'Create an account with the token of a link, and sign in the browser.',
  description:
    'The response sets the session cookie, as `POST /login` does. Passwords that are too easy to guess are ' +
    'refused.',
  since: 420,
  authentication: 'none',
  input: z.object({
    token: linkToken,
    full_name: string,
    password: string,
    email: z.optional(mailAddress),
    default_channel_group_ids: z._default(z.array(idInRequest).check(z.maxLength(GROUP_LIMIT.most)), []),
    ...newAccountSettings,
  }),
  output: signInResponse,
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST'],
})

export const requestRegistration = endpoint({
  id: 'requestRegistration',
  method: 'POST',
  path: '/registrations',
  summary: 'Request a link for joining by email.',
  description:
    'Requires the token of an invite link, unless `invite_required` is off. The response is the same whether or ' +
    'not the address has an account.',
  since: 420,
  authentication: 'none',
  // Each request sends an email to an arbitrary address and can displace the oldest confirmation.
  ratePerAddress: { count: 30, seconds: 3_600 },
  input: z.object({
    email: mailAddress,
    token: z.optional(linkToken),
    default_language: z.optional(languageCode),
    /** Without a token, the solved challenge of `GET /registrations/challenge`, if the organization requires one. */
    proof: z.optional(challengeProof),
  }),
  output: nothing,
  errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST', 'CHALLENGE_REQUIRED'],
})

export const getRegistrations = endpoint({
  id: 'getRegistrations',
  method: 'GET',
  path: '/registrations',
  summary: 'List addresses waiting for a link to confirm them. Administrators only.',
  description:
    'Empty if the server sends email, because people then get the link themselves. Clients with the capability ' +
    '`registrations` get events for additions and removals. `invites_changed` and changes of `invite_required` ' +
    'can also remove addresses.',
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
  summary: 'Get the link for a waiting address. Administrators only, on a server without email.',
  description:
    'By sharing the link, you confirm that the address belongs to the person. The audit log records who got it. ' +
    'Refused if the server sends email.',
  since: 420,
  input: z.object({ email: mailAddress }),
  output: z.object({ registration_link: string }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

/** Only for clients with the capability `registrations`. */
export const registrationAdded = event({
  type: 'registrations',
  op: 'add',
  summary: 'A person is waiting for a link to join. Fetch the list again. For users who can provide the link.',
  payload: z.strictObject({}),
  touches: [],
  apply() {},
})

/** Only for clients with the capability `registrations`. */
export const registrationRemoved = event({
  type: 'registrations',
  op: 'remove',
  summary: 'A waiting person joined or stopped waiting. Fetch the list again. For users who could provide the link.',
  payload: z.strictObject({}),
  touches: [],
  apply() {},
})
