import type { Input, Output } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { OPENID_PATH, OpenidRefused, OpenidUnreachable, type OpenidProvider } from '../../../platform/openid/openid.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { tokenDigest } from '../../../platform/tokens/tokens.ts'
import { requireOrganization } from '../../authentication/actions/index.ts'
import { signInBrowser } from '../../sessions/actions/login.ts'
import type * as contract from '../contract.ts'
import { OPENID_ATTEMPT_SECONDS } from '../contract.ts'
import { isExpected } from '../queries.ts'
import { accountFor } from './accounts.ts'
import { addAttempt, isStateOf, newAttemptSecret, requestOf, takeAttempt } from './attempts.ts'

export async function beginOpenidLogin(
  call: OpenCall,
  { token }: Input<typeof contract.beginOpenidLogin>,
): Promise<Output<typeof contract.beginOpenidLogin>> {
  const log = requireOrganization(call)
  const provider = requireProvider(call)
  const secret = newAttemptSecret()
  const address = await reportOpenidFailure(call, async () =>
    provider.addressFor(requestOf(secret, redirectAddress(call))),
  )
  await log.write((tx) => addAttempt(tx, secret, token === undefined ? null : tokenDigest(token)))
  call.cookies.giveAttempt(secret, OPENID_ATTEMPT_SECONDS)
  return { authorization_url: address }
}

export async function finishOpenidLogin(
  call: OpenCall,
  answer: Input<typeof contract.finishOpenidLogin>,
): Promise<Output<typeof contract.finishOpenidLogin>> {
  const log = requireOrganization(call)
  const provider = requireProvider(call)
  const secret = call.cookies.attempt ?? ''
  const request = requestOf(secret, redirectAddress(call))
  // Before the transaction, so that guesses do not hold the organization's lock. This check alone is not enough,
  // because a client can invent a secret and compute its state.
  if (!isStateOf(request, answer.state)) throw badAttempt(provider)
  if (!(await isExpected(call.reads, log.organization.id, secret))) throw badAttempt(provider)
  // Consumed before asking the provider, so that each answer is checked only once.
  const attempt = await log.write((tx) => takeAttempt(tx, secret))
  if (attempt === undefined) throw badAttempt(provider)
  if (answer.error !== undefined) {
    provider.logRefusal(`the provider answers ${answer.error}`)
    throw new Refusal('AUTHENTICATION_FAILED', 'The sign-in was canceled at the identity provider.')
  }
  const identity = await reportOpenidFailure(call, async () => provider.identityOf(request, answer))
  const bringing = { ...attempt, language: answer.default_language }
  const whose = async (tx: Tx) => accountFor(tx, identity, bringing, call.server)
  // The provider decides what proof people need. An existing second factor is still required, because a provider may
  // confirm an address to anyone with access to its mailbox.
  try {
    return await signInBrowser(call, whose, { waived: 'requirement' })
  } catch (error) {
    const why = identity.emailProblem === undefined ? '' : ` (${identity.emailProblem})`
    if (error instanceof Refusal) provider.logRefusal(error.message + why)
    throw error
  }
}

function requireProvider({ server }: OpenCall): OpenidProvider {
  if (server.openid === undefined) {
    throw new Refusal('AUTHENTICATION_FAILED', 'This server has no identity provider.')
  }
  return server.openid
}

/** Uses the server's own URL for the organization, regardless of the requested host. */
function redirectAddress(call: OpenCall): string {
  return call.server.urlOf(requireOrganization(call).organization) + OPENID_PATH
}

/** Asks the provider. Reports errors to the operator; people only learn that the sign-in failed. */
async function reportOpenidFailure<Answer>(call: OpenCall, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OpenidRefused) {
      throw new Refusal('AUTHENTICATION_FAILED', 'The identity provider did not confirm your identity. Try again.')
    }
    if (!(error instanceof OpenidUnreachable)) throw error
    call.server.report(error)
    throw new Refusal('AUTHENTICATION_FAILED', 'The identity provider is not responding. Try again later.')
  }
}

/** Returns the same error for attempts that are expired, used, or from another browser. */
function badAttempt(provider: OpenidProvider): Refusal {
  provider.logRefusal('no attempt of this browser is open')
  return new Refusal('AUTHENTICATION_FAILED', 'The sign-in expired or was started in another window. Try again.')
}
