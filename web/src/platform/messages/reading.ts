import { call, heldMilliseconds, type Answer } from '@parley/client'
import { history } from '@parley/server/contract'
import type { Term } from '../../kernel/message.ts'
import { SESSION } from '../sync/sync.ts'
import { PAGE, type Around } from './window.ts'

/** After so long a reading is tried again that the server did not answer, unless it says more. */
const RETRY_MILLISECONDS = 2_000

/** How long to wait after a failure until it is tried again. */
export function pauseAfter(error: unknown): number {
  return Math.max(RETRY_MILLISECONDS, heldMilliseconds(error))
}

/** What a reading is of: the window anew, the same again, or more at one of its ends. */
export type Reading = 'all' | 'again' | 'older' | 'newer'

type Page = Answer<typeof history.getMessages>

/** How the client wants messages. */
const FORM = { client_external_avatar: false, allow_empty_topic_name: true } as const

/** Asks for a page of messages, which comes with the position of the log up to which it holds everything. */
export async function readPage(
  narrow: readonly Term[],
  what: Reading,
  around: Around,
): Promise<Page & { position: number }> {
  let position = 0
  const asked = {
    ...(typeof around === 'object' ? { anchor: 'date', anchor_date: around.date } : { anchor: String(around) }),
    num_before: what === 'newer' ? 0 : PAGE,
    num_after: what === 'older' ? 0 : PAGE,
    include_anchor: what === 'all' || what === 'again',
    narrow: [...narrow],
    ...FORM,
  }
  const page = await call(SESSION, history.getMessages, asked, { onPosition: (at) => (position = at) })
  return { ...page, position }
}

/** Asks for some messages by their ids. */
export async function readSingle(ids: readonly number[]): Promise<Page> {
  return call(SESSION, history.getMessages, { message_ids: [...ids], narrow: [], ...FORM })
}
