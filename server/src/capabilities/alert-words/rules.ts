import type { OrganizationState } from '../../kernel/projection.ts'
import { alertWordsProjection, wordForm, type WordsFrom } from './queries.ts'

/**
 * The users who watch for a word in the text: whole words, whatever their case. Follows the words of all users at once
 * from each place where one can begin, so the time grows with the text and not with the words.
 */
export function alertedBy(organization: OrganizationState, text: string): ReadonlySet<number> {
  const { words } = organization.of(alertWordsProjection)
  const alerted = new Set<number>()
  if (words.next.size === 0) return alerted
  const characters = [...wordForm(text)]
  for (let start = 0; start < characters.length; start += 1) {
    if (!isWordCharacter(characters[start - 1])) note(alerted, words, characters, start)
  }
  return alerted
}

function note(alerted: Set<number>, words: WordsFrom, characters: readonly string[], start: number): void {
  let reached: WordsFrom | undefined = words
  for (let index = start; reached !== undefined; index += 1) {
    const character = characters[index]
    if (!isWordCharacter(character)) for (const userId of reached.users) alerted.add(userId)
    reached = character === undefined ? undefined : reached.next.get(character)
  }
}

/** Letters of every script with their marks, but not the marks that only choose how an emoji is drawn. */
function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /(?![\uFE00-\uFE0F\u20E3])[\p{L}\p{N}\p{M}_]/u.test(character)
}
