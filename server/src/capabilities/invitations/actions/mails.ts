import type { OrganizationState } from '../../../kernel/projection.ts'
import { type OutgoingMail, queueMails } from '../../mail/actions/index.ts'
import { organizationOf, settingOf } from '../../organizations/queries/index.ts'
import { knownUser, isAdministrator } from '../../users/rules/index.ts'
import { JOIN_PATH, type Invitation, DAY_SECONDS } from '../queries.ts'
import { sql } from 'kysely'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { userByEmail } from '../../users/queries/index.ts'
import { INVITATION_MAIL_LIMIT, INVITER_MAIL_LIMIT, RESEND_DELAY_SECONDS } from '../contract.ts'

const LOGIN_PATH = '/login'

interface InvitationMailNames {
  readonly organization: string
  readonly inviter: string
}

interface InvitationWording {
  readonly invitation: (names: InvitationMailNames) => {
    readonly subject: string
    readonly paragraphs: readonly string[]
    readonly label: string
    readonly closing: (until: string | undefined) => readonly string[]
  }
  readonly member: (names: Pick<InvitationMailNames, 'organization'>) => {
    readonly paragraph: string
    readonly label: string
  }
  readonly confirmation: (names: Pick<InvitationMailNames, 'organization'>) => {
    readonly subject: string
    readonly known: string
    readonly paragraph: string
    readonly label: string
    readonly closing: readonly string[]
  }
}

const ENGLISH: InvitationWording = {
  invitation: ({ organization, inviter }) => ({
    subject: `${inviter} invited you to ${organization}`,
    paragraphs: ['Hello,', `${inviter} invited you to join the team chat of ${organization}.`],
    label: `Join ${organization}`,
    closing: (until) => [
      until === undefined ? 'The link works once.' : `The link works once, until ${until}.`,
      `If you don’t know ${inviter}, ignore this email.`,
    ],
  }),
  member: ({ organization }) => ({
    paragraph: `You already have an account at ${organization}. Sign in with this email address.`,
    label: 'Sign in',
  }),
  confirmation: ({ organization }) => ({
    subject: `Join ${organization}`,
    known: `You already have an account at ${organization}`,
    paragraph: `Someone, probably you, wants to join ${organization} with this email address.`,
    label: 'Confirm email and continue',
    closing: ['The link works once, for one day.', 'If this wasn’t you, ignore this email.'],
  }),
}

const GERMAN: InvitationWording = {
  invitation: ({ organization, inviter }) => ({
    subject: `${inviter} hat dich zu ${organization} eingeladen`,
    paragraphs: ['Hallo,', `${inviter} hat dich in den Teamchat von ${organization} eingeladen.`],
    label: `${organization} beitreten`,
    closing: (until) => [
      until === undefined ? 'Der Link gilt einmal.' : `Der Link gilt einmal, bis zum ${until}.`,
      `Wenn du ${inviter} nicht kennst, ignoriere diese E-Mail.`,
    ],
  }),
  member: ({ organization }) => ({
    paragraph: `Du hast bei ${organization} bereits ein Konto. Melde dich mit dieser E-Mail-Adresse an.`,
    label: 'Anmelden',
  }),
  confirmation: ({ organization }) => ({
    subject: `${organization} beitreten`,
    known: `Du hast bereits ein Konto bei ${organization}`,
    paragraph: `Jemand, vermutlich du, möchte ${organization} mit dieser E-Mail-Adresse beitreten.`,
    label: 'E-Mail-Adresse bestätigen und fortfahren',
    closing: ['Der Link gilt einmal, einen Tag lang.', 'Wenn du das nicht warst, ignoriere diese E-Mail.'],
  }),
}

function invitationWordingFor(
  organization: OrganizationState,
  language = settingOf(organization, 'default_language'),
): { readonly language: string; readonly words: InvitationWording } {
  return /^de\b/.test(language) ? { language, words: GERMAN } : { language: 'en', words: ENGLISH }
}

/** If an account exists, only the email says so, and thus only to the owner of the address. */
function invitationMail(
  organization: OrganizationState,
  invitation: Invitation & { readonly email: string },
  hasAccount: boolean,
): OutgoingMail {
  const { language, words } = invitationWordingFor(organization)
  const names = {
    organization: organizationOf(organization).name,
    inviter: knownUser(organization, invitation.invitedBy).fullName,
  }
  const { subject, paragraphs, label, closing } = words.invitation(names)
  const until =
    invitation.expiresAt === null
      ? undefined
      : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(invitation.expiresAt * 1000)
  if (hasAccount) {
    const { paragraph, label: signIn } = words.member(names)
    return {
      to: invitation.email,
      language,
      subject,
      paragraphs: [...paragraphs, paragraph],
      button: { label: signIn, path: LOGIN_PATH },
    }
  }
  const button = { label, path: JOIN_PATH, seed: invitation.seed }
  return { to: invitation.email, language, subject, paragraphs, button, closing: closing(until) }
}

interface ConfirmationMail {
  readonly email: string
  readonly seed: Buffer | undefined
  readonly language: string | undefined
}

export function confirmationMail(
  organization: OrganizationState,
  { email, seed, language: spoken }: ConfirmationMail,
): OutgoingMail {
  const { language, words } = invitationWordingFor(organization, spoken)
  const names = { organization: organizationOf(organization).name }
  const { subject, known, paragraph, label, closing } = words.confirmation(names)
  const member = words.member(names)
  return seed === undefined
    ? {
        to: email,
        language,
        subject: known,
        paragraphs: [paragraph, member.paragraph],
        button: { label: member.label, path: LOGIN_PATH },
        closing: closing.slice(1),
      }
    : { to: email, language, subject, paragraphs: [paragraph], button: { label, path: JOIN_PATH, seed }, closing }
}

export async function sendInvitations(
  tx: Tx,
  invitations: readonly (Invitation & { readonly email: string })[],
): Promise<void> {
  const hasAccount = (email: string): boolean => userByEmail(tx.organization, email) !== undefined
  await queueMails(
    tx,
    invitations.map((one) => invitationMail(tx.organization, one, hasAccount(one.email))),
  )
}

/** Limits emails per organization and, except for administrators, per inviter. @throws ApiError INVITATION_FAILED */
export async function reserveInvitationMails(tx: ActorTx, count: number): Promise<void> {
  const day = Math.floor(tx.now / DAY_SECONDS)
  const { rows: ofAll } = await sql<{ sent: number }>`
    insert into invitation_mails as m (organization_id, day, sent) values (${tx.organizationId}, ${day}, ${count})
    on conflict (organization_id, day) do update set sent = m.sent + excluded.sent
    returning sent`.execute(tx.db)
  if ((ofAll[0]?.sent ?? 0) > INVITATION_MAIL_LIMIT.most) {
    throw dailyLimitReachedError('The organization reached its invitation limit for today. No invitations were sent.')
  }
  if (isAdministrator(tx.actor)) return
  const { rows: ofInviter } = await sql<{ sent: number }>`
    insert into inviter_mails as m (organization_id, user_id, day, sent)
    values (${tx.organizationId}, ${tx.actor.userId}, ${day}, ${count})
    on conflict (organization_id, user_id, day) do update set sent = m.sent + excluded.sent
    returning sent`.execute(tx.db)
  if ((ofInviter[0]?.sent ?? 0) > INVITER_MAIL_LIMIT.most) {
    throw dailyLimitReachedError('You reached your invitation limit for today. No invitations were sent.')
  }
}

/** Counts one email toward the organization's daily limit. Returns whether it can be sent today. */
export async function reserveDailyMail(tx: Tx): Promise<boolean> {
  const day = Math.floor(tx.now / DAY_SECONDS)
  const { rows } = await sql`
    insert into invitation_mails as m (organization_id, day, sent) values (${tx.organizationId}, ${day}, 1)
    on conflict (organization_id, day) do update set sent = m.sent + 1 where m.sent < ${INVITATION_MAIL_LIMIT.most}
    returning 1`.execute(tx.db)
  return rows.length > 0
}

function dailyLimitReachedError(message: string): ApiError {
  return new ApiError('INVITATION_FAILED', message, {
    errors: [],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: true,
  })
}

export async function recordResend(tx: Tx, { id }: Pick<Invitation, 'id'>): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('invitations')
    .set({ resent_at: tx.now })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where((where) =>
      where.or([where('resent_at', 'is', null), where('resent_at', '<=', tx.now - RESEND_DELAY_SECONDS)]),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    throw new ApiError('BAD_REQUEST', 'This invitation was resent recently. Try again later.')
  }
}
