import { COUNT_LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'

/**
 * Of all texts of one kind that one user keeps, in code points, with the HTML that is kept of them: one answer has all of
 * them, in which a character takes up to six bytes, and the register response has those of every kind.
 */
export const MAX_KEPT_CHARACTERS = COUNT_LIMITS.keptCharacters.most

/** What one user keeps of one kind. */
export interface Kept {
  readonly count: number
  readonly characters: number
}

/**
 * Asked after something was written, and before it is committed.
 * @param words what is kept, and what is done with it
 * @throws Refusal BAD_REQUEST where it is too much
 */
export function requireRoom({ count, characters }: Kept, most: number, words: string): void {
  if (count > most) throw new Refusal('BAD_REQUEST', `No more than ${most} ${words}.`)
  if (characters > MAX_KEPT_CHARACTERS) {
    throw new Refusal('BAD_REQUEST', `No more than ${MAX_KEPT_CHARACTERS} characters of ${words}.`)
  }
}
