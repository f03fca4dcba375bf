import type { Tx } from '../../../kernel/transaction.ts'
import { removeFiles } from '../../../platform/files/pending.ts'
import type { Job, JobContext } from '../../../platform/jobs/jobs.ts'
import { delayPiece, putBackPiece } from '../../../platform/jobs/pieces.ts'
import {
  abandonPreview,
  beginPreview,
  forgetPreview,
  forgetUnlinkedPreview,
  keepPreview,
  showFurther,
  type FetchedPreview,
  type Forgotten,
} from '../actions.ts'
import {
  duePreviews,
  pictureKeys,
  SIDE_BY_SIDE,
  surplusPreviews,
  unlinkedPreviews,
  withSurplusPreviews,
  withUnlinkedPreviews,
  type DuePreview,
} from '../queries.ts'

const PAUSE_SECONDS = 60

/** Follows links, and shows below their messages where they lead. What follows them is loaded with the first. */
export const fetchPreviews: Job = {
  name: 'fetchPreviews',
  everySeconds: 1,
  sideBySide: SIDE_BY_SIDE,
  due: duePreviews,
  async run(context, id) {
    const { log } = context
    const due = await log.write(async (tx) => beginPreview(tx, id))
    if (due === undefined) return
    const { fetchPreview } = await import('./fetch.ts')
    const fetched = await fetchPreview(context, due)
    if (fetched === 'closing') await log.write(async (tx) => putBackPiece(tx, 'link_previews', due))
    else if (fetched === 'again') await log.write(async (tx) => delayPiece(tx, 'link_previews', due, PAUSE_SECONDS))
    else await keep(context, due, fetched)
  },
  giveUp: async ({ log }, id) => log.write(async (tx) => abandonPreview(tx, id)),
}

/** Keeps what was fetched, and shows it below all messages that link it: some after the other, so that others get their turn. */
async function keep({ log, server, closing }: JobContext, due: DuePreview, fetched: FetchedPreview): Promise<void> {
  const { picture, title } = fetched
  const { isKept, before: newest } = await log.write(async (tx) => keepPreview(tx, due, fetched))
  const gone = isKept && picture === undefined && title !== '' ? due.picture : null
  // Nothing names a picture that came too late, unless it is the one from before.
  const late = !isKept && picture !== undefined && picture.name !== due.picture ? picture.name : null
  for (const name of [gone, late])
    if (name !== null) await removeFiles({ server }, pictureKeys(log.organization.id, name))
  for (let before = newest; before !== undefined;) {
    const last = before
    if (closing.aborted) return log.write(async (tx) => putBackPiece(tx, 'link_previews', due))
    before = (await log.write(async (tx) => showFurther(tx, due, last))).before
  }
}

/** Forgets what no message links any more. */
export const forgetUnlinked: Job = {
  name: 'forgetUnlinkedPreviews',
  everySeconds: 3_600,
  due: withUnlinkedPreviews,
  run: async (context) => {
    const next = async (): Promise<number[]> =>
      unlinkedPreviews(context.reads, context.log.organization.id, Math.floor(Date.now() / 1000))
    await forgetAll(context, next, forgetUnlinkedPreview)
  },
}

/** Forgets what is more than is kept. In the time between, one organization fills less than half as much again. */
export const forgetSurplus: Job = {
  name: 'forgetSurplusPreviews',
  everySeconds: 300,
  due: withSurplusPreviews,
  run: async (context) =>
    forgetAll(context, async () => surplusPreviews(context.reads, context.log.organization.id), forgetPreview),
}

/**
 * Forgets one after the other, some messages at a time, so that others get their turn, until none is left.
 * @param next looks for some
 * @param action takes one from some of its messages, and from the database with the last of them
 */
async function forgetAll(
  { log, server, closing }: JobContext,
  next: () => Promise<number[]>,
  action: (tx: Tx, id: number) => Promise<Forgotten>,
): Promise<void> {
  for (let ids = await next(); ids.length > 0 && !closing.aborted; ids = await next()) {
    for (const id of ids) {
      let forgotten: Forgotten
      do {
        if (closing.aborted) return
        forgotten = await log.write(async (tx) => action(tx, id))
        const { picture } = forgotten
        if (picture !== null) await removeFiles({ server }, pictureKeys(log.organization.id, picture))
      } while (forgotten.hasMore)
    }
  }
}
