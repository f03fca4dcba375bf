import { call } from '@parley/client'
import { flags } from '@parley/server/contract'
import type { Term } from '../../kernel/message.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

const MAX_MESSAGES_PER_REQUEST = 5_000
/** Enough requests to mark every message after years of absence. */
const MAX_REQUESTS = 50

export type FlagOperation = 'add' | 'remove'

export const UNREAD_TERM: Term = { operator: 'is', operand: 'unread' }

/** Ignores failures: messages that are seen again are marked again. @returns whether the server accepted the request */
export async function markRead(ids: readonly number[]): Promise<boolean> {
  try {
    await changeReadFlag(ids, 'add')
    return true
  } catch {
    return false
  }
}

export async function changeReadFlag(ids: readonly number[], op: FlagOperation): Promise<void> {
  for (let from = 0; from < ids.length; from += MAX_MESSAGES_PER_REQUEST) {
    await call(SESSION, flags.updateMessageFlags, {
      messages: ids.slice(from, from + MAX_MESSAGES_PER_REQUEST),
      op,
      flag: 'read',
    })
  }
}

export interface MessageRange {
  readonly narrow: readonly Term[]
  readonly anchor: string
  readonly toward: 'older' | 'newer'
}

interface ReadChange {
  readonly ids: readonly number[]
  /** Whether the range included messages of unsubscribed channels, which cannot be unread. */
  readonly hasUnjoined: boolean
}

/** Marks all messages in a range, including its anchor, as read or unread. @returns undefined on failure */
export async function changeReadFlagInRange(
  { narrow, anchor, toward }: MessageRange,
  op: FlagOperation,
): Promise<ReadChange | undefined> {
  const ids: number[] = []
  let hasUnjoined = false
  let at = anchor
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const answer = await callOrToast(flags.updateMessageFlagsForNarrow, {
      anchor: at,
      include_anchor: request === 0,
      num_before: toward === 'older' ? MAX_MESSAGES_PER_REQUEST : 0,
      num_after: toward === 'newer' ? MAX_MESSAGES_PER_REQUEST : 0,
      narrow: [...narrow],
      op,
      flag: 'read',
      list_updated: true,
    })
    if (answer === undefined && request === 0) return undefined
    if (answer === undefined) break
    ids.push(...(answer.updated_messages ?? []))
    hasUnjoined ||= answer.ignored_because_not_subscribed_channels.length > 0
    const next = toward === 'older' ? answer.first_processed_id : answer.last_processed_id
    if (next === null || (toward === 'older' ? answer.found_oldest : answer.found_newest)) break
    at = String(next)
  }
  return { ids, hasUnjoined }
}

export async function markMessagesFromUserRead(userId: number): Promise<readonly number[]> {
  const narrow = [{ operator: 'sender', operand: userId }, UNREAD_TERM]
  return (await changeReadFlagInRange({ narrow, anchor: 'newest', toward: 'older' }, 'add'))?.ids ?? []
}
