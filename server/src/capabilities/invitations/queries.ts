import { caseKey } from '../../kernel/case-key.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Role } from '../../kernel/actor.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { channelById } from '../channels/queries/index.ts'
import { canSeeChannel } from '../channels/rules/index.ts'
import type * as contract from './contract.ts'
import { invitableGroup, mayManageOthersInvitations, mayManageRole, isInviterStillPermitted } from './rules.ts'

export interface Invitation {
  readonly id: number
  readonly invitedBy: number
  readonly email: string | null
  readonly role: Role
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly includesDefaultChannels: boolean
  readonly notifiesInviter: boolean
  readonly welcomeText: string | null
  readonly invitedAt: number
  readonly expiresAt: number | null
  readonly seed: Buffer
}

export interface ConfirmedAddress {
  readonly email: string
  readonly invitation: Invitation | null
}

const INVITATION_COLUMNS = `
  i.id, i.invited_by as "invitedBy", i.email, i.role, i.channel_ids as "channelIds", i.group_ids as "groupIds",
  i.includes_default_channels as "includesDefaultChannels", i.notifies_inviter as "notifiesInviter",
  i.welcome_text as "welcomeText", i.invited_at as "invitedAt", i.expires_at as "expiresAt", i.seed`

const VALID_INVITATIONS = `
  select ${INVITATION_COLUMNS} from invitations i
  where i.organization_id = $1 and (i.expires_at is null or i.expires_at > $2) and (i.invited_by = $3 or $4)
  order by i.id`

const INVITATION_BY_ID = `
  select ${INVITATION_COLUMNS} from invitations i
  where i.organization_id = $1 and i.id = $2 and (i.expires_at is null or i.expires_at > $3)`

const INVITATION_BY_DIGEST = `
  select ${INVITATION_COLUMNS} from invitations i
  where i.organization_id = $1 and i.digest = $2 and (i.expires_at is null or i.expires_at > $3)`

const INVITATIONS_BY_EMAIL = `
  select ${INVITATION_COLUMNS} from invitations i where i.organization_id = $1 and i.email_key = $2`

/** A confirmation expires no later than its invite link. */
const REGISTRATION_BY_DIGEST = `
  select r.email as "registeredEmail", r.invitation_id is not null as "isInvited", ${INVITATION_COLUMNS}
  from registrations r
  left join invitations i on i.organization_id = r.organization_id and i.id = r.invitation_id
  where r.organization_id = $1 and r.digest = $2 and r.expires_at > $3 and (i.expires_at is null or i.expires_at > $3)`

export async function invitationById(db: Db, organizationId: number, id: number, now: number) {
  const [row] = await db.rows<Invitation>('invitation', INVITATION_BY_ID, [organizationId, id, now])
  return row
}

export async function invitationByDigest(db: Db, organizationId: number, digest: Buffer, now: number) {
  const [row] = await db.rows<Invitation>('invitation_of_token', INVITATION_BY_DIGEST, [organizationId, digest, now])
  return row
}

export async function invitationsToEmail(db: Db, organizationId: number, email: string): Promise<Invitation[]> {
  return db.rows<Invitation>('invitations_to', INVITATIONS_BY_EMAIL, [organizationId, caseKey(email)])
}

export async function registrationByDigest(
  db: Db,
  organizationId: number,
  digest: Buffer,
  now: number,
): Promise<ConfirmedAddress | undefined> {
  const [row] = await db.rows<Invitation & { registeredEmail: string; isInvited: boolean }>(
    'registration_of_token',
    REGISTRATION_BY_DIGEST,
    [organizationId, digest, now],
  )
  if (row === undefined) return undefined
  const { registeredEmail: email, isInvited, ...invitation } = row
  return { email, invitation: isInvited ? invitation : null }
}

export interface PendingRegistration {
  readonly email: string
  readonly requestedAt: number
  readonly expiresAt: number
  readonly seed: Buffer
  readonly invitation: Invitation | null
}

const NEWEST_REGISTRATIONS = `
  select distinct on (r.email_key) r.email as "registeredEmail", r.requested_at as "requestedAt", r.expires_at as "registeredUntil",
    r.seed as "registeredSeed", r.invitation_id is not null as "isInvited", ${INVITATION_COLUMNS}
  from registrations r
  left join invitations i on i.organization_id = r.organization_id and i.id = r.invitation_id
  where r.organization_id = $1 and r.expires_at > $2 and (i.expires_at is null or i.expires_at > $2)
    and ($3::text is null or r.email_key = $3)
  order by r.email_key, r.requested_at desc, r.digest`

type RegistrationRow = Invitation & {
  readonly registeredEmail: string
  readonly requestedAt: number
  readonly registeredUntil: number
  readonly registeredSeed: Buffer
  readonly isInvited: boolean
}

/** Returns each address with its newest link; `email` limits the result to one address. */
export async function registrationsOf(
  db: Db,
  organizationId: number,
  now: number,
  email?: string,
): Promise<PendingRegistration[]> {
  const key = email === undefined ? null : caseKey(email)
  const rows = await db.rows<RegistrationRow>('registrations', NEWEST_REGISTRATIONS, [organizationId, now, key])
  return rows.map(({ registeredEmail, requestedAt, registeredUntil, registeredSeed, isInvited, ...invitation }) => ({
    email: registeredEmail,
    requestedAt,
    expiresAt: registeredUntil,
    seed: registeredSeed,
    invitation: isInvited ? invitation : null,
  }))
}

export const JOIN_PATH = '/join#'

export async function joinLinkOf(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'urlOf' | 'tokens'>,
  { seed }: Pick<Invitation, 'seed'>,
): Promise<string> {
  return `${server.urlOf(organization)}${JOIN_PATH}${await server.tokens.of(seed)}`
}

export async function getInviteTerms(
  reader: Reader,
  _input: Input<typeof contract.getInviteTerms>,
  server: ServerFacts,
): Promise<Output<typeof contract.getInviteTerms>> {
  const { organization, actor } = reader
  const isKnown = (channelId: number): boolean => {
    const channel = channelById(organization, channelId)
    return channel !== undefined && !channel.isArchived && canSeeChannel(organization, actor, channel)
  }
  const good = await validInvitations(reader)
  const terms = good.map(({ id, channelIds, groupIds, includesDefaultChannels }) => ({
    id,
    stream_ids: channelIds.filter(isKnown),
    group_ids: groupIds.filter((groupId) => invitableGroup(organization, groupId) !== undefined),
    include_realm_default_subscriptions: includesDefaultChannels,
  }))
  return { sends_email: server.mailer.isConfigured, terms }
}

export async function validInvitations({ organization, actor, now, db }: Reader): Promise<Invitation[]> {
  const rows = await db.rows<Invitation>('invitations', VALID_INVITATIONS, [
    organization.id,
    now,
    actor.userId,
    mayManageOthersInvitations(actor),
  ])
  // Omits links for roles that the actor cannot manage, because anyone who sees a link can use it.
  return rows.filter(
    (one) => isInviterStillPermitted(organization, one) && (one.email !== null || mayManageRole(actor, one.role)),
  )
}

const EXPIRED_INVITATIONS = `
  select organization_id as "organizationId", min(id) as id from invitations where expires_at <= $1 group by organization_id
  union
  select organization_id, 0 from registrations where expires_at <= $1 group by organization_id
  union
  select organization_id, 0 from invitation_mails where day < $2 group by organization_id
  union
  select organization_id, 0 from inviter_mails where day < $2 group by organization_id
  limit 100`

export const DAY_SECONDS = 86_400

export async function organizationsWithExpiredInvitations(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('invitations_over', EXPIRED_INVITATIONS, [now, Math.floor(now / DAY_SECONDS)])
}
