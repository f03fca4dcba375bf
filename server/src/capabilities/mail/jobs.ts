import { sql, type Selectable } from 'kysely'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Job, JobContext } from '../../platform/jobs/jobs.ts'
import { MailRefusedError, type Mail } from '../../platform/mail/mailer.ts'
import { writeMail } from '../../platform/mail/write.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { organizationOf } from '../organizations/queries/index.ts'
import { dueMails, SETTINGS_PATH, CONCURRENCY_LIMITS, UNSUBSCRIBE_ENDPOINT_PATH, UNSUBSCRIBE_PATH } from './queries.ts'
import { footerTexts, isMailChoice, unsubscribeToken } from './rules.ts'

/** The first delay exceeds the longest attempt, so that two processes never attempt the same email at once. */
const RETRY_DELAYS_SECONDS = [120, 300, 900, 3_600, 14_400, 43_200, 86_400] as const
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length

type OutgoingMailRow = Selectable<Tables['outgoing_mails']>

/** Sends at least once; repeats have the same Message-ID, so that recipients can deduplicate them. */
export const sendMails: Job = {
  name: 'sendMails',
  everySeconds: 1,
  concurrency: CONCURRENCY_LIMITS,
  due: dueMails,
  run: sendDueMail,
}

async function sendDueMail({ log, server }: JobContext, id: number): Promise<void> {
  const begun = await log.write((tx) => beginSendAttempt(tx, id))
  if (begun === 'spent') server.report(new Error(`gave up on email ${id} of organization ${log.organization.id}`))
  if (begun === undefined || begun === 'spent') return
  const failure = await trySendingMail(log.organization, server, begun)
  if (failure === undefined) {
    await log.write((tx) => deleteMail(tx, id))
    return
  }
  const isGivenUp = failure instanceof MailRefusedError || begun.attempts >= MAX_ATTEMPTS
  if (isGivenUp) await log.write((tx) => deleteMail(tx, id))
  // Reports only the first and the last failure: failures in between tell the operator nothing new.
  if (isGivenUp || begun.attempts === 1) {
    const outcome = isGivenUp ? 'was given up' : 'will be tried again'
    server.report(new Error(`email ${id} of organization ${begun.organization_id} ${outcome}`, { cause: failure }))
  }
}

/** Returns undefined if another process claimed the email, or 'spent' if a process died during the last attempt. */
async function beginSendAttempt(tx: Tx, id: number): Promise<OutgoingMailRow | 'spent' | undefined> {
  const { numDeletedRows: spent } = await tx.db
    .deleteFrom('outgoing_mails')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempts', '>=', MAX_ATTEMPTS)
    .where('attempt_at', '<=', tx.now)
    .executeTakeFirstOrThrow()
  if (spent > 0n) return 'spent'
  const waits = sql<number>`(array[${sql.join(RETRY_DELAYS_SECONDS)}]::bigint[])[attempts + 1]`
  return tx.db
    .updateTable('outgoing_mails')
    .set({ attempts: sql`attempts + 1`, attempt_at: sql`${tx.now}::bigint + ${waits}` })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('attempt_at', '<=', tx.now)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the error if sending failed. */
async function trySendingMail(
  organization: OrganizationState,
  server: ServerFacts,
  row: OutgoingMailRow,
): Promise<unknown> {
  try {
    await server.mailer.send(await renderMail(organization, server, row))
    return undefined
  } catch (error) {
    return error
  }
}

async function renderMail(organization: OrganizationState, server: ServerFacts, row: OutgoingMailRow): Promise<Mail> {
  const url = server.urlOf(organization)
  const host = new URL(url).hostname
  const token = row.seed === null ? '' : await server.tokens.of(row.seed)
  const address = row.button_path === null ? undefined : `${url}${row.button_path}${token}`
  const button = address === undefined ? undefined : { label: row.button_label ?? '', address }
  const { language, subject, paragraphs, closing } = row
  const leaving = await createUnsubscribeToken(server, row)
  const words = footerTexts(language)
  const links =
    leaving === undefined
      ? []
      : [
          { label: words.unsubscribe, address: `${url}${UNSUBSCRIBE_PATH}${leaving}` },
          { label: words.settings, address: `${url}${SETTINGS_PATH}` },
        ]
  const content = row.content_text === null ? undefined : { text: row.content_text, html: row.content_html ?? '' }
  return {
    ...writeMail({ language, subject, paragraphs, content, button, closing, links }),
    messageId: `${row.organization_id}.${row.id}.${row.created_at}@${host}`,
    thread:
      row.thread === null ? undefined : `${await hashThread(server, row.organization_id, row.thread)}.thread@${host}`,
    unsubscribeAddress: leaving === undefined ? undefined : `${url}${UNSUBSCRIBE_ENDPOINT_PATH}?token=${leaving}`,
    to: row.recipient,
    fromName: organizationOf(organization).name,
    link: address,
  }
}

async function createUnsubscribeToken(server: ServerFacts, row: OutgoingMailRow): Promise<string | undefined> {
  const { organization_id: organizationId, unsubscribe_user_id: userId, unsubscribe_from: from } = row
  if (userId === null || from === null || !isMailChoice(from)) return undefined
  return unsubscribeToken(server.tokens, organizationId, { userId, from, address: row.recipient })
}

/** Hashes the ID, which would reveal when the topic began even to people who can read only its later messages. */
async function hashThread(server: ServerFacts, organizationId: number, thread: string): Promise<string> {
  return server.tokens.of(Buffer.from(`thread ${organizationId} ${thread}`))
}

async function deleteMail(tx: Tx, id: number): Promise<void> {
  await tx.db
    .deleteFrom('outgoing_mails')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
}
