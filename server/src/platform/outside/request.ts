/** Time limit of a request, including name resolution and redirects. */
export const REQUEST_TIMEOUT_SECONDS = 10

export interface OutsideRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly person: string
  readonly mostSeconds: number
  readonly mostBytes: number
  /** Whether to truncate a body that is too long instead of rejecting it. */
  readonly takesBeginning?: boolean
}

export function personKey(organizationId: number, userId: number): string {
  return `${organizationId}/${userId}`
}

export interface OutsideResponse {
  readonly url: string
  readonly status: number
  /** Headers by lowercase name, with the first value of repeated headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `destination`: the host is not public; `answer`: too long or encoded response; `closing`: the server is stopping. */
export type OutsideFailureReason = 'url' | 'destination' | 'redirect' | 'time' | 'connection' | 'answer' | 'closing'

/** The message is a clause for the person who entered the URL. */
export class OutsideFailure extends Error {
  readonly reason: OutsideFailureReason

  constructor(reason: OutsideFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutsideFailure'
    this.reason = reason
  }

  get isPassing(): boolean {
    return this.reason === 'time' || this.reason === 'connection' || this.reason === 'destination'
  }
}

const TEMPORARY_STATUSES = [408, 425, 429]

export function isTemporaryStatus(status: number): boolean {
  return status >= 500 || TEMPORARY_STATUSES.includes(status)
}

/** Creates one error for unknown names and forbidden addresses, so that no one can explore an internal network. */
export function noDestinationError(): OutsideFailure {
  return new OutsideFailure('destination', 'the address does not lead to a server on the internet')
}

const MAX_URL_CHARACTERS = 2_000

/** Parses a URL and normalizes IP addresses in any notation. @throws OutsideFailure */
export function parseOutsideUrl(text: string): URL {
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text))
    throw new OutsideFailure('url', 'the address is malformed')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutsideFailure('url', 'the address does not start with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutsideFailure('url', 'the address contains a user name or a password')
  }
  return url
}
