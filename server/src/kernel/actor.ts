/** Roles as the API numbers them: a lower number may do more. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]

/** Who somebody says to be, in the form in which that is checked again with each request. */
export interface Claim {
  readonly username: string
  /** Of the API key, which is not kept. */
  readonly keyDigest: Buffer
  readonly client: string
}

/** Who is asking: an authenticated user or bot of one organization. */
export interface Actor {
  readonly userId: number
  readonly role: Role
  /** First word of the client's User-Agent, e.g. `website`; recorded with messages. */
  readonly client: string
}
