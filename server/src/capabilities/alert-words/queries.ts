import { caseKey } from '../../kernel/case-key.ts'
import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type * as contract from './contract.ts'

interface AlertWordsState {
  /** Words in the order in which they were added. Users without words have no entry. */
  readonly byUser: Map<number, readonly string[]>
  readonly words: WordTrieNode
}

/** Trie of all users' words, by code point. */
export interface WordTrieNode {
  readonly next: Map<string, WordTrieNode>
  readonly users: Set<number>
}

interface AlertWordsChange {
  readonly userId: number
  readonly words: readonly string[]
}

export const alertWordsProjection: Projection<AlertWordsState, AlertWordsChange> = {
  name: 'alert-words',
  takesRights: () => false,
  empty: () => ({ byUser: new Map(), words: { next: new Map(), users: new Set() } }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('alert_words')
      .select(['user_id', 'word'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    const lists = new Map<number, string[]>()
    for (const { user_id, word } of rows) {
      const words = lists.get(user_id)
      if (words === undefined) lists.set(user_id, [word])
      else words.push(word)
    }
    for (const [userId, words] of lists) alertWordsProjection.apply(state, { userId, words }, 0)
  },
  apply(state, { userId, words }) {
    for (const word of state.byUser.get(userId) ?? []) removeWord(state.words, [...caseKey(word)], userId)
    for (const word of words) addWord(state.words, caseKey(word), userId)
    if (words.length === 0) state.byUser.delete(userId)
    else state.byUser.set(userId, words)
  },
}

function addWord(words: WordTrieNode, word: string, userId: number): void {
  let reached = words
  for (const character of word) {
    const next: WordTrieNode = reached.next.get(character) ?? { next: new Map(), users: new Set() }
    reached.next.set(character, next)
    reached = next
  }
  reached.users.add(userId)
}

function removeWord(words: WordTrieNode, [character, ...rest]: readonly string[], userId: number): void {
  if (character === undefined) {
    words.users.delete(userId)
    return
  }
  const next = words.next.get(character)
  if (next === undefined) return
  removeWord(next, rest, userId)
  if (next.next.size === 0 && next.users.size === 0) words.next.delete(character)
}

export function alertWordsOf(organization: OrganizationState, userId: number): string[] {
  return [...(organization.of(alertWordsProjection).byUser.get(userId) ?? [])]
}

export function getAlertWords({ organization, actor }: Reader): Output<typeof contract.getAlertWords> {
  return { alert_words: alertWordsOf(organization, actor.userId) }
}

export function alertWordsSnapshot({ organization, userId }: Viewer): Record<string, unknown> {
  return { alert_words: alertWordsOf(organization, userId) }
}
