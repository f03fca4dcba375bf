export interface OutsideRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** On whose behalf it is: `personIn`. */
  readonly person: string
  /** How long all of it may take: finding the address, redirects, the answer to its last byte. */
  readonly mostSeconds: number
  /** How long the body of the answer may be. */
  readonly mostBytes: number
  /** Whether a body that is longer is cut off there, in place of being refused: of a page, its beginning is enough. */
  readonly takesBeginning?: boolean
}

/** The name of a person of an organization, among those on whose behalf requests go outside. */
export function personIn(organizationId: number, userId: number): string {
  return `${organizationId}/${userId}`
}

export interface OutsideResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly status: number
  /** In lower case; the first of several with one name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Why there was no answer: what was typed is no address for a request (`url`); it leads to no public host (`destination`);
 * it led on too often or to where it may not (`redirect`); no answer came in time (`time`) or at all (`connection`); the
 * answer is too long or encoded (`answer`); the server stops (`closing`).
 */
export type OutsideFailureReason = 'url' | 'destination' | 'redirect' | 'time' | 'connection' | 'answer' | 'closing'

/** A request outside that got no answer. The message is a clause for the person who typed the address. */
export class OutsideFailure extends Error {
  readonly reason: OutsideFailureReason

  constructor(reason: OutsideFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutsideFailure'
    this.reason = reason
  }

  /** Whether the same request may go well later. */
  get isPassing(): boolean {
    return this.reason === 'time' || this.reason === 'connection' || this.reason === 'destination'
  }
}

/** That a name is unknown and that it leads to where nothing may go is told alike, so that nobody explores an inner network. */
export function noDestination(): OutsideFailure {
  return new OutsideFailure('destination', 'the address leads to no server on the internet')
}

const MAX_URL_CHARACTERS = 2_000

/**
 * An address that a request may be sent to, as far as its text says. Decimal, octal and other spellings of an IP address
 * are the usual one afterwards.
 * @throws OutsideFailure
 */
export function outsideUrl(text: string): URL {
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text))
    throw new OutsideFailure('url', 'the address is malformed')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutsideFailure('url', 'the address does not begin with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutsideFailure('url', 'the address holds a user name or a password')
  }
  return url
}
