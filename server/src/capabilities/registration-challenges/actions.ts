import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { OpenCall } from '../../platform/request.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { requireOrganizationLog } from '../authentication/actions/index.ts'
import type { SettingValue } from '../organizations/contract/settings.ts'
import { settingOf } from '../organizations/queries/index.ts'
import type * as contract from './contract.ts'
import { CHALLENGE_SECONDS } from './contract.ts'

/** Iterations of each attempt. A browser makes about two million a second, and needs 256 attempts on average. */
const COSTS: Readonly<Record<Exclude<SettingValue<'registration_challenge'>, 'off'>, number>> = {
  easy: 1_000,
  normal: 5_000,
  hard: 20_000,
}

const payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

const ATTEMPTS_PER_CHALLENGE = 3
const MAX_COUNTED_CHALLENGES = 10_000
/** Attempts by nonce: checking even a wrong solution takes the server a key derivation. Each node counts its own. */
const attempts = new BoundedCache<string, number>(MAX_COUNTED_CHALLENGES)

/** Differs by organization, and is the same on all nodes. */
async function signatureSecret({ tokens }: ServerFacts, { id }: OrganizationState): Promise<string> {
  return tokens.of(Buffer.from(`registration challenges of ${id}`))
}

export async function getRegistrationChallenge(
  call: OpenCall,
): Promise<Output<typeof contract.getRegistrationChallenge>> {
  const { organization } = requireOrganizationLog(call)
  const difficulty = settingOf(organization, 'registration_challenge')
  if (difficulty === 'off') return { difficulty, challenge: null }
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COSTS[difficulty],
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1_000) + CHALLENGE_SECONDS,
    hmacSignatureSecret: await signatureSecret(call.server, organization),
  })
  return { difficulty, challenge: JSON.stringify(challenge) }
}

export interface SolvedChallenge {
  readonly nonce: string
  readonly expiresAt: number
}

/**
 * Returns undefined if the organization requires no proof of work. Deriving the key is the only work, and happens a few
 * times at most for each challenge that this organization signed.
 * @throws ApiError CHALLENGE_REQUIRED
 */
export async function verifyProof(call: OpenCall, proof: string | undefined): Promise<SolvedChallenge | undefined> {
  const { organization } = requireOrganizationLog(call)
  const difficulty = settingOf(organization, 'registration_challenge')
  if (difficulty === 'off') return undefined
  const found = payload.safeParse(parseJson(proof))
  // Harder settings also apply to challenges that were given out before.
  if (!found.success || found.data.challenge.parameters.cost < COSTS[difficulty]) throw challengeRequiredError()
  const { challenge, solution } = found.data
  const attempt = (attempts.get(challenge.parameters.nonce) ?? 0) + 1
  if (attempt > ATTEMPTS_PER_CHALLENGE) throw challengeRequiredError()
  attempts.set(challenge.parameters.nonce, attempt)
  const { verified } = await verifySolution({
    challenge,
    solution,
    deriveKey,
    hmacSignatureSecret: await signatureSecret(call.server, organization),
  })
  if (!verified) throw challengeRequiredError()
  return { nonce: challenge.parameters.nonce, expiresAt: challenge.parameters.expiresAt }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Stores only solved challenges that have not expired. @throws ApiError CHALLENGE_REQUIRED if it was used before */
export async function useChallenge(tx: Tx, { nonce, expiresAt }: SolvedChallenge): Promise<void> {
  if (expiresAt < tx.now) throw challengeRequiredError()
  await tx.db
    .deleteFrom('used_challenges')
    .where('organization_id', '=', tx.organizationId)
    .where('expires_at', '<', tx.now)
    .execute()
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('used_challenges')
    .values({ organization_id: tx.organizationId, nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) throw challengeRequiredError()
}

function challengeRequiredError(): ApiError {
  return new ApiError('CHALLENGE_REQUIRED', 'Solve a new challenge of GET /registrations/challenge first.')
}
