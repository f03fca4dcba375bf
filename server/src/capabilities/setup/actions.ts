import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { ROLE } from '../../kernel/actor.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Db, Tx, TransactionDb } from '../../kernel/transaction.ts'
import { isConflict } from '../../platform/db/unavailable.ts'
import type { OpenCall } from '../../platform/request.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { tokenDigest } from '../../platform/tokens/tokens.ts'
import { addAuditEntry } from '../audit-log/actions.ts'
import { describeChange } from '../audit-log/rules/described.ts'
import { hashChosenPassword } from '../authentication/actions/index.ts'
import { subscribeWithoutNotices } from '../channels/actions/subscribe.ts'
import * as channels from '../channels/contract/index.ts'
import { standardWelcome } from '../newcomers/actions.ts'
import { requireUsableSubdomain } from '../organizations/actions/index.ts'
import { beginSession } from '../sessions/actions/index.ts'
import { SESSION_SECONDS } from '../sessions/contract.ts'
import { createOrganizationWithBot, createAccount } from '../users/actions/accounts.ts'
import type { NewAccountSettings, UserRow } from '../users/queries/index.ts'
import type * as contract from './contract.ts'
import { SETUP_LINK_LIMIT, SETUP_LINK_SECONDS } from './contract.ts'
import { findSetupLink, type SetupLink } from './queries.ts'

const SETUP_LINK_SECRET_BYTES = 32

export const SETUP_PATH = '/setup#'

export interface NewOrganizationInput {
  readonly stringId: string
  readonly name: string
  readonly language?: string | undefined
  readonly owner: {
    readonly fullName: string
    readonly email: string
    readonly passwordHash: string
    readonly chosen?: NewAccountSettings
  }
  readonly channels: readonly { readonly name: string; readonly description?: string | undefined }[]
  readonly by: 'owner' | 'operator'
}

/** The caller checks that the organization does not exist. Returns the token, which is not stored. */
export async function makeSetupLink(db: TransactionDb, stringId: string, name: string): Promise<string> {
  requireUsableSubdomain(stringId)
  const token = randomBytes(SETUP_LINK_SECRET_BYTES).toString('base64url')
  const digest = tokenDigest(token)
  const now = Math.floor(Date.now() / 1000)
  // Also deletes expired links of other subdomains, where perhaps no new link will ever be created.
  await deleteExpiredSetupLinks(db, now)
  await db
    .insertInto('setup_links')
    .values({ string_id: stringId, digest, name, made_at: now, expires_at: now + SETUP_LINK_SECONDS })
    .execute()
  await sql`
    delete from setup_links where string_id = ${stringId} and digest in (
      select digest from setup_links where string_id = ${stringId}
      order by digest = ${digest} desc, made_at desc offset ${SETUP_LINK_LIMIT.most})`.execute(db)
  return token
}

export async function deleteExpiredSetupLinks(db: Kysely<Tables>, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('setup_links').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteSetupLinks(tx: Tx, stringId: string): Promise<void> {
  await tx.db.deleteFrom('setup_links').where('string_id', '=', stringId).execute()
}

export async function getSetup(
  call: OpenCall,
  { token }: Input<typeof contract.getSetup>,
): Promise<Output<typeof contract.getSetup>> {
  const { name } = await requireSetupLink(call.reads, subdomainOf(call), tokenDigest(token))
  return { realm_name: name }
}

export async function setUpOrganization(
  call: OpenCall,
  input: Input<typeof contract.setUpOrganization>,
): Promise<Output<typeof contract.setUpOrganization>> {
  const { server, cookies } = call
  const stringId = subdomainOf(call)
  const digest = tokenDigest(input.token)
  // Checked before the transaction and before the password is hashed, which is slow.
  await requireSetupLink(call.reads, stringId, digest)
  const { realm_name: name, full_name: fullName, email, channels: first, default_language: language } = input
  const chosen = { password: input.password, ownWords: [email, fullName, name], permit: digest.toString('hex') }
  const passwordHash = await hashChosenPassword(call, chosen)
  const account = { fullName, email, passwordHash, chosen: input }
  const founding = { stringId, name, language, owner: account, channels: first, by: 'owner' } as const
  const made = server.createOrganization(stringId, async (tx) => {
    // In the meantime, newer links may have replaced this link.
    if ((await findSetupLink(tx.db, stringId, digest, tx.now)) === undefined) throw invalidSetupLinkError()
    const { owner } = await createOrganizationWithOwner(tx, server, founding)
    return { owner, cookie: await beginSession(tx, owner, cookies.userAgent) }
  })
  const { owner, cookie } = await made.catch(async (error: unknown) => {
    // If another request or the command line created the organization first, the link is refused.
    if (isConflict(error)) await requireSetupLink(call.reads, stringId, digest)
    throw error
  })
  cookies.giveSession(cookie, SESSION_SECONDS)
  return { user_id: owner.id, email: owner.deliveryEmail }
}

function subdomainOf({ server, host }: OpenCall): string {
  const stringId = server.subdomainAt(host)
  if (stringId === undefined) throw invalidSetupLinkError()
  return stringId
}

/** Every unusable link gets the same error, even if the organization already exists. */
async function requireSetupLink(db: Db, stringId: string, digest: Buffer): Promise<SetupLink> {
  const link = await findSetupLink(db, stringId, digest, Math.floor(Date.now() / 1000))
  if (link === undefined || link.isTaken) throw invalidSetupLinkError()
  return link
}

function invalidSetupLinkError(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'This link is no longer valid.')
}

export async function createOrganizationWithOwner(
  tx: Tx,
  server: ServerFacts,
  { stringId, name, language, owner, channels: first, by }: NewOrganizationInput,
): Promise<{ owner: UserRow; apiKey: string }> {
  await deleteSetupLinks(tx, stringId)
  await createOrganizationWithBot(tx, { name, stringId, language })
  const account = { email: owner.email, fullName: owner.fullName, role: ROLE.owner, chosen: owner.chosen }
  const beginning = by === 'owner' ? { standardWelcome: standardWelcome(tx.organization, owner) } : {}
  const { user, apiKey } = await createAccount(tx, account, owner.passwordHash, beginning)
  const actor = { userId: user.id, role: user.role, client: 'Parley' }
  await addAuditEntry(by === 'owner' ? Object.assign(tx, { actor }) : tx, {
    kind: 'settings',
    action: 'founded',
    target: null,
    changes: describeChange('name', undefined, name.trim()),
  })
  if (first.length > 0) {
    const input = channels.subscribe.input.parse({ subscriptions: first, is_default_stream: true })
    await subscribeWithoutNotices(Object.assign(tx, { actor }), input, server)
  }
  return { owner: user, apiKey }
}
