import { PARLEY_MARK } from '../../../platform/mail/mailer.ts'
import type { ReadMail } from '../../../platform/mail/reading.ts'

/** Why an email is not posted. */
export type DropReason = 'automatic reply' | 'bounce' | 'sent by Parley'

/** Reports about an email that was sent (RFC 3464, RFC 8098). Others, such as those on encryption, are read by people. */
const ANSWERING_REPORTS = ['delivery-status', 'disposition-notification']

/**
 * Why an email could go round in circles if it were posted: it answers another one without a person, or a server like this sent
 * it. Machines also write emails that answer nothing (`Auto-Submitted: auto-generated`); people want to read those.
 */
export function dropReason(headers: ReadMail['headers'], envelopeSender: string): DropReason | undefined {
  const valuesOf = (name: string): string[] =>
    headers.filter(({ key }) => key === name).map(({ value }) => value.trim().toLowerCase())
  const isOneOf = (name: string, ...values: string[]): boolean =>
    valuesOf(name).some((value) => values.includes(/^[\w-]+/.exec(value)?.[0] ?? ''))
  const has = (name: string): boolean => valuesOf(name).length > 0
  if (has(PARLEY_MARK.name.toLowerCase())) return 'sent by Parley'
  if (isOneOf('auto-submitted', 'auto-replied') || isOneOf('precedence', 'auto_reply')) return 'automatic reply'
  if (has('x-autoreply') || has('x-autorespond') || has('x-mail-autoreply')) return 'automatic reply'
  if (envelopeSender === '' || has('x-failed-recipients')) return 'bounce'
  return valuesOf('content-type').some(isAnsweringReport) ? 'bounce' : undefined
}

function isAnsweringReport(contentType: string): boolean {
  if (!contentType.startsWith('multipart/report')) return false
  const type = /;\s*report-type\s*=\s*"?([\w-]+)/.exec(contentType)?.[1]
  return type === undefined || ANSWERING_REPORTS.includes(type)
}
