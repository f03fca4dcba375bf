import { call, retryAfterMilliseconds, type Answer } from '@parley/client'
import { history } from '@parley/server/contract'
import type { Term } from '../../kernel/message.ts'
import { SESSION } from '../sync/sync.ts'
import { MESSAGE_OPTIONS, pageParameters, type Anchor, type PageKind } from './page.ts'

const MIN_RETRY_MILLISECONDS = 2_000

export function retryDelayAfter(error: unknown): number {
  return Math.max(MIN_RETRY_MILLISECONDS, retryAfterMilliseconds(error))
}

export type PendingResponse = Promise<Response | undefined>

type MessagePage = Answer<typeof history.getMessages>

export async function readPage(
  narrow: readonly Term[],
  what: PageKind,
  around: Anchor,
  prefetched?: PendingResponse,
): Promise<MessagePage & { position: number }> {
  let position = 0
  const page = await call(SESSION, history.getMessages, pageParameters(narrow, what, around), {
    prefetched,
    onPosition: (at) => (position = at),
  })
  return { ...page, position }
}

export async function readMessagesByIds(ids: readonly number[]): Promise<MessagePage> {
  return call(SESSION, history.getMessages, { message_ids: [...ids], narrow: [], ...MESSAGE_OPTIONS })
}
