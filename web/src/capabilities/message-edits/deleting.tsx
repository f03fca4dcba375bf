import { call } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { callOrToast } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { offerUndo } from '../../platform/undo.ts'

/** Delay before deletion, during which Undo works: the server cannot restore a deleted message. */
const DELETE_AFTER_MILLISECONDS = 9_000

export const pendingDeletions = signal<ReadonlyMap<number, () => void>>(new Map())

export function isDeleting({ id }: Pick<Message, 'id'>): boolean {
  return pendingDeletions.value.has(id)
}

/** Closing the tab does not cancel the deletion. */
export function deleteAfterDelay({ id }: Pick<Message, 'id'>): void {
  if (pendingDeletions.peek().has(id)) return
  const timer = setTimeout(() => {
    forgetAction()
    // Stays hidden until the server has answered, so that neither the message nor its files return for a moment.
    void callOrToast(messageEdits.deleteMessage, { message_id: id }).then(() => cancelDeletion(id))
  }, DELETE_AFTER_MILLISECONDS)
  const forgetAction = offerUndo(t().messages.deleted, async () => Promise.resolve(cancelDeletion(id)), {
    shownMilliseconds: DELETE_AFTER_MILLISECONDS,
  })
  pendingDeletions.value = new Map(pendingDeletions.peek()).set(id, () => {
    clearTimeout(timer)
    forgetAction()
  })
}

function cancelDeletion(id: number): void {
  pendingDeletions.peek().get(id)?.()
  const left = new Map(pendingDeletions.peek())
  left.delete(id)
  pendingDeletions.value = left
}

/** Sends pending deletions when the tab closes. `keepalive` lets these requests finish afterward. */
export function sendDeletionsOnClose(): void {
  window.addEventListener('pagehide', () => {
    for (const id of pendingDeletions.peek().keys()) {
      cancelDeletion(id)
      call(SESSION, messageEdits.deleteMessage, { message_id: id }, { keepalive: true }).catch(() => undefined)
    }
  })
}

export function DeletionNote({ id }: { readonly id: number }) {
  return (
    <p class="deleting">
      <span>{t().messages.deleted}</span>
      <button class="button" onClick={() => cancelDeletion(id)}>
        {t().app.undo}
      </button>
    </p>
  )
}
