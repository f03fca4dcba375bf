/** Roles as the API numbers them: a lower number may do more. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]

/**
 * The account that a request claims to come from, in the form in which the claim is checked again with each request:
 * by an API key, as programs do, or by the session of a browser. Keys and secrets themselves are not kept.
 */
export type Claim = KeyClaim | BotKeyClaim | SessionClaim | TokenClaim

export interface KeyClaim {
  readonly username: string
  readonly keyDigest: Buffer
  readonly client: string
}

/** Of a bot whose API key stands alone, in the address that a service outside was given. */
export interface BotKeyClaim {
  readonly botKeyDigest: Buffer
  readonly client: string
}

export interface SessionClaim {
  readonly sessionId: number
  readonly secretDigest: Buffer
  readonly client: string
}

export interface TokenClaim {
  readonly tokenId: number
  readonly secretDigest: Buffer
  /** Whose it has to be; undefined where the token stands alone. */
  readonly username: string | undefined
  readonly client: string
}

/** What an API token leaves of what its account may. */
export interface TokenScope {
  readonly id: number
  /** UNIX seconds; null for one without an end. */
  readonly endsAt: number | null
  /** Null for a token that is not limited to channels. */
  readonly channelIds: ReadonlySet<number> | null
}

/** The account whose request is handled: an authenticated user or bot of one organization. */
export interface Actor {
  readonly userId: number
  readonly role: Role
  /** First word of the client's User-Agent, e.g. `website`; recorded with messages. */
  readonly client: string
  /** The session of the browser that sent the request; undefined where a program sent it. */
  readonly sessionId?: number
  /** The API token that the request has; undefined where it opens all that the account may. */
  readonly token?: TokenScope
}
