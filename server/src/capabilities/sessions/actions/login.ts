import { sql } from 'kysely'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { organizationDeactivatedError, ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { accountEndedError, checkPassword, requireOrganizationLog } from '../../authentication/actions/index.ts'
import { hasPasswordHash } from '../../authentication/queries.ts'
import { newDeviceMail } from '../../account-links/actions/mails.ts'
import { queueMail } from '../../mail/actions/index.ts'
import { isDeactivated } from '../../organizations/queries/index.ts'
import { addPendingLogin } from '../../second-factors/actions/pending.ts'
import { missingFactorOf } from '../../second-factors/queries.ts'
import { userSetting, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { SESSION_SECONDS } from '../contract.ts'
import { secretDigest, userOfLoginLink } from '../queries.ts'
import { hasMailQueueSpace } from '../../mail/queries.ts'
import { describeDevice } from './device.ts'
import { beginSession, endPreviousSession, recordKnownDevice } from './index.ts'

type SignInResponse = Output<typeof contract.login>

export async function login(call: OpenCall, input: Input<typeof contract.login>): Promise<SignInResponse> {
  const { user, passwordHash } = await checkPassword(call, input)
  return signInBrowser(call, async (tx) => {
    // If the password changed during its slow verification, the old password is refused.
    if (!(await hasPasswordHash(tx.db, tx.organizationId, user.id, passwordHash))) {
      throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
    }
    return knownUser(tx.organization, user.id)
  })
}

export async function loginByLink(
  call: OpenCall,
  { token }: Input<typeof contract.loginByLink>,
): Promise<SignInResponse> {
  const log = requireOrganizationLog(call)
  const digest = secretDigest(token)
  const now = Math.floor(Date.now() / 1000)
  // Looks up the link before the transaction, so that guesses do not take the lock.
  if ((await userOfLoginLink(call.reads, log.organization.id, digest, now)) === undefined) throw invalidLoginLinkError()
  // Only operators create links, and they vouch for the recipients.
  return signInBrowser(call, (tx) => consumeLoginLink(tx, digest), { waived: 'all' })
}

async function consumeLoginLink(tx: Tx, digest: Buffer): Promise<UserRow> {
  const userId = await userOfLoginLink(tx.db, tx.organizationId, digest, tx.now)
  if (userId === undefined) throw invalidLoginLinkError()
  await sql`
    delete from login_links where organization_id = ${tx.organizationId} and digest = ${digest} and not is_reusable
    `.execute(tx.db)
  return knownUser(tx.organization, userId)
}

function invalidLoginLinkError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This link is no longer valid.')
}

/** For this long, a new account gets no emails about its sign-ins. */
const NEW_ACCOUNT_QUIET_SECONDS = 86_400

async function notifyOfNewDevice(tx: Tx, user: UserRow, userAgent: string | undefined): Promise<void> {
  const device = describeDevice(userAgent)
  const isNew = await recordKnownDevice(tx, user.id, device)
  if (!isNew || !userSetting(user, 'enable_login_emails') || tx.now - user.dateJoined < NEW_ACCOUNT_QUIET_SECONDS)
    return
  // A full mail queue must not prevent signing in.
  if (!(await hasMailQueueSpace(tx.db, tx.organizationId))) return
  await queueMail(tx, newDeviceMail(tx.organization, user, device, tx.now))
}

type SignInOutcome = { readonly cookie: string } | Pick<Required<SignInResponse>, 'second_factor'>

interface SignInOptions {
  /** Second factors to skip. `requirement`: all except a code from a second factor that is already set up. */
  readonly waived?: 'requirement' | 'all'
}

/** `whose` finds or creates the user in the transaction, and checks again whether the sign-in is still valid. */
export async function signInBrowser(
  call: OpenCall,
  whose: (tx: Tx) => Promise<UserRow>,
  options: SignInOptions = {},
): Promise<SignInResponse> {
  const { user, begun } = await requireOrganizationLog(call).write(async (tx) => {
    if (isDeactivated(tx.organization)) throw organizationDeactivatedError()
    const found = await whose(tx)
    if (!found.isActive) throw await accountEndedError(tx.db, tx.organizationId, found)
    const missing = await requiredSecondFactor(tx, found, options)
    if (missing !== undefined) return { user: found, begun: missing }
    if (call.server.mailer.isConfigured) await notifyOfNewDevice(tx, found, call.cookies.userAgent)
    return { user: found, begun: await replaceSession(tx, call, found) }
  })
  return createSignInResponse(call, user, begun)
}

export async function beginSessionOrSecondFactor(tx: Tx, call: OpenCall, user: UserRow): Promise<SignInOutcome> {
  return (await requiredSecondFactor(tx, user)) ?? (await replaceSession(tx, call, user))
}

export function createSignInResponse(call: OpenCall, user: UserRow, begun: SignInOutcome): SignInResponse {
  const who = { user_id: user.id, email: user.deliveryEmail }
  if (!('cookie' in begun)) return { ...who, ...begun }
  call.cookies.giveSession(begun.cookie, SESSION_SECONDS)
  return who
}

async function replaceSession(tx: Tx, call: OpenCall, user: UserRow): Promise<SignInOutcome> {
  await endPreviousSession(tx, call.cookies.session)
  return { cookie: await beginSession(tx, user, call.cookies.userAgent) }
}

async function requiredSecondFactor(
  tx: Tx,
  user: UserRow,
  { waived }: SignInOptions = {},
): Promise<Pick<Required<SignInResponse>, 'second_factor'> | undefined> {
  if (waived === 'all') return undefined
  const kind = await missingFactorOf(tx.db, tx.organization, user)
  if (kind === undefined || (waived === 'requirement' && kind !== 'code')) return undefined
  return { second_factor: { kind, token: await addPendingLogin(tx, user.id) } }
}
