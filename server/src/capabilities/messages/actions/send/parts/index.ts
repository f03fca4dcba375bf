import type { SendBatch, StatementPart } from '../part.ts'
import { replyChecks, events } from './events.ts'
import { flags, reads } from './flags.ts'
import { follows, followChecks } from './follows.ts'
import { messages, uploads, widgets, words } from './messages.ts'
import { sendKeys, retries } from './retries.ts'
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
  sendKeys,
  replyChecks,
  follows,
  followChecks,
  events,
]

export function partsNeededFor(batch: SendBatch): StatementPart[] {
  return SEND_PARTS.filter((part) => part.isNeeded?.(batch) ?? true)
}
