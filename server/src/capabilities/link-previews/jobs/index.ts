import type { Tx } from '../../../kernel/transaction.ts'
import { removeFiles } from '../../../platform/files/pending.ts'
import type { Job, JobContext } from '../../../platform/jobs/jobs.ts'
import { delayPiece, putBackPiece } from '../../../platform/jobs/pieces.ts'
import { abandonPreview, beginPreview, forgetPreview, forgetUnlinkedPreview, keepPreview } from '../actions.ts'
import { duePreviews, pictureKeys, SIDE_BY_SIDE, surplusPreviews, unlinkedPreviews } from '../queries.ts'

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
  due: unlinkedPreviews,
  run: async (context, id) => forget(context, async (tx) => forgetUnlinkedPreview(tx, id)),
}

/** Forgets what is more than is kept. */
export const forgetSurplus: Job = {
  name: 'forgetSurplusPreviews',
  everySeconds: 3_600,
  due: surplusPreviews,
  run: async (context, id) => forget(context, async (tx) => forgetPreview(tx, id)),
}

/** @param action takes it from the database, and says the name of its picture */
async function forget({ log, server }: JobContext, action: (tx: Tx) => Promise<string | null>): Promise<void> {
  const picture = await log.write(action)
  if (picture !== null) await removeFiles({ server }, pictureKeys(log.organization.id, picture))
}
