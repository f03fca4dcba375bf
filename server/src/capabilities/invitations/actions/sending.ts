import { sql } from 'kysely'
import { ApiError } from '../../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import { queueMails } from '../../mail/actions/index.ts'
import { userByEmail } from '../../users/queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import { INVITATION_MAIL_LIMIT, INVITER_MAIL_LIMIT, RESEND_DELAY_SECONDS } from '../contract.ts'
import { DAY_SECONDS, type Invitation } from '../queries.ts'
import { invitationMail } from './mails.ts'

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
