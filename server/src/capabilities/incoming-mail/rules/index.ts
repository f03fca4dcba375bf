import { hash } from 'node:crypto'
import { PARLEY_MARK } from '../../../platform/mail/mailer.ts'
import type { ReadMail } from '../../../platform/mail/reading.ts'

export type DropReason = 'automatic reply' | 'bounce' | 'sent by Parley'

/** Reports about sent mail (RFC 3464, RFC 8098). Other reports, such as those on encryption, are for people. */
const ANSWERING_REPORTS = ['delivery-status', 'disposition-notification']

/** Detects automatic answers and servers like this one. Other automatic emails pass, because people read them. */
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

/** Options after `+` or `.` in an address, which change how an email becomes a message. */
export const ADDRESS_OPTIONS = ['show-sender', 'include-quotes', 'include-footer', 'prefer-html'] as const
export type AddressOption = (typeof ADDRESS_OPTIONS)[number]

export interface GivenAddress {
  readonly organizationId: number
  readonly secret: string
  readonly options: ReadonlySet<AddressOption>
}

/** In bytes: too many to guess, but few enough for the 64 characters allowed before `@`. */
const SECRET_BYTES = 16
const MAX_NAME = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const SECRET_CHARACTERS = Math.ceil((SECRET_BYTES * 8) / 5)

/** Base32, because mail servers do not preserve case. */
export function secretOf(token: string): string {
  const bits = [...Buffer.from(token, 'base64url').subarray(0, SECRET_BYTES)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return Array.from({ length: SECRET_CHARACTERS }, (_, index) => {
    const five = bits.slice(5 * index, 5 * index + 5).padEnd(5, '0')
    return ALPHABET[Number.parseInt(five, 2)] ?? ''
  }).join('')
}

export function digestOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** `news.3-abc…@mail.example.org`; the name is only for people. */
export function addressOf(
  { organizationId, channelName, secret }: { organizationId: number; channelName: string; secret: string },
  domain: string,
): string {
  const name = channelName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-|-$/g, '')
  return `${name === '' ? 'channel' : name}.${organizationId}-${secret}@${domain}`
}

export function readAddress(address: string, domain: string): GivenAddress | undefined {
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
