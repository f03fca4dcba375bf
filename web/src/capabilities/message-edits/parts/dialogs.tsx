import type { Message } from '../../../kernel/message.ts'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { openedDialog, type DialogName } from '../state.ts'

const DIALOGS = {
  move: lazily(
    async () => (await import('./move.tsx')).MoveDialog,
    () => null,
  ),
  rename: lazily(
    async () => (await import('./move.tsx')).RenameDialog,
    () => null,
  ),
  history: lazily(
    async () => (await import('./history.tsx')).HistoryDialog,
    () => null,
  ),
  receipts: lazily(
    async () => (await import('./receipts.tsx')).ReadReceiptsDialog,
    () => null,
  ),
  source: lazily(
    async () => (await import('./source.tsx')).SourceDialog,
    () => null,
  ),
  forward: lazily(
    async () => (await import('../../composer/parts/forward.tsx')).Forward,
    () => null,
  ),
} as const satisfies Record<DialogName, unknown>

function closeDialog(): void {
  openedDialog.value = undefined
}

export function MessageDialog({ name, message }: { readonly name: DialogName; readonly message: Message }) {
  const Dialog = DIALOGS[name]
  return <Dialog key={`${name}-${message.id}`} message={message} onClose={closeDialog} />
}
