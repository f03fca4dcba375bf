import { ApiError } from './refusal.ts'

/** Limit that the reference page shows. Messages and topics have no `Limit`: rate limits and retention bound them. */
export interface Limit {
  readonly most: number
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'channel' | 'message' | 'account'
  /** Names the limited items in the plural. If exceeding the limit causes no error, also says what happens instead. */
  readonly what: string
}

/** Maximum code points of all text of one kind that a user stores, including HTML: one response can contain it all. */
export const MAX_STORED_CHARACTERS = 1_000_000

export interface TextTotals {
  readonly count: number
  readonly characters: number
}

/** Limits a user's stored text. Call this after writing it and before the commit. @throws ApiError BAD_REQUEST */
export function requireTextCapacity({ count, characters }: TextTotals, most: number, words: string): void {
  if (count > most) throw new ApiError('BAD_REQUEST', `You can have at most ${most} ${words}.`)
  if (characters > MAX_STORED_CHARACTERS) {
    throw new ApiError('BAD_REQUEST', `You can have at most ${MAX_STORED_CHARACTERS} characters of ${words}.`)
  }
}
