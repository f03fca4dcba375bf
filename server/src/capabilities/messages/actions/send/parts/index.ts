import type { SendBatch, StatementPart } from '../part.ts'
import { replyChecksPart, eventsPart } from './events.ts'
import { flagsPart, readsPart } from './flags.ts'
import { followsPart, followChecksPart } from './follows.ts'
import { messagesPart, uploadsPart, widgetsPart } from './messages.ts'
import { sendKeysPart, retriesPart } from './retries.ts'
import { conversationsPart, spellingsPart, topicsPart } from './topics.ts'
import { slowModePart } from './slow-mode.ts'
import { wordsPart } from './words.ts'

export const POST_PARTS: readonly StatementPart[] = [
  conversationsPart,
  spellingsPart,
  topicsPart,
  messagesPart,
  flagsPart,
  readsPart,
  uploadsPart,
  widgetsPart,
  wordsPart,
]

export const SEND_PARTS: readonly StatementPart[] = [
  ...POST_PARTS,
  retriesPart,
  sendKeysPart,
  replyChecksPart,
  slowModePart,
  followsPart,
  followChecksPart,
  eventsPart,
]

export function partsNeededFor(batch: SendBatch): StatementPart[] {
  return SEND_PARTS.filter((part) => part.isNeeded?.(batch) ?? true)
}
