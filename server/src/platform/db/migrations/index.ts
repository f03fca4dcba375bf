import type { Migration } from '../../../kernel/tables.ts'
import { initialSchema } from './2026-11-21-beginning.ts'
import { notificationBot, pictures, bots, botChannels, queueLifespans } from './2026-11-22.ts'
import { search, cheapSends, searchEstimates, topicWords, messageWords, topicKeyWords } from './2026-11-22-search.ts'
import { botsBelowOwners, consumers, queuesByUser, databasePlace } from './2026-11-23.ts'
import { queuesOfSessions } from './2026-11-24-queues-of-sessions.ts'
import { failedAttempts, imports } from './2026-11-26.ts'
import { composedWords, composedNames, composedMessages, spacedNames, finalSigmas } from './2026-11-29.ts'
import { searchTerms } from './2026-11-30-search.ts'
import { searchStems, searchSteps } from './2026-11-30-search-steps.ts'

/** Migrations of tables that belong to the platform or to several capabilities, oldest first. */
const SHARED_MIGRATIONS: readonly Migration[] = [
  { name: '2026-11-21-beginning', sql: initialSchema },
  { name: '2026-11-22-notification-bot', sql: notificationBot },
  { name: '2026-11-22-pictures', sql: pictures },
  { name: '2026-11-22-search', sql: search },
  { name: '2026-11-22-queue-lifespans', sql: queueLifespans },
  { name: '2026-11-22-cheap-sends', sql: cheapSends },
  { name: '2026-11-22-search-estimates', sql: searchEstimates },
  { name: '2026-11-22-topic-words', sql: topicWords },
  { name: '2026-11-22-message-words', sql: messageWords },
  { name: '2026-11-22-topic-key-words', sql: topicKeyWords },
  { name: '2026-11-22-bots', sql: bots },
  { name: '2026-11-22-bot-channels', sql: botChannels },
  { name: '2026-11-23-bots-below-owners', sql: botsBelowOwners },
  { name: '2026-11-23-database-place', sql: databasePlace },
  { name: '2026-11-23-queues-by-user', sql: queuesByUser },
  { name: '2026-11-23-consumers', sql: consumers },
  { name: '2026-11-24-queues-of-sessions', sql: queuesOfSessions },
  { name: '2026-11-26-failed-attempts', sql: failedAttempts },
  { name: '2026-11-26-imports', sql: imports },
  { name: '2026-11-29-composed-words', sql: composedWords },
  { name: '2026-11-29-composed-names', sql: composedNames },
  { name: '2026-11-29-composed-messages', sql: composedMessages },
  { name: '2026-11-29-spaced-names', sql: spacedNames },
  { name: '2026-11-29-final-sigmas', sql: finalSigmas },
  { name: '2026-11-30-search-terms', sql: searchTerms },
  { name: '2026-11-30-search-stems', sql: searchStems },
  { name: '2026-11-30-search-steps', sql: searchSteps },
]

/** Sorts by day, shared migrations first, so that no migration sees a table as changed by a later version. */
export function allMigrations(capabilities: readonly { readonly migrations: readonly Migration[] }[]): Migration[] {
  const all = [...SHARED_MIGRATIONS, ...capabilities.flatMap(({ migrations }) => migrations)]
  return all.toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0))
}

const dayOf = ({ name }: Migration): string => name.slice(0, 'yyyy-mm-dd'.length)
