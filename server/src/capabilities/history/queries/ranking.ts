import { createYielder, turnOwner } from '../../../kernel/pauses.ts'
import { placesOf, type IsForm, type SearchClause } from '../../../kernel/search-query.ts'
import { searchTermsOf, type SearchTerm } from '../../../kernel/search-terms.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { newestDirectMessageSql } from '../../messages/queries/stored.ts'
import type { ReadMessage } from './index.ts'
import type { SearchTest } from './search.ts'

/* Orders messages by how well they match a search, for `order: best`. */

/** Only this many of the newest matches are ranked, because each is compared with the search. */
export const MAX_RANKED_MESSAGES = 1_000

const HALF_LIFE_DAYS = 90
const DAY_SECONDS = 86_400

/** Maximum score for each property of a match. */
const WEIGHTS = { text: 4, topic: 2, recent: 2, close: 3, whole: 1, familiar: 1 }

/** Returns the best matches, the best last; of equally good ones, the newest. */
export async function bestMatches(
  reader: Reader,
  { clauses, isForm }: SearchTest,
  messages: readonly ReadMessage[],
  most: number,
): Promise<ReadMessage[]> {
  const familiar = await readFamiliarPeople(reader)
  const newest = Math.max(...messages.map(({ message }) => message.stored.dateSent))
  const pause = createYielder(turnOwner(reader.organizationId, reader.actor.userId))
  const ranked: { one: ReadMessage; score: number }[] = []
  for (const one of messages) {
    const { content, topic, channelId, senderId, dateSent } = one.message.stored
    const terms = { text: searchTermsOf(content), topic: channelId === null ? [] : searchTermsOf(topic) }
    const score =
      matchScore(clauses, terms, isForm) +
      WEIGHTS.recent * 0.5 ** ((newest - dateSent) / (HALF_LIFE_DAYS * DAY_SECONDS)) +
      (familiar.has(senderId) ? WEIGHTS.familiar : 0)
    ranked.push({ one, score })
    await pause()
  }
  return ranked
    .toSorted((a, b) => a.score - b.score || a.one.message.stored.id - b.one.message.stored.id)
    .slice(Math.max(0, messages.length - most))
    .map(({ one }) => one)
}

/** Returns the people with whom the reader has direct conversations, with messages that the reader can read. */
async function readFamiliarPeople({ db, organizationId, actor }: Reader): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ id: number }>(
    'familiar_people',
    `select distinct unnest(c.member_ids) as id from conversation_members own
     join conversations c on c.organization_id = $1 and c.id = own.conversation_id
     join topics t on t.organization_id = $1 and t.id = c.topic_id
     where own.organization_id = $1 and own.user_id = $2 and ${newestDirectMessageSql({ topic: 't' })} > c.id`,
    [organizationId, actor.userId],
  )
  return new Set(rows.map(({ id }) => id).filter((id) => id !== actor.userId))
}

/** Words count more in the text than in the topic's name, and more if they are in both, close together, or whole. */
export function matchScore(
  clauses: readonly SearchClause[],
  { text, topic }: { readonly text: readonly SearchTerm[]; readonly topic: readonly SearchTerm[] },
  isForm: IsForm,
): number {
  const places = clauses.map((clause) => placesOf(clause, text, isForm))
  const inTopic = clauses.filter((clause) => placesOf(clause, topic, isForm).length > 0)
  const words = new Set([...text, ...topic].map((term) => term.text))
  const whole = clauses.filter(({ parts }) => parts.every((part) => words.has(part.text)))
  const share = (found: readonly SearchClause[]): number => found.length / clauses.length
  const isOfSeveral = clauses.length > 1
  return (
    WEIGHTS.text * share(clauses.filter((_, index) => places[index]?.length !== 0)) +
    WEIGHTS.topic * share(inTopic) +
    WEIGHTS.whole * share(whole) +
    (isOfSeveral ? WEIGHTS.close * closeness(places) : 0)
  )
}

/** Returns 1 if words follow each other directly, and less the longer the shortest passage with all of them is. */
function closeness(places: readonly (readonly number[])[]): number {
  const found = places.filter((own) => own.length > 0)
  if (found.length < 2) return 0
  const all = found
    .flatMap((own, clause) => own.map((at) => ({ at, clause })))
    .toSorted((one, other) => one.at - other.at)
  const last = new Map<number, number>()
  let shortest = Infinity
  for (const { at, clause } of all) {
    last.set(clause, at)
    if (last.size === found.length) shortest = Math.min(shortest, at - Math.min(...last.values()) + 1)
  }
  return Math.min(1, found.length / shortest)
}
