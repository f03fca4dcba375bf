/** Role numbers of the API: lower numbers have more permissions. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]

/**
 * Account that a request claims, in a form that can be checked again on each request. Contains digests, never API keys
 * or secrets.
 */
export type Claim = KeyClaim | BotKeyClaim | SessionClaim | TokenClaim

export interface KeyClaim {
  readonly username: string
  readonly keyDigest: Buffer
  readonly client: string
}

/** Identifies a bot by its API key alone, as in an incoming webhook URL. */
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
  /** The account the token must belong to; undefined if only the token was sent. */
  readonly username: string | undefined
  readonly client: string
}

/** Limits that an API token puts on its account's permissions. */
export interface TokenScope {
  readonly id: number
  /** UNIX seconds; null if the token never expires. */
  readonly endsAt: number | null
  /** Null if the token is not limited to channels. */
  readonly channelIds: ReadonlySet<number> | null
}

/** User or bot whose request is being handled, authenticated in one organization. */
export interface Actor {
  readonly userId: number
  readonly role: Role
  /** First word of the client's User-Agent, for example `website`; recorded with messages. */
  readonly client: string
  /** Session of the browser that sent the request; undefined for API clients. */
  readonly sessionId?: number
  /** The token used for the request; undefined for full access. */
  readonly token?: TokenScope
}
