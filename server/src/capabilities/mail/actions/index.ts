import { sql } from 'kysely'
import { caseKey } from '../../../kernel/case-key.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { MailContent } from '../../../platform/mail/message-content.ts'
import { NOWHERE } from '../../users/queries/index.ts'
import { OUTGOING_MAIL_LIMIT } from '../contract.ts'
import type { MailChoice } from '../rules.ts'

/** An e-mail to one address. Its texts are in the language of its reader. */
export interface OutgoingMail {
  readonly to: string
  readonly language: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** What stands below the paragraphs: messages, as `mailContent` makes them. */
  readonly content?: MailContent
  readonly button?: {
    readonly label: string
    /** Below the address of the organization. */
    readonly path: string
    /** Of the token that is put behind the path when it is sent, and is not stored. */
    readonly seed?: Buffer
  }
  readonly closing?: readonly string[]
  /** What e-mails have in common that programs for e-mail show as one conversation. Its reader is not shown it. */
  readonly thread?: string
  /** What a press on "unsubscribe" switches off, and whose. Without it, the e-mail has no such thing. */
  readonly unsubscribe?: { readonly userId: number; readonly from: MailChoice }
}

/**
 * Has an e-mail sent, once the transaction is committed.
 * @throws Refusal BAD_REQUEST when as many wait as may
 */
export async function queueMail(tx: Tx, mail: OutgoingMail): Promise<void> {
  await queueMails(tx, [mail])
}

/** Has several e-mails sent, of which none is when there are more than may wait. Those to addresses that nobody reads are not. */
export async function queueMails(tx: Tx, wanted: readonly OutgoingMail[]): Promise<void> {
  const mails = wanted.filter(({ to }) => !caseKey(to).endsWith(NOWHERE))
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
  if (rows.length > 0) throw new Refusal('BAD_REQUEST', 'Too many e-mails wait for being sent. Try again later.')
}

/** Takes back the e-mails with tokens that are not good any more, as far as they have not been sent. */
export async function takeBackMails(tx: Tx, seeds: readonly Buffer[]): Promise<void> {
  if (seeds.length === 0) return
  await tx.db
    .deleteFrom('outgoing_mails')
    .where('organization_id', '=', tx.organizationId)
    .where('seed', 'in', seeds)
    .execute()
}

/**
 * Takes back the e-mails that tell a user what goes on, as far as they have not been sent: the account has ended, or its address
 * is another one. They may wait for days for a mail server, and show what only the user may read.
 */
export async function takeBackMailsTo(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('outgoing_mails')
    .where('organization_id', '=', tx.organizationId)
    .where('unsubscribe_user_id', '=', userId)
    .execute()
}
