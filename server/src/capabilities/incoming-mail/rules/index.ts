import { PARLEY_MARK } from '../../../platform/mail/mailer.ts'
import type { ReadMail } from '../../../platform/mail/reading.ts'

export type DropReason = 'automatic reply' | 'bounce' | 'sent by Parley'

/** Reports about sent mail (RFC 3464, RFC 8098). Other reports, such as those on encryption, are for people. */
const ANSWERING_REPORTS = ['delivery-status', 'disposition-notification']

/**
 * Detects emails that could start a loop: automatic answers, and emails from a server like this one. Other automatic
 * emails (`Auto-Submitted: auto-generated`) pass, because people want to read them.
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
