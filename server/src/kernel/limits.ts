/**
 * Maximum number of objects of one kind. Everything a request can create is bounded: each limit is declared beside its
 * code, listed by its capability, and shown on the reference page. Rate limits and retention bound messages, topics,
 * and conversations.
 */
export interface Limit {
  readonly most: number
  /** Scope of the count. */
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'message' | 'account'
  /** Plural noun, and what happens above the limit if that is not an error. */
  readonly what: string
}

/**
 * Maximum code points, including stored HTML, of all texts of one kind that a user saves. One response contains them
 * all at up to six bytes per character, and the register response contains every kind.
 */
export const MAX_KEPT_CHARACTERS = 1_000_000
