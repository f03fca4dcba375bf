import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { nothing, string, text } from '../../kernel/schemas.ts'
import { REALM_SETTINGS } from '../organizations/contract/settings.ts'

const MAX_PROOF_CHARACTERS = 2_000

/** JSON text of a payload of ALTCHA 2: a challenge with its solution. */
export const challengeProof = text(MAX_PROOF_CHARACTERS)

export const CHALLENGE_SECONDS = 1_800

export const getRegistrationChallenge = endpoint({
  id: 'getRegistrationChallenge',
  method: 'GET',
  path: '/registrations/challenge',
  summary: 'Get the challenge to solve before requesting a registration without an invitation.',
  description:
    'Organizations can require a proof of work with `registration_challenge` of `PATCH /realm`. A challenge has the ' +
    'format of ALTCHA 2, so its libraries can solve it. It works once, for half an hour, and only here. After three ' +
    'attempts, it is void.',
  since: 420,
  authentication: 'none',
  ratePerAddress: { count: 60, seconds: 3_600 },
  input: nothing,
  output: z.object({
    difficulty: REALM_SETTINGS.registration_challenge.type,
    /** JSON text; null if the difficulty is `off`. */
    challenge: z.nullable(string),
  }),
  errors: [],
})
