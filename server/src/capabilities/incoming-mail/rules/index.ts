import { hash } from 'node:crypto'
import { PARLEY_MAIL_HEADER } from '../../../platform/mail/mailer.ts'
import type { ParsedMail } from '../../../platform/mail/reading.ts'

export type DropReason = 'automatic reply' | 'bounce' | 'sent by Parley'

/** Reports about sent emails (RFC 3464, RFC 8098), which are dropped. Other reports, such as on TLS, are posted. */
const DELIVERY_REPORT_TYPES = ['delivery-status', 'disposition-notification']

/** Subject prefixes of Exchange's automatic replies. Checked only in automatic emails, as people use them too. */
const AUTO_REPLY_SUBJECTS = [
  'automatic reply,autoreply,auto-reply,auto reply,auto response,out of office,out of office autoreply',
  'automatische antwort,abwesenheitsnotiz,abwesenheitsnachricht,abwesend,automatisch antwoord,afwezigheidsbericht',
  'réponse automatique,absence du bureau,respuesta automática,fuera de la oficina,resposta automática',
  'resposta automàtica,risposta automatica,fuori sede,fuori ufficio,răspuns automat,autosvar,automatiskt svar',
  'automatisk svar,automaattinen vastaus,odpowiedź automatyczna,automatyczna odpowiedź',
  'automatická odpověď,automatická odpoveď,automatikus válasz,automatski odgovor,samodejni odgovor',
  'автоматический ответ,автоответ,автоматична відповідь,автоматичен отговор,αυτόματη απάντηση,otomatik yanıt',
  'תשובה אוטומטית,رد تلقائي,自动答复,自动回复,自動回覆,自動答覆,自動応答,自動返信,자동 회신,자동 응답',
].flatMap((list) => list.split(','))

/** Detects automatic replies, bounces, and emails from Parley. Other automatic emails pass: people read them. */
export function dropReason(
  { headers, subject, fromAddress }: Pick<ParsedMail, 'headers' | 'subject' | 'fromAddress'>,
  envelopeSender: string,
): DropReason | undefined {
  const isGiven = (name: string): boolean =>
    headerValues(headers, name).some((value) => !/^(?:no|false|0)?$/.test(value))
  if (headerValues(headers, PARLEY_MAIL_HEADER.name).length > 0) return 'sent by Parley'
  if (startsWithWord(headers, 'auto-submitted', 'auto-replied') || startsWithWord(headers, 'precedence', 'auto_reply'))
    return 'automatic reply'
  if (['x-autoreply', 'x-autorespond', 'x-mail-autoreply'].some(isGiven)) return 'automatic reply'
  if (isAutomaticMail(headers) && isAutoReplySubject(subject)) return 'automatic reply'
  if (isGiven('x-failed-recipients') || headerValues(headers, 'content-type').some(isDeliveryReport)) return 'bounce'
  if (envelopeSender !== '') return undefined
  // An empty sender alone does not prove a bounce: programs use it too, to prevent replies.
  const isOfProgram = isAutomaticMail(headers) && !/^(?:mailer-daemon|postmaster)(?:@|$)/i.test(fromAddress)
  return isOfProgram ? undefined : 'bounce'
}

export function isAutomaticMail(headers: ParsedMail['headers']): boolean {
  return headerValues(headers, 'auto-submitted').some((value) => value !== '' && !/^no\b/.test(value))
}

function isAutoReplySubject(subject: string): boolean {
  const words = subject.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
  return AUTO_REPLY_SUBJECTS.some((start) => words.startsWith(start) && /^ ?[:\uFF1A]/.test(words.slice(start.length)))
}

function startsWithWord(headers: ParsedMail['headers'], name: string, word: string): boolean {
  return headerValues(headers, name).some((value) => /^[\w-]+/.exec(value)?.[0] === word)
}

export function headerValues(headers: ParsedMail['headers'], name: string): string[] {
  return headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value.trim().toLowerCase())
}

function isDeliveryReport(contentType: string): boolean {
  if (!contentType.startsWith('multipart/report')) return false
  const type = /;\s*report-type\s*=\s*"?([\w-]+)/.exec(contentType)?.[1]
  return type === undefined || DELIVERY_REPORT_TYPES.includes(type)
}

/** Options after `+` or `.` in an address, which change how an email becomes a message. */
export const ADDRESS_OPTIONS = ['show-sender', 'include-quotes', 'include-footer', 'prefer-html'] as const
export type AddressOption = (typeof ADDRESS_OPTIONS)[number]

export interface ParsedAddress {
  readonly organizationId: number
  readonly secret: string
  readonly options: ReadonlySet<AddressOption>
}

/** Too long to guess, but short enough for the 64 characters allowed before `@`. */
const ADDRESS_SECRET_BYTES = 16
const MAX_ADDRESS_NAME_CHARACTERS = 10
const BASE32_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const ADDRESS_SECRET_CHARACTERS = Math.ceil((ADDRESS_SECRET_BYTES * 8) / 5)

/** Returns Base32, because mail servers may change the case of an address. */
export function encodeAddressSecret(token: string): string {
  const bits = [...Buffer.from(token, 'base64url').subarray(0, ADDRESS_SECRET_BYTES)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return Array.from({ length: ADDRESS_SECRET_CHARACTERS }, (_, index) => {
    const five = bits.slice(5 * index, 5 * index + 5).padEnd(5, '0')
    return BASE32_ALPHABET[Number.parseInt(five, 2)] ?? ''
  }).join('')
}

export function addressSecretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Formats an address such as `news.3-abc…@mail.example.org`. The name before the dot is only for people. */
export function channelEmailAddress(
  { organizationId, channelName, secret }: { organizationId: number; channelName: string; secret: string },
  domain: string,
): string {
  const name = channelName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, MAX_ADDRESS_NAME_CHARACTERS)
    .replace(/^-|-$/g, '')
  return `${name === '' ? 'channel' : name}.${organizationId}-${secret}@${domain}`
}

export function parseAddress(address: string, domain: string): ParsedAddress | undefined {
  const [, organizationId, secret = '', options = '', host] =
    /^[a-z\d-]{1,64}\.(\d{1,15})-([a-z2-7]{26})(?:[+.]([a-z.-]{1,64}))?@([^@]+)$/.exec(address.toLowerCase()) ?? []
  if (organizationId === undefined || host !== domain.toLowerCase()) return undefined
  const optionNames = options.split('.')
  return {
    organizationId: Number(organizationId),
    secret,
    options: new Set(ADDRESS_OPTIONS.filter((option) => optionNames.includes(option))),
  }
}
