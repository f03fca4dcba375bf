import { sql } from 'kysely'
import type { Input, Output } from '../../../kernel/endpoint.ts'
import { organizationDeactivated, Refusal } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { checkPassword, requireOrganization } from '../../authentication/actions/index.ts'
import { hasPasswordHash } from '../../authentication/queries.ts'
import { deviceMail } from '../../account-links/actions/mails.ts'
import { queueMail } from '../../mail/actions/index.ts'
import { isDeactivated } from '../../organizations/queries/index.ts'
import { addPendingLogin } from '../../second-factors/actions/pending.ts'
import { missingFactorOf } from '../../second-factors/queries.ts'
import { userSetting, type UserRow } from '../../users/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import type * as contract from '../contract.ts'
import { SESSION_SECONDS } from '../contract.ts'
import { secretDigest, userOfLink } from '../queries.ts'
import { hasRoomForMail } from '../../mail/queries.ts'
import { deviceOf } from './device.ts'
import { beginSession, endSessionBefore, noteDevice } from './index.ts'

type SignedIn = Output<typeof contract.login>

export async function login(call: OpenCall, input: Input<typeof contract.login>): Promise<SignedIn> {
  const { user, passwordHash } = await checkPassword(call, input)
  return signInBrowser(call, async (tx) => {
    // Checking takes long. A password that was changed meanwhile has signed out all browsers, so this one must not be signed in.
    if (!(await hasPasswordHash(tx.db, tx.organizationId, user.id, passwordHash))) {
      throw new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
    }
    return knownUser(tx.organization, user.id)
  })
}

export async function loginByLink(call: OpenCall, { token }: Input<typeof contract.loginByLink>): Promise<SignedIn> {
  const log = requireOrganization(call)
  const digest = secretDigest(token)
  const now = Math.floor(Date.now() / 1000)
  // Whatever is wrong with a token, it costs one look-up by a digest. It comes before the transaction, so that guessing
  // does not hold the organization's lock.
  if ((await userOfLink(call.reads, log.organization.id, digest, now)) === undefined) throw badLink()
  // Those who run the server make links, and answer for whom they give them to.
  return signInBrowser(call, (tx) => takeLink(tx, digest), { waived: 'all' })
}

/** Uses a link, unless another request was first. @returns whom it signs in */
async function takeLink(tx: Tx, digest: Buffer): Promise<UserRow> {
  const userId = await userOfLink(tx.db, tx.organizationId, digest, tx.now)
  if (userId === undefined) throw badLink()
  await sql`
    delete from login_links where organization_id = ${tx.organizationId} and digest = ${digest} and not is_reusable
    `.execute(tx.db)
  return knownUser(tx.organization, userId)
}

function badLink(): Refusal {
  return new Refusal('AUTHENTICATION_FAILED', 'This link is not good any more')
}

/** A person who has just made the account knows from where. */
const NEW_ACCOUNT_SECONDS = 86_400

/** Tells a person by e-mail that somebody signs in from a device that is not known yet. */
async function tellOfDevice(tx: Tx, user: UserRow, userAgent: string | undefined): Promise<void> {
  const device = deviceOf(userAgent)
  const isNew = await noteDevice(tx, user.id, device)
  if (!isNew || !userSetting(user, 'enable_login_emails') || tx.now - user.dateJoined < NEW_ACCOUNT_SECONDS) return
  // A mail server that takes nothing keeps nobody out.
  if (!(await hasRoomForMail(tx.db, tx.organizationId))) return
  await queueMail(tx, deviceMail(tx.organization, user, device, tx.now))
}

/** What a browser gets that has proven enough, or what it still has to prove. */
type Begun = { readonly cookie: string } | Pick<Required<SignedIn>, 'second_factor'>

interface BeginOptions {
  /**
   * What is not asked for: `all`, where everything was given or those who run the server answer for the person; `requirement`, where
   * somebody else sees to what people have to prove, so that none has to have a second factor here. Who has one gives a code of it.
   */
  readonly waived?: 'requirement' | 'all'
}

/**
 * Begins a session and gives the browser its cookie; the session that it had ends. Where a second factor is missing, nothing
 * begins, and the answer says how to go on.
 * @param whose checks once more, alone in the organization, and may make the account
 */
export async function signInBrowser(
  call: OpenCall,
  whose: (tx: Tx) => Promise<UserRow>,
  options: BeginOptions = {},
): Promise<SignedIn> {
  const { user, begun } = await requireOrganization(call).write(async (tx) => {
    if (isDeactivated(tx.organization)) throw organizationDeactivated()
    const found = await whose(tx)
    if (!found.isActive) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
    const missing = await missingFactor(tx, found, options)
    if (missing !== undefined) return { user: found, begun: missing }
    if (call.server.mailer.isConfigured) await tellOfDevice(tx, found, call.cookies.userAgent)
    return { user: found, begun: await beginIn(tx, call, found) }
  })
  return signInAnswer(call, user, begun)
}

/** Begins the session of a user for whom everything was checked but a second factor. */
export async function beginUnlessMissing(tx: Tx, call: OpenCall, user: UserRow): Promise<Begun> {
  return (await missingFactor(tx, user)) ?? (await beginIn(tx, call, user))
}

/** Answers what `beginUnlessMissing` began, now that it is committed. */
export function signInAnswer(call: OpenCall, user: UserRow, begun: Begun): SignedIn {
  const who = { user_id: user.id, email: user.deliveryEmail }
  if (!('cookie' in begun)) return { ...who, ...begun }
  call.cookies.giveSession(begun.cookie, SESSION_SECONDS)
  return who
}

async function beginIn(tx: Tx, call: OpenCall, user: UserRow): Promise<Begun> {
  await endSessionBefore(tx, call.cookies.session)
  return { cookie: await beginSession(tx, user, call.cookies.userAgent) }
}

/** What a user has to give or to set up beside what was given; undefined where that is enough. */
async function missingFactor(
  tx: Tx,
  user: UserRow,
  { waived }: BeginOptions = {},
): Promise<Pick<Required<SignedIn>, 'second_factor'> | undefined> {
  if (waived === 'all') return undefined
  const kind = await missingFactorOf(tx.db, tx.organization, user)
  if (kind === undefined || (waived === 'requirement' && kind !== 'code')) return undefined
  return { second_factor: { kind, token: await addPendingLogin(tx, user.id) } }
}
