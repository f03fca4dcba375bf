import { call } from '@parley/client'
import { drafts as declared } from '@parley/server/contract'
import { destinationKey, draftRequest, type Destination } from '../../kernel/destination.ts'
import { tl } from '../../kernel/later-texts.ts'
import { deleteStoredDraft, type StoredDraft } from '../../platform/cache.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'
import { oldDrafts, storeOldDraft, allDrafts, destinationOfDraft, draftFor } from './stored.ts'
import { saveDraft, moveDraft, typedDrafts } from './state.ts'

/** Draft with its latest text, from the server or this browser. */
export interface ListedDraft {
  readonly key: string
  readonly id: number | undefined
  readonly destination: Destination
  readonly content: string
  readonly editedAt: number
  /** Whether only this browser has the latest text. */
  readonly isHereOnly: boolean
}

export function listedDrafts(): readonly ListedDraft[] {
  const typed = typedDrafts()
  const all = allDrafts().map((draft) => ({ ...draft, destination: destinationOfDraft(draft) }))
  const newest = new Map(all.map(({ id, destination }) => [destinationKey(destination), id]))
  const saved = all.map(({ id, content, timestamp, destination }): ListedDraft => {
    const draft = { key: String(id), id, destination, content, editedAt: timestamp * 1000, isHereOnly: false }
    const key = destinationKey(destination)
    const here = newest.get(key) === id ? typed.get(key) : undefined
    return here === undefined
      ? draft
      : { ...draft, content: here.content, editedAt: here.editedAt, isHereOnly: here.isUnsaved }
  })
  const others = [...typed.values()]
    .filter(({ destination }) => !newest.has(destinationKey(destination)))
    .map(({ destination, content, editedAt, isUnsaved }): ListedDraft => {
      const key = destinationKey(destination)
      return { key, id: undefined, destination, content, editedAt, isHereOnly: isUnsaved }
    })
  return [...saved, ...others]
    .filter(({ content }) => content.trim() !== '')
    .toSorted((one, other) => other.editedAt - one.editedAt)
}

export async function deleteDraft({ id, destination, content, editedAt }: ListedDraft): Promise<void> {
  // Other clients can store several drafts per destination; only the newest can be edited here.
  if (draftFor(destination)?.id === id) {
    saveDraft(destination, '')
    offerUndo(tl().writing.deleted, async () => {
      moveDraft(destination, destination, content)
    })
  } else if (id !== undefined && (await callOrToast(declared.deleteDraft, { draft_id: id })) !== undefined) {
    const again = draftRequest(destination, content, editedAt)
    offerUndo(tl().writing.deleted, async () => call(SESSION, declared.createDrafts, { drafts: [again] }))
  }
}

export function deleteOldDraftWithoutUndo({ key }: StoredDraft): void {
  oldDrafts.value = oldDrafts.value.filter((old) => old.key !== key)
  void deleteStoredDraft(key)
}

export function deleteOldDraft(draft: StoredDraft): void {
  deleteOldDraftWithoutUndo(draft)
  offerUndo(tl().writing.deletedOld, async () => {
    storeOldDraft(draft.destination, draft.content, draft.editedAt)
  })
}
