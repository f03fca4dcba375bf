import { MAX_KEPT_CHARACTERS } from './limits.ts'
import { Refusal } from './refusal.ts'

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
