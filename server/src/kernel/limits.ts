/**
 * How much of one kind of thing there may be. Nothing that a request can make grows without an end: what makes something
 * declares its limit beside it, capabilities list theirs, and the reference page shows all of them. Messages, topics and
 * conversations are bounded by rate limits and retention.
 */
export interface Limit {
  readonly most: number
  /** The owner of the things that are counted. */
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'message' | 'account'
  /** What is counted, in the plural, and what happens above the limit where it is not refused. */
  readonly what: string
}

/**
 * The limit of all texts of one kind that one user keeps, in code points, with the HTML that is stored for them. One
 * answer holds all of them, a character takes up to six bytes in it, and the register response holds the texts of
 * every kind.
 */
export const MAX_KEPT_CHARACTERS = 1_000_000
