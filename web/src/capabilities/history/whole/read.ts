import { call } from '@parley/client'
import { history } from '@parley/server/contract'
import { narrowOf, type Message } from '../../../kernel/message.ts'
import type { Conversation } from '../../../kernel/route.ts'
import { SESSION } from '../../../platform/sync/sync.ts'

/** Messages per request: few enough to show progress and allow canceling. */
const PAGE_MESSAGES = 500

interface ReadOptions {
  readonly conversation: Conversation
  readonly isSource: boolean
  readonly signal: AbortSignal
}

export interface Page {
  readonly messages: readonly Message[]
  readonly isLast: boolean
}

/** The messages after an ID, or from the start, oldest first. */
export async function readAfter({ conversation, isSource, signal }: ReadOptions, after?: number): Promise<Page> {
  const answer = await call(
    SESSION,
    history.getMessages,
    {
      anchor: after === undefined ? 'oldest' : String(after),
      num_before: 0,
      num_after: PAGE_MESSAGES,
      include_anchor: after === undefined,
      narrow: narrowOf(conversation, () => []),
      apply_markdown: !isSource,
      client_external_avatar: false,
      allow_empty_topic_name: true,
    },
    { signal },
  )
  return { messages: answer.messages, isLast: answer.found_newest }
}

/** ID of the newest message, for progress; undefined if there is none. */
export async function newestOf({ conversation, signal }: Omit<ReadOptions, 'isSource'>): Promise<number | undefined> {
  const { messages } = await call(
    SESSION,
    history.getMessages,
    {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: narrowOf(conversation, () => []),
      allow_empty_topic_name: true,
    },
    { signal },
  )
  return messages.at(-1)?.id
}
