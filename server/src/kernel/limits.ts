/**
 * Everything a request can create is bounded: each limit is declared beside its code and shown on the reference page.
 * Rate limits and retention bound messages, topics, and conversations.
 */
export interface Limit {
  readonly most: number
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'message' | 'account'
  /** Plural noun, and what happens above the limit if that is not an error. */
  readonly what: string
}

/**
 * Code points of a user's texts of one kind, including HTML. One response contains them all at up to six bytes each;
 * the register response contains every kind.
 */
export const MAX_KEPT_CHARACTERS = 1_000_000
