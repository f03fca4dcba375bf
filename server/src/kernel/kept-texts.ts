import { MAX_KEPT_CHARACTERS } from './limits.ts'
import { Refusal } from './refusal.ts'

export interface TextTotals {
  readonly count: number
  readonly characters: number
}

/**
 * Call it after writing the texts and before the commit.
 * @param words noun for the error message
 * @throws Refusal BAD_REQUEST
 */
export function requireRoom({ count, characters }: TextTotals, most: number, words: string): void {
  if (count > most) throw new Refusal('BAD_REQUEST', `You can have at most ${most} ${words}.`)
  if (characters > MAX_KEPT_CHARACTERS) {
    throw new Refusal('BAD_REQUEST', `You can have at most ${MAX_KEPT_CHARACTERS} characters of ${words}.`)
  }
}
