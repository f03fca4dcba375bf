import { signal } from '@preact/signals'
import { destinationKey, type Destination } from '../../kernel/destination.ts'
import { newId } from '../../kernel/ids.ts'
import { deleteStoredDraft, storeDraft, type StoredDraft } from '../../platform/cache.ts'
import { ownId } from '../users/state.ts'

const MAX_OLD_DRAFTS = 50

export const oldDrafts = signal<readonly StoredDraft[]>([])

/** Keeps a replaced draft, which the user can still restore. */
export function storeOldDraft(destination: Destination, content: string, editedAt: number): void {
  const isKnown = oldDrafts.value.some(
    (old) => old.content === content && destinationKey(old.destination) === destinationKey(destination),
  )
  if (content.trim() === '' || isKnown) return
  const draft = { key: `old:${newId()}`, userId: ownId(), destination, content, editedAt, isOld: true }
  void storeDraft(draft)
  const all = [draft, ...oldDrafts.value]
  oldDrafts.value = all.slice(0, MAX_OLD_DRAFTS)
  for (const { key } of all.slice(MAX_OLD_DRAFTS)) void deleteStoredDraft(key)
}
