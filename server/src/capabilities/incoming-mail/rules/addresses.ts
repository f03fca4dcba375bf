import { hash } from 'node:crypto'

/** Options after `+` in an address, which change how an email becomes a message. */
export const ADDRESS_OPTIONS = ['show-sender', 'include-quotes', 'include-footer', 'prefer-html'] as const
export type AddressOption = (typeof ADDRESS_OPTIONS)[number]

/** An unverified address. */
export interface GivenAddress {
  readonly organizationId: number
  readonly secret: string
  readonly options: ReadonlySet<AddressOption>
}

/** Number of bytes: too many to guess, but few enough for the 64 characters allowed before `@`. */
const SECRET_BYTES = 16
const MAX_NAME = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const SECRET_CHARACTERS = Math.ceil((SECRET_BYTES * 8) / 5)

/**
 * Uses base32, because mail servers do not preserve case.
 * @param token token of the seed
 */
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

/** Builds `news.3-abc…@mail.example.org`; the name serves only as a reminder for people. */
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
    /^[a-z\d-]{1,64}\.(\d{1,15})-([a-z2-7]{26})(?:\+([a-z.-]{1,64}))?@([^@]+)$/.exec(address.toLowerCase()) ?? []
  if (organizationId === undefined || host !== domain.toLowerCase()) return undefined
  const given = options.split('.')
  return {
    organizationId: Number(organizationId),
    secret,
    options: new Set(ADDRESS_OPTIONS.filter((option) => given.includes(option))),
  }
}
