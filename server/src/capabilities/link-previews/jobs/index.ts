import type { Tx } from '../../../kernel/transaction.ts'
import { removeFiles } from '../../../platform/files/pending.ts'
import type { Job, JobContext } from '../../../platform/jobs/jobs.ts'
import { delayPiece, putBackPiece } from '../../../platform/jobs/pieces.ts'
import {
  abandonPreview,
  claimPreview,
  deletePreview,
  deleteUnlinkedPreview,
  storePreview,
  showPreviewOnOlderMessages,
  type FetchedPreview,
  type DeletionProgress,
} from '../actions.ts'
import {
  duePreviews,
  pictureKeys,
  CONCURRENCY_LIMITS,
  surplusPreviews,
  unlinkedPreviews,
  organizationsWithSurplusPreviews,
  organizationsWithUnlinkedPreviews,
  type DuePreview,
} from '../queries.ts'

const RETRY_DELAY_SECONDS = 60

export const fetchPreviews: Job = {
  name: 'fetchPreviews',
  everySeconds: 1,
  concurrency: CONCURRENCY_LIMITS,
  due: duePreviews,
  async run(context, id) {
    const { log } = context
    const due = await log.write(async (tx) => claimPreview(tx, id))
    if (due === undefined) return
    const { fetchPreview } = await import('./fetch.ts')
    const fetched = await fetchPreview(context, due)
    if (fetched === 'closing') await log.write(async (tx) => putBackPiece(tx, 'link_previews', due))
    else if (fetched === 'again')
      await log.write(async (tx) => delayPiece(tx, 'link_previews', due, RETRY_DELAY_SECONDS))
    else await storeFetchedPreview(context, due, fetched)
  },
  giveUp: async ({ log }, id) => log.write(async (tx) => abandonPreview(tx, id)),
}

/** Runs one transaction per batch of messages, so that other writers get a turn. */
async function storeFetchedPreview(
  { log, server, closing }: JobContext,
  due: DuePreview,
  fetched: FetchedPreview,
): Promise<void> {
  const { picture, title } = fetched
  const { isKept, before: newest } = await log.write(async (tx) => storePreview(tx, due, fetched))
  const gone = isKept && picture === undefined && title !== '' ? due.picture : null
  // If another attempt replaced this one, no row refers to the fetched image, unless the image is unchanged.
  const unused = !isKept && picture !== undefined && picture.name !== due.picture ? picture.name : null
  for (const name of [gone, unused])
    if (name !== null) await removeFiles({ server }, pictureKeys(log.organization.id, name))
  for (let before = newest; before !== undefined;) {
    const last = before
    if (closing.aborted) return log.write(async (tx) => putBackPiece(tx, 'link_previews', due))
    before = (await log.write(async (tx) => showPreviewOnOlderMessages(tx, due, last))).before
  }
}

export const deleteUnlinkedPreviews: Job = {
  name: 'forgetUnlinkedPreviews',
  everySeconds: 3_600,
  due: organizationsWithUnlinkedPreviews,
  run: async (context) => {
    const next = async (): Promise<number[]> =>
      unlinkedPreviews(context.reads, context.log.organization.id, Math.floor(Date.now() / 1000))
    await deletePreviews(context, next, deleteUnlinkedPreview)
  },
}

/** Between runs, an organization can exceed the limits, but by less than half. */
export const deleteSurplusPreviews: Job = {
  name: 'forgetSurplusPreviews',
  everySeconds: 300,
  due: organizationsWithSurplusPreviews,
  run: async (context) =>
    deletePreviews(context, async () => surplusPreviews(context.reads, context.log.organization.id), deletePreview),
}

/** `action` handles one batch of messages per transaction; with the last batch, it also deletes the preview. */
async function deletePreviews(
  { log, server, closing }: JobContext,
  next: () => Promise<number[]>,
  action: (tx: Tx, id: number) => Promise<DeletionProgress>,
): Promise<void> {
  for (let ids = await next(); ids.length > 0 && !closing.aborted; ids = await next()) {
    for (const id of ids) {
      let forgotten: DeletionProgress
      do {
        if (closing.aborted) return
        forgotten = await log.write(async (tx) => action(tx, id))
        const { picture } = forgotten
        if (picture !== null) await removeFiles({ server }, pictureKeys(log.organization.id, picture))
      } while (forgotten.hasMore)
    }
  }
}
