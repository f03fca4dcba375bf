import { call } from '@parley/client'
import { history, messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { deleteStoredDraft, storeDraft, storedDraftsOf } from '../../platform/cache.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'
import { ownId } from '../users/state.ts'

export interface Edit {
  readonly before: string
  text: string
}

export const edits = signal<ReadonlyMap<number, Edit>>(new Map())

let focusWished: number | undefined

export async function sourceOf(message: Message): Promise<string | undefined> {
  const answer = await ask(history.getMessage, { message_id: message.id, apply_markdown: false })
  return answer?.raw_content
}

export async function startEdit(message: Message): Promise<void> {
  const { id } = message
  if (edits.value.has(id)) {
    document.querySelector<HTMLElement>(`[data-row="${id}"] textarea`)?.focus()
    return
  }
  const before = await sourceOf(message)
  if (before === undefined || edits.value.has(id)) return
  openEditor(id, { before, text: before })
}

function openEditor(id: number, edit: Edit): void {
  focusWished = id
  edits.value = new Map(edits.value).set(id, edit)
}

export function typeEdit(id: number, edit: Edit, text: string): void {
  edit.text = text
  const { before } = edit
  void storeDraft({ key: keyOf(id), userId: ownId(), messageId: id, before, content: text, editedAt: Date.now() })
}

function keyOf(id: number): string {
  return `edit:${id}`
}

/** Opens the editors that were open when the page ended. */
export async function restoreEdits(): Promise<void> {
  const kept = (await storedDraftsOf(ownId())).filter((text) => 'messageId' in text)
  const restored = kept.map(({ messageId, before, content }): [number, Edit] => [messageId, { before, text: content }])
  edits.value = new Map([...restored, ...edits.value])
}

/** Whether the editor takes the focus: only when it opens, not when the reader scrolls back to it. */
export function takeFocusWish(id: number): boolean {
  const isWished = focusWished === id
  if (isWished) focusWished = undefined
  return isWished
}

export function endEdit(id: number): void {
  const left = new Map(edits.value)
  left.delete(id)
  edits.value = left
  void deleteStoredDraft(keyOf(id))
}

export function cancelEdit(id: number, canceled: Edit): void {
  endEdit(id)
  if (canceled.text === canceled.before) return
  undoable(t().messages.editCanceled, async () => {
    openEditor(id, canceled)
    typeEdit(id, canceled, canceled.text)
  })
}

export async function saveEdit(id: number, content: string, before: string): Promise<boolean> {
  const answer = await ask(messageEdits.updateMessage, { message_id: id, content })
  if (answer === undefined) return false
  undoable(t().messages.wasEdited, async () =>
    call(SESSION, messageEdits.updateMessage, { message_id: id, content: before }),
  )
  return true
}

export interface DialogProps {
  readonly message: Message
  readonly onClose: () => void
}
