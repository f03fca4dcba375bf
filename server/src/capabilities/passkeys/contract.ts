import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { composedText, id, integer, nothing, string, text } from '../../kernel/schemas.ts'
import { signInResponse } from '../sessions/contract.ts'

export const PASSKEY_LIMIT: Limit = { most: 20, per: 'user', what: 'passkeys' }

export const CHALLENGE_SECONDS = 300

export const CHALLENGE_LIMIT: Limit = {
  most: 10_000,
  per: 'organization',
  what: 'open passkey challenges; the oldest expires',
}

export const MAX_PASSKEY_NAME_CHARACTERS = 60

const MAX_CREDENTIAL_ID_CHARACTERS = 1_400
const MAX_CREDENTIAL_PART_CHARACTERS = 20_000
const encodedBytes = text(MAX_CREDENTIAL_PART_CHARACTERS)
const credentialId = text(MAX_CREDENTIAL_ID_CHARACTERS)
const MAX_TRANSPORTS = 10
const MAX_TRANSPORT_CHARACTERS = 20

const passkeyName = composedText(MAX_PASSKEY_NAME_CHARACTERS)

const credentialFields = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
}

const registrationCredential = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: encodedBytes,
    attestationObject: encodedBytes,
    transports: z.optional(z.array(text(MAX_TRANSPORT_CHARACTERS)).check(z.maxLength(MAX_TRANSPORTS))),
  }),
})

const assertionCredential = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: encodedBytes,
    authenticatorData: encodedBytes,
    signature: encodedBytes,
    userHandle: z.optional(z.nullable(credentialId)),
  }),
})

/** WebAuthn options for `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
const webAuthnOptions = z.record(string, z.unknown())

const passkey = z.object({
  id,
  name: string,
  /** UNIX seconds, like `last_used_at`, which is null if the passkey was never used. */
  created_at: integer,
  last_used_at: z.nullable(integer),
})

export const getPasskeys = endpoint({
  id: 'getPasskeys',
  method: 'GET',
  path: '/passkeys',
  summary: 'List your passkeys, newest first.',
  since: 420,
  input: nothing,
  output: z.object({ passkeys: z.array(passkey) }),
  errors: [],
})

export const beginPasskey = endpoint({
  id: 'beginPasskey',
  method: 'POST',
  path: '/passkeys/begin',
  summary: 'Start creating a passkey. Returns the options for the device.',
  description: "Requires the account's password, if it has one.",
  since: 420,
  input: z.object({ password: z._default(string, '') }),
  output: z.object({ options: webAuthnOptions }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const createPasskey = endpoint({
  id: 'createPasskey',
  method: 'POST',
  path: '/passkeys',
  summary: 'Save a passkey created by a device.',
  since: 420,
  input: z.object({ name: passkeyName, credential: registrationCredential }),
  output: z.object({ passkey_id: id }),
  errors: ['BAD_REQUEST'],
})

export const renamePasskey = endpoint({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/passkeys/:passkey_id',
  summary: 'Rename a passkey.',
  since: 420,
  input: z.object({ passkey_id: id, name: passkeyName }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removePasskey = endpoint({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/passkeys/:passkey_id',
  summary: 'Remove a passkey.',
  description: "Requires the account's password, if it has one.",
  since: 420,
  input: z.object({ passkey_id: id, password: z._default(string, '') }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const beginPasskeyLogin = endpoint({
  id: 'beginPasskeyLogin',
  method: 'POST',
  path: '/login/passkey/begin',
  summary: 'Start signing in with a passkey. Returns the options for the device.',
  since: 420,
  authentication: 'none',
  // A new challenge can displace the oldest pending challenge, possibly another person's.
  ratePerAddress: { count: 60, seconds: 60 },
  input: nothing,
  output: z.object({ options: webAuthnOptions }),
  errors: [],
})

export const finishPasskeyLogin = endpoint({
  id: 'finishPasskeyLogin',
  method: 'POST',
  path: '/login/passkey',
  summary: 'Sign in with a passkey.',
  description:
    'The device has verified the user, so this replaces the password and two-factor authentication. The response ' +
    'sets the session cookie, as `POST /login` does.',
  since: 420,
  authentication: 'none',
  input: z.object({ credential: assertionCredential }),
  output: signInResponse,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
})

export const confirmSessionWithPasskey = endpoint({
  id: 'confirmSessionWithPasskey',
  method: 'POST',
  path: '/session/confirm/passkey',
  summary: "Confirm the signed-in user's identity with a passkey.",
  description:
    'Get the options for the device from `POST /login/passkey/begin`. See `POST /session/confirm` for when this ' +
    'is needed.',
  since: 420,
  input: z.object({ credential: assertionCredential }),
  output: nothing,
  errors: ['BAD_REQUEST', 'AUTHENTICATION_FAILED'],
})
