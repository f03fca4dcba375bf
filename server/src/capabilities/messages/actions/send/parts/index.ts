import type { Batch, StatementPart } from '../part.ts'
import { answers } from './answers.ts'
import { events } from './events.ts'
import { flags } from './flags.ts'
import { follows, stillFollowing } from './follows.ts'
import { messages } from './messages.ts'
import { reads } from './reads.ts'
import { keys, retries } from './retries.ts'
import { conversations, spellings, topics } from './topics.ts'
import { uploads } from './uploads.ts'
import { widgets } from './widgets.ts'
import { words } from './words.ts'

/** Parts for messages posted as part of another change; the transaction writes their events. */
export const POST_PARTS: readonly StatementPart[] = [
  words,
  conversations,
  spellings,
  topics,
  messages,
  flags,
  reads,
  uploads,
  widgets,
]

export const SEND_PARTS: readonly StatementPart[] = [
  ...POST_PARTS,
  retries,
  keys,
  answers,
  follows,
  stillFollowing,
  events,
]

export function partsOf(batch: Batch): StatementPart[] {
  return SEND_PARTS.filter((part) => part.isNeeded?.(batch) ?? true)
}
