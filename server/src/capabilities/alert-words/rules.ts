import { caseKey } from '../../kernel/case-key.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { continuesWord, endsWithinWord } from '../../kernel/words.ts'
import { alertWordsProjection, type WordTrieNode } from './queries.ts'

/** Matches whole words, ignoring case. The time depends on the length of the text, not on the number of alert words. */
export function usersAlertedBy(organization: OrganizationState, text: string): ReadonlySet<number> {
  const { words } = organization.of(alertWordsProjection)
  const alerted = new Set<number>()
  if (words.next.size === 0) return alerted
  const searched = caseKey(text)
  let start = 0
  for (const character of searched) {
    if (words.next.has(character) && !continuesWord(searched, start)) addAlertedUsers(alerted, words, searched, start)
    start += character.length
  }
  return alerted
}

function addAlertedUsers(alerted: Set<number>, words: WordTrieNode, text: string, start: number): void {
  let reached: WordTrieNode | undefined = words
  let end = start
  while (reached !== undefined) {
    if (reached.users.size > 0 && !endsWithinWord(text, end)) for (const userId of reached.users) alerted.add(userId)
    const code = text.codePointAt(end)
    if (code === undefined) return
    const character = String.fromCodePoint(code)
    reached = reached.next.get(character)
    end += character.length
  }
}
