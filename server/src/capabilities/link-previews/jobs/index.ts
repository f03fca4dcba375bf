import type { Tx } from '../../../kernel/transaction.ts'
import { removeFiles } from '../../../platform/files/pending.ts'
import type { Job, JobContext } from '../../../platform/jobs/jobs.ts'
import { delayPiece, putBackPiece } from '../../../platform/jobs/pieces.ts'
import { abandonPreview, beginPreview, forgetPreview, forgetUnlinkedPreview, keepPreview } from '../actions.ts'
import {
  duePreviews,
  pictureKeys,
  SIDE_BY_SIDE,
  surplusPreviews,
  unlinkedPreviews,
  withSurplusPreviews,
  withUnlinkedPreviews,
} from '../queries.ts'

const PAUSE_SECONDS = 60

/** Follows links, and shows below their messages where they lead. What follows them is loaded with the first. */
export const fetchPreviews: Job = {
  name: 'fetchPreviews',
  everySeconds: 1,
  sideBySide: SIDE_BY_SIDE,
  due: duePreviews,
  async run(context, id) {
    const { log, server } = context
    const due = await log.write(async (tx) => beginPreview(tx, id))
    if (due === undefined) return
    const { fetchPreview } = await import('./fetch.ts')
    const fetched = await fetchPreview(context, due)
    if (fetched === 'closing') await log.write(async (tx) => putBackPiece(tx, 'link_previews', due))
    else if (fetched === 'again') await log.write(async (tx) => delayPiece(tx, 'link_previews', due, PAUSE_SECONDS))
    else {
      const isKept = await log.write(async (tx) => keepPreview(tx, due, fetched))
      const { picture } = fetched
      const gone = isKept && picture === undefined && fetched.title !== '' ? due.picture : null
      // Nothing names a picture that came too late, unless it is the one from before.
      const late = !isKept && picture !== undefined && picture.name !== due.picture ? picture.name : null
      for (const name of [gone, late])
        if (name !== null) await removeFiles({ server }, pictureKeys(log.organization.id, name))
    }
  },
  giveUp: async ({ log }, id) => log.write(async (tx) => abandonPreview(tx, id)),
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
 * Forgets one after the other, so that others get their turn, until none is left.
 * @param next looks for some
 * @param action takes one from the database, and says the name of its picture
 */
async function forgetAll(
  { log, server, closing }: JobContext,
  next: () => Promise<number[]>,
  action: (tx: Tx, id: number) => Promise<string | null>,
): Promise<void> {
  for (let ids = await next(); ids.length > 0 && !closing.aborted; ids = await next()) {
    for (const id of ids) {
      if (closing.aborted) return
      const picture = await log.write(async (tx) => action(tx, id))
      if (picture !== null) await removeFiles({ server }, pictureKeys(log.organization.id, picture))
    }
  }
}
