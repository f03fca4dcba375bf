import { call } from '@parley/client'
import { history, messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

/** A message that one edits. */
export interface Edit {
  /** Its Markdown before. */
  readonly before: string
  /** What was typed until now, also while its field is not on the screen. */
  text: string
}

/** The messages that one edits in this tab, until they are saved or that is canceled. */
export const edits = signal<ReadonlyMap<number, Edit>>(new Map())

let focusWished: number | undefined

/** Fetches a message's Markdown. */
export async function sourceOf(message: Message): Promise<string | undefined> {
  const answer = await ask(history.getMessage, { message_id: message.id, apply_markdown: false })
  return answer?.raw_content
}

/** Begins to edit a message, or goes on with that. */
export async function edit(message: Message): Promise<void> {
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

/** Whether the field of a message that comes up gets the caret: where one has just begun, and not where one comes back. */
export function takeFocusWish(id: number): boolean {
  const isWished = focusWished === id
  if (isWished) focusWished = undefined
  return isWished
}

/** Edits a message no longer. */
export function endEdit(id: number): void {
  const left = new Map(edits.value)
  left.delete(id)
  edits.value = left
}

/** Edits a message no longer, and leaves it as it was. What was typed comes back when that is undone. */
export function cancelEdit(id: number, canceled: Edit): void {
  endEdit(id)
  if (canceled.text === canceled.before) return
  undoable(t().messages.editCanceled, () => {
    focusWished = id
    edits.value = new Map(edits.value).set(id, canceled)
    return Promise.resolve()
  })
}

/** Saves an edit. @returns whether it was taken */
export async function saveEdit(id: number, content: string, before: string): Promise<boolean> {
  const answer = await ask(messageEdits.updateMessage, { message_id: id, content })
  if (answer === undefined) return false
  undoable(t().messages.wasEdited, async () =>
    call(SESSION, messageEdits.updateMessage, { message_id: id, content: before }),
  )
  return true
}
