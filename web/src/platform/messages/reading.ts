import { call, heldMilliseconds, type Answer } from '@parley/client'
import { history } from '@parley/server/contract'
import type { Term } from '../../kernel/message.ts'
import { SESSION } from '../sync/sync.ts'
import { FORM, pageAsked, type Around, type Reading } from './page.ts'

/** After so long a reading is tried again that the server did not answer, unless it says more. */
const RETRY_MILLISECONDS = 2_000

/** How long to wait after a failure until it is tried again. */
export function pauseAfter(error: unknown): number {
  return Math.max(RETRY_MILLISECONDS, heldMilliseconds(error))
}

/** What the server answers to a reading that was asked for before; undefined where it could not be reached. */
export type Coming = Promise<Response | undefined>

type Page = Answer<typeof history.getMessages>

/** Asks for a page of messages, which comes with the position of the log up to which it holds everything. */
export async function readPage(
  narrow: readonly Term[],
  what: Reading,
  around: Around,
  coming?: Coming,
): Promise<Page & { position: number }> {
  let position = 0
  const page = await call(SESSION, history.getMessages, pageAsked(narrow, what, around), {
    coming,
    onPosition: (at) => (position = at),
  })
  return { ...page, position }
}

/** Asks for some messages by their ids. */
export async function readSingle(ids: readonly number[]): Promise<Page> {
  return call(SESSION, history.getMessages, { message_ids: [...ids], narrow: [], ...FORM })
}
