/**
 * The maximum number of one kind of thing. Everything a request can create is bounded: each limit is declared beside
 * its code, listed by its capability, and shown on the reference page. Rate limits and retention bound messages,
 * topics, and conversations.
 */
export interface Limit {
  readonly most: number
  /** The scope of the count. */
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'message' | 'account'
  /** The plural noun, and what happens above the limit if it is not an error. */
  readonly what: string
}

/**
 * Maximum code points, including stored HTML, of all texts of one kind that a user saves. One response contains them
 * all at up to six bytes per character, and the register response contains every kind.
 */
export const MAX_KEPT_CHARACTERS = 1_000_000
