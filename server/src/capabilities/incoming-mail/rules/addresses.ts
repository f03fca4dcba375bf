import { hash } from 'node:crypto'

/** What stands behind `+` in an address, and changes how an e-mail becomes a message. */
export const ADDRESS_OPTIONS = ['show-sender', 'include-quotes', 'include-footer', 'prefer-html'] as const
export type AddressOption = (typeof ADDRESS_OPTIONS)[number]

/** An address as it was given: nothing of it is known to be right. */
export interface GivenAddress {
  readonly organizationId: number
  readonly secret: string
  readonly options: ReadonlySet<AddressOption>
}

/** In bytes: a secret that cannot be guessed, and leaves room in the 64 characters that an address may have before its `@`. */
const SECRET_BYTES = 16
const MAX_NAME = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const SECRET_CHARACTERS = Math.ceil((SECRET_BYTES * 8) / 5)

/** The secret of an address, in letters of one case: mail servers do not keep the case. @param token of its seed */
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

/** `news.3-abc…@mail.example.org`: the name is for people alone. */
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

/** What an address says, where it has the form of ours. */
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
