import { call } from '@parley/client'
import { history, messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

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
  focusWished = id
  edits.value = new Map(edits.value).set(id, { before, text: before })
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
}

export function cancelEdit(id: number, canceled: Edit): void {
  endEdit(id)
  if (canceled.text === canceled.before) return
  undoable(t().messages.editCanceled, () => {
    focusWished = id
    edits.value = new Map(edits.value).set(id, canceled)
    return Promise.resolve()
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
