export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]

/** Credentials in a form that can be checked again on each request. Contains digests, never API keys or secrets. */
export type Claim = KeyClaim | BotKeyClaim | SessionClaim | TokenClaim

export interface KeyClaim {
  readonly username: string
  readonly keyDigest: Buffer
  readonly client: string
}

/** Credentials that consist only of the API key, as in an incoming webhook URL. */
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
  /** Undefined if only the token was sent. */
  readonly username: string | undefined
  readonly client: string
}

export interface TokenScope {
  readonly id: number
  /** UNIX seconds; null for no expiry. */
  readonly endsAt: number | null
  /** Channels that the token can access; null for all. */
  readonly channelIds: ReadonlySet<number> | null
}

export interface Actor {
  readonly userId: number
  readonly role: Role
  /** First word of the User-Agent, for example `website`; recorded with messages. */
  readonly client: string
  readonly sessionId?: number
  readonly token?: TokenScope
}

/** Viewer without an account. Only reads of endpoints with `forSpectators` run for it. */
export interface Spectator {
  readonly userId: 0
  readonly role: 700
  readonly client: ''
  readonly sessionId?: never
  readonly token?: never
}

/** No account has this ID or this role. Higher role numbers have fewer permissions. */
export const SPECTATOR: Spectator = { userId: 0, role: 700, client: '' }

export type ViewerRole = Role | Spectator['role']

export function isSpectator({ role }: { readonly role: ViewerRole }): boolean {
  return role === SPECTATOR.role
}
