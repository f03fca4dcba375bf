import { signal } from '@preact/signals'
import { destinationKey, type Destination } from '../../kernel/destination.ts'
import { newId } from '../../kernel/ids.ts'
import { t } from '../../kernel/strings.ts'
import { forgetDraftHere, keepDraftHere, type KeptDraft } from '../../platform/cache.ts'
import { undoable } from '../../platform/undo.ts'
import { ownId } from '../users/state.ts'

const MOST_KEPT = 50

export const oldDrafts = signal<readonly KeptDraft[]>([])

/** The user can still restore the replaced draft. */
export function keepOld(destination: Destination, content: string, editedAt: number): void {
  const isKnown = oldDrafts.value.some(
    (old) => old.content === content && destinationKey(old.destination) === destinationKey(destination),
  )
  if (content.trim() === '' || isKnown) return
  const draft = { key: `old:${newId()}`, userId: ownId(), destination, content, editedAt, isOld: true }
  void keepDraftHere(draft)
  const all = [draft, ...oldDrafts.value]
  oldDrafts.value = all.slice(0, MOST_KEPT)
  for (const { key } of all.slice(MOST_KEPT)) void forgetDraftHere(key)
}

export function restoreOld(kept: readonly KeptDraft[]): void {
  oldDrafts.value = kept
}

export function forgetOld({ key }: KeptDraft): void {
  oldDrafts.value = oldDrafts.value.filter((old) => old.key !== key)
  void forgetDraftHere(key)
}

export function deleteOld(draft: KeptDraft): void {
  forgetOld(draft)
  undoable(t().writing.deletedOld, async () => {
    keepOld(draft.destination, draft.content, draft.editedAt)
  })
}
