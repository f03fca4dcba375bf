import type { Batch, StatementPart } from '../part.ts'
import { answers, events } from './events.ts'
import { flags, reads } from './flags.ts'
import { follows, stillFollowing } from './follows.ts'
import { messages, uploads, widgets, words } from './messages.ts'
import { keys, retries } from './retries.ts'
import { conversations, spellings, topics } from './topics.ts'

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
