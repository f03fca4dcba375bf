import { sql } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { MailContent } from '../../../platform/mail/message-content.ts'
import { RESERVED_DOMAIN } from '../../users/queries/index.ts'
import { OUTGOING_MAIL_LIMIT } from '../contract.ts'
import type { MailChoice } from '../rules.ts'

export interface OutgoingMail {
  readonly to: string
  readonly language: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly content?: MailContent
  readonly button?: {
    readonly label: string
    /** Relative to the organization's URL. */
    readonly path: string
    /** Seed of the token that is appended to the path when the email is sent. The token is not stored. */
    readonly seed?: Buffer
  }
  readonly closing?: readonly string[]
  /** Shared by emails that mail clients group into one conversation. Not shown to readers. */
  readonly thread?: string
  readonly unsubscribe?: { readonly userId: number; readonly from: MailChoice }
}

/** @throws ApiError BAD_REQUEST if the queue is full */
export async function queueMail(tx: Tx, mail: OutgoingMail): Promise<void> {
  await queueMails(tx, [mail])
}

export async function queueMails(tx: Tx, wanted: readonly OutgoingMail[]): Promise<void> {
  const mails = wanted.filter(({ to }) => !caseKey(to).endsWith(RESERVED_DOMAIN))
  if (mails.length === 0) return
  await tx.db
    .insertInto('outgoing_mails')
    .values(
      mails.map((mail) => ({
        organization_id: tx.organizationId,
        id: tx.nextId(),
        recipient: mail.to,
        language: mail.language,
        subject: mail.subject,
        paragraphs: [...mail.paragraphs],
        button_label: mail.button?.label ?? null,
        button_path: mail.button?.path ?? null,
        seed: mail.button?.seed ?? null,
        closing: [...(mail.closing ?? [])],
        content_text: mail.content?.text ?? null,
        content_html: mail.content?.html ?? null,
        thread: mail.thread ?? null,
        unsubscribe_user_id: mail.unsubscribe?.userId ?? null,
        unsubscribe_from: mail.unsubscribe?.from ?? null,
        created_at: tx.now,
        attempts: 0,
        attempt_at: tx.now,
      })),
    )
    .execute()
  const { rows } = await sql`
    select 1 from outgoing_mails where organization_id = ${tx.organizationId}
    offset ${OUTGOING_MAIL_LIMIT.most} limit 1`.execute(tx.db)
  if (rows.length > 0) throw new ApiError('BAD_REQUEST', 'Too many emails are waiting to be sent. Try again later.')
}

export async function cancelMails(tx: Tx, seeds: readonly Buffer[]): Promise<void> {
  if (seeds.length === 0) return
  await tx.db
    .deleteFrom('outgoing_mails')
    .where('organization_id', '=', tx.organizationId)
    .where('seed', 'in', seeds)
    .execute()
}

/** Cancels a user's notifications when the account is deactivated or its address changes: no one else may read them. */
export async function cancelMailsTo(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('outgoing_mails')
    .where('organization_id', '=', tx.organizationId)
    .where('unsubscribe_user_id', '=', userId)
    .execute()
}
