import { ApiError } from './refusal.ts'

/** Limits are shown on the reference page. Rate limits and retention bound messages, topics, and conversations. */
export interface Limit {
  readonly most: number
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'message' | 'account'
  /** Plural noun, and what happens above the limit if that is not an error. */
  readonly what: string
}

/** Code points of a user's texts of one kind, with HTML. A response contains all of them, at up to 6 bytes each. */
export const MAX_STORED_CHARACTERS = 1_000_000

export interface TextTotals {
  readonly count: number
  readonly characters: number
}

/** Call this after writing the texts and before the commit. @throws ApiError BAD_REQUEST */
export function requireTextCapacity({ count, characters }: TextTotals, most: number, words: string): void {
  if (count > most) throw new ApiError('BAD_REQUEST', `You can have at most ${most} ${words}.`)
  if (characters > MAX_STORED_CHARACTERS) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${MAX_STORED_CHARACTERS} characters of ${words}.`)
  }
}
