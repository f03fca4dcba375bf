import { COUNT_LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'

/**
 * The limit of all texts of one kind that one user keeps, in code points, with the HTML that is stored for them. One
 * answer holds all of them, a character takes up to six bytes in it, and the register response holds the texts of
 * every kind.
 */
export const MAX_KEPT_CHARACTERS = COUNT_LIMITS.keptCharacters.most

/** What one user keeps of one kind. */
export interface Kept {
  readonly count: number
  readonly characters: number
}

/**
 * Refuses texts above the limits. It is called after the texts were written and before the transaction commits.
 * @param words the noun and the verb that complete the refusal's sentence
 * @throws Refusal BAD_REQUEST where the texts are too many or too long
 */
export function requireRoom({ count, characters }: Kept, most: number, words: string): void {
  if (count > most) throw new Refusal('BAD_REQUEST', `No more than ${most} ${words}.`)
  if (characters > MAX_KEPT_CHARACTERS) {
    throw new Refusal('BAD_REQUEST', `No more than ${MAX_KEPT_CHARACTERS} characters of ${words}.`)
  }
}
