import type { Migration } from '../../../kernel/tables.ts'
import { sql as beginning } from './2026-11-21-beginning.ts'
import { sql as notificationBot } from './2026-11-22-notification-bot.ts'
import { sql as pictures } from './2026-11-22-pictures.ts'
import { sql as search } from './2026-11-22-search.ts'
import { sql as cheapSends } from './2026-11-22-cheap-sends.ts'
import { sql as bots } from './2026-11-22-bots.ts'
import { sql as botChannels } from './2026-11-22-bot-channels.ts'
import { sql as queueLifespans } from './2026-11-22-queue-lifespans.ts'
import { sql as searchEstimates } from './2026-11-22-search-estimates.ts'
import { sql as topicWords } from './2026-11-22-topic-words.ts'
import { sql as messageWords } from './2026-11-22-message-words.ts'
import { sql as topicKeyWords } from './2026-11-22-topic-key-words.ts'
import { sql as botsBelowOwners } from './2026-11-23-bots-below-owners.ts'
import { sql as consumers } from './2026-11-23-consumers.ts'
import { sql as queuesByUser } from './2026-11-23-queues-by-user.ts'
import { sql as databasePlace } from './2026-11-23-database-place.ts'
import { sql as queuesOfSessions } from './2026-11-24-queues-of-sessions.ts'
import { sql as failedAttempts } from './2026-11-26-failed-attempts.ts'
import { sql as imports } from './2026-11-26-imports.ts'
import { sql as composedWords } from './2026-11-29-composed-words.ts'
import { sql as composedNames } from './2026-11-29-composed-names.ts'
import { sql as composedMessages } from './2026-11-29-composed-messages.ts'

/** Tables of the platform, and of several capabilities at once, oldest first. */
const SHARED: readonly Migration[] = [
  { name: '2026-11-21-beginning', sql: beginning },
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
]

/**
 * Sorts by day; within a day, shared migrations come first, so that no migration sees a table as changed by a later
 * version.
 */
export function allMigrations(capabilities: readonly { readonly migrations: readonly Migration[] }[]): Migration[] {
  const all = [...SHARED, ...capabilities.flatMap(({ migrations }) => migrations)]
  return all.toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0))
}

const dayOf = ({ name }: Migration): string => name.slice(0, 'yyyy-mm-dd'.length)
