import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import {
  OPENID_PATH,
  OpenidRefusedError,
  OpenidUnreachableError,
  type OpenidProvider,
  type OpenidRequest,
  type OpenidIdentity,
} from '../../../platform/openid/openid.ts'
import type { OpenCall } from '../../../platform/request.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { tokenDigest } from '../../../platform/tokens/tokens.ts'
import { recordConfirmedAddress } from '../../account-links/actions/links.ts'
import { revokeAccess } from '../../account-links/actions/passwords.ts'
import { hasConfirmedAddress } from '../../account-links/queries.ts'
import { requireOrganizationLog, removePassword } from '../../authentication/actions/index.ts'
import { joinWithVerifiedEmail } from '../../invitations/actions/joining.ts'
import { hasSecondFactor } from '../../second-factors/queries.ts'
import { signInBrowser } from '../../sessions/actions/login.ts'
import { secretDigest } from '../../sessions/queries.ts'
import { validEmail } from '../../users/actions/addresses.ts'
import { userByEmail, type NewAccountSettings, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { OPENID_ATTEMPT_SECONDS, OPENID_ATTEMPT_LIMIT } from '../contract.ts'
import { isAttemptOpen, accountOfIdentity } from '../queries.ts'
import { addIdentity, requireNoIdentity } from './identities.ts'

export async function beginOpenidLogin(
  call: OpenCall,
  { token }: Input<typeof contract.beginOpenidLogin>,
): Promise<Output<typeof contract.beginOpenidLogin>> {
  const log = requireOrganizationLog(call)
  const provider = requireProvider(call)
  const secret = newAttemptSecret()
  const address = await reportOpenidFailure(call, async () =>
    provider.addressFor(deriveOpenidRequest(secret, redirectUrl(call))),
  )
  await log.write((tx) => addAttempt(tx, secret, token === undefined ? null : tokenDigest(token)))
  call.cookies.giveAttempt(secret, OPENID_ATTEMPT_SECONDS)
  return { authorization_url: address }
}

export async function finishOpenidLogin(
  call: OpenCall,
  answer: Input<typeof contract.finishOpenidLogin>,
): Promise<Output<typeof contract.finishOpenidLogin>> {
  const log = requireOrganizationLog(call)
  const provider = requireProvider(call)
  const secret = call.cookies.attempt ?? ''
  const request = deriveOpenidRequest(secret, redirectUrl(call))
  // Checked before the transaction, so that guesses take no lock. Clients can make up a secret and a matching state.
  if (!matchesState(request, answer.state)) throw invalidAttemptError(provider)
  if (!(await isAttemptOpen(call.reads, log.organization.id, secret))) throw invalidAttemptError(provider)
  // The attempt is deleted before the provider is asked, so that each answer is checked only once.
  const attempt = await log.write((tx) => consumeAttempt(tx, secret))
  if (attempt === undefined) throw invalidAttemptError(provider)
  if (answer.error !== undefined) {
    provider.logRefusal(`the provider answers ${answer.error}`)
    throw new ApiError('AUTHENTICATION_FAILED', 'The sign-in was canceled at the identity provider.')
  }
  const identity = await reportOpenidFailure(call, async () => provider.identityOf(request, answer))
  const bringing = { ...attempt, chosen: answer }
  const findAccount = async (tx: Tx) => findOrCreateAccount(tx, identity, bringing, call.server)
  // An existing second factor is still required: a provider may confirm an address to anyone who reads its mailbox.
  try {
    return await signInBrowser(call, findAccount, { waived: 'requirement' })
  } catch (error) {
    const why = identity.emailProblem === undefined ? '' : ` (${identity.emailProblem})`
    if (error instanceof ApiError) provider.logRefusal(error.message + why)
    throw error
  }
}

function requireProvider({ server }: OpenCall): OpenidProvider {
  if (server.openid === undefined) {
    throw new ApiError('AUTHENTICATION_FAILED', 'This server has no identity provider.')
  }
  return server.openid
}

function redirectUrl(call: OpenCall): string {
  return call.server.urlOf(requireOrganizationLog(call).organization) + OPENID_PATH
}

/** Reports errors to the operator; people only learn that the sign-in failed. */
async function reportOpenidFailure<Answer>(call: OpenCall, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OpenidRefusedError) {
      throw new ApiError('AUTHENTICATION_FAILED', 'The identity provider did not confirm your identity. Try again.')
    }
    if (!(error instanceof OpenidUnreachableError)) throw error
    call.server.report(error)
    throw new ApiError('AUTHENTICATION_FAILED', 'The identity provider is not responding. Try again later.')
  }
}

/** Returns the same error for attempts that are expired, used, or from another browser. */
function invalidAttemptError(provider: OpenidProvider): ApiError {
  provider.logRefusal('no attempt of this browser is open')
  return new ApiError('AUTHENTICATION_FAILED', 'The sign-in expired or was started in another window. Try again.')
}

const ATTEMPT_SECRET_BYTES = 32

export function newAttemptSecret(): string {
  return randomBytes(ATTEMPT_SECRET_BYTES).toString('base64url')
}

/** Derives an attempt's values from a secret that only the browser has, so the database does not reveal them. */
export function deriveOpenidRequest(secret: string, address: string): OpenidRequest {
  const deriveSecret = (purpose: string): string =>
    createHmac('sha256', secret).update(`openid ${purpose}`).digest('base64url')
  return {
    redirectAddress: address,
    state: deriveSecret('state'),
    nonce: deriveSecret('nonce'),
    codeVerifier: deriveSecret('code verifier'),
  }
}

function matchesState({ state }: OpenidRequest, given: string): boolean {
  return timingSafeEqual(secretDigest(state), secretDigest(given))
}

async function addAttempt(tx: Tx, secret: string, invitationDigest: Buffer | null): Promise<void> {
  const digest = secretDigest(secret)
  await tx.db
    .insertInto('openid_attempts')
    .values({
      organization_id: tx.organizationId,
      digest,
      invitation_digest: invitationDigest,
      expires_at: tx.now + OPENID_ATTEMPT_SECONDS,
    })
    .execute()
  await sql`
    delete from openid_attempts where organization_id = ${tx.organizationId} and digest in (
      select digest from openid_attempts where organization_id = ${tx.organizationId}
      order by digest = ${digest} desc, expires_at desc offset ${OPENID_ATTEMPT_LIMIT.most})`.execute(tx.db)
}

async function consumeAttempt(
  tx: Tx,
  secret: string,
): Promise<{ readonly invitationDigest: Buffer | null } | undefined> {
  const taken = await tx.db
    .deleteFrom('openid_attempts')
    .where('organization_id', '=', tx.organizationId)
    .where('digest', '=', secretDigest(secret))
    .returning(['expires_at', 'invitation_digest'])
    .executeTakeFirst()
  return taken === undefined || taken.expires_at <= tx.now ? undefined : { invitationDigest: taken.invitation_digest }
}

interface SignUpOptions {
  readonly invitationDigest: Buffer | null
  readonly chosen: NewAccountSettings
}

/** Finds the account by identity, else by email, or creates one. The caller checks whether the account is active. */
async function findOrCreateAccount(
  tx: Tx,
  identity: OpenidIdentity,
  { invitationDigest, chosen }: SignUpOptions,
  server: Pick<ServerFacts, 'mailer'>,
): Promise<UserRow> {
  const known = await accountOfIdentity(tx.db, tx.organizationId, identity)
  if (known !== undefined) return knownUser(tx.organization, known)
  if (identity.verifiedEmail === undefined) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your identity provider does not confirm your email address.')
  }
  const email = validEmail(identity.verifiedEmail)
  const owner = userByEmail(tx.organization, email)
  // The match must be the real email, because no one owns a placeholder. Bots cannot sign in.
  if (owner !== undefined && (owner.botType !== null || caseKey(owner.deliveryEmail) !== caseKey(email))) {
    throw new ApiError('AUTHENTICATION_FAILED', 'An account cannot be created with this email address.')
  }
  const person = { email, names: identity.names, chosen }
  if (owner === undefined) {
    const user = await joinWithVerifiedEmail(tx, person, invitationDigest, server)
    await addIdentity(tx, user.id, identity)
    return user
  }
  // Linking an account with a second factor would require a code, so each sign-in finds such accounts by email address.
  if (!(await hasSecondFactor(tx.db, tx.organizationId, owner.id))) await linkIdentity(tx, owner, identity)
  return owner
}

/** Links the account. If its email was unconfirmed, removes other ways to sign in, which may be another person's. */
async function linkIdentity(tx: Tx, owner: UserRow, identity: OpenidIdentity): Promise<void> {
  await requireNoIdentity(tx, owner.id, identity)
  if (!(await hasConfirmedAddress(tx.db, tx.organizationId, owner))) {
    await removePassword(tx, owner)
    await revokeAccess(tx, owner)
    await recordConfirmedAddress(tx, owner)
  }
  await addIdentity(tx, owner.id, identity)
}
