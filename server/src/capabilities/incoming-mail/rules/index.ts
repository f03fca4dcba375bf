import type { ReadMail } from '../../../platform/mail/reading.ts'

/**
 * Whether no person sent an e-mail: answers of machines, notices of mail servers and what this server sends itself. To post
 * these could go round in circles.
 */
export function isAutomatic(headers: ReadMail['headers'], envelopeSender: string): boolean {
  if (envelopeSender === '') return true
  const valueOf = (name: string): string =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  const submitted = valueOf('auto-submitted')
  return (
    (submitted !== '' && !/^no\b/.test(submitted)) ||
    valueOf('x-auto-response-suppress') === 'all' ||
    valueOf('content-type').startsWith('multipart/report') ||
    valueOf('precedence') === 'auto_reply' ||
    headers.some(({ key }) => key === 'x-autoreply' || key === 'x-autorespond')
  )
}
