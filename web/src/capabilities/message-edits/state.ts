import { call } from '@parley/client'
import { history, messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { ask } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { undoable } from '../../platform/undo.ts'

/** The message that one edits, with its Markdown. */
export const editing = signal<{ readonly id: number; readonly content: string } | undefined>(undefined)

/** Fetches a message's Markdown. */
export async function sourceOf(message: Message): Promise<string | undefined> {
  const answer = await ask(history.getMessage, { message_id: message.id, apply_markdown: false })
  return answer?.raw_content
}

/** Begins to edit a message. */
export async function edit(message: Message): Promise<void> {
  const content = await sourceOf(message)
  if (content !== undefined) editing.value = { id: message.id, content }
}

/** Saves an edit. @returns whether it was taken */
export async function saveEdit(id: number, content: string, before: string): Promise<boolean> {
  const answer = await ask(messageEdits.updateMessage, { message_id: id, content })
  if (answer === undefined) return false
  editing.value = undefined
  undoable(t().messages.wasEdited, async () =>
    call(SESSION, messageEdits.updateMessage, { message_id: id, content: before }),
  )
  return true
}
