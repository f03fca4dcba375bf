import { sql } from 'kysely'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { queueMails } from '../../mail/actions/index.ts'
import { userByEmail } from '../../users/queries/index.ts'
import { INVITATION_MAIL_LIMIT } from '../contract/index.ts'
import { DAY_SECONDS, type Invitation } from '../queries.ts'
import { invitationMail } from './mails.ts'

/** Has invitations sent to their addresses. */
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

/**
 * Counts e-mails with invitations that are about to be sent.
 * @throws Refusal INVITATION_FAILED where these are more than may be sent in a day
 */
export async function requireMailsLeft(tx: Tx, count: number): Promise<void> {
  const day = Math.floor(tx.now / DAY_SECONDS)
  const { rows } = await sql<{ sent: number }>`
    insert into invitation_mails as m (organization_id, day, sent) values (${tx.organizationId}, ${day}, ${count})
    on conflict (organization_id, day) do update set sent = m.sent + excluded.sent
    returning sent`.execute(tx.db)
  if ((rows[0]?.sent ?? 0) <= INVITATION_MAIL_LIMIT.most) return
  throw new Refusal('INVITATION_FAILED', 'As many invitations as may be were sent today. Nobody was invited now.', {
    errors: [],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: true,
  })
}
