import { history, messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { ask } from '../../platform/requests.ts'

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
export async function saveEdit(id: number, content: string): Promise<boolean> {
  const answer = await ask(messageEdits.updateMessage, { message_id: id, content })
  if (answer !== undefined) editing.value = undefined
  return answer !== undefined
}

/** Marks a topic as resolved, or takes the mark away: that is in its name. */
export async function renameTopic(messageId: number, topic: string): Promise<boolean> {
  const change = {
    message_id: messageId,
    topic,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
  } as const
  return (await ask(messageEdits.updateMessage, change)) !== undefined
}

export async function remove(message: Message): Promise<void> {
  if ((await ask(messageEdits.deleteMessage, { message_id: message.id })) !== undefined) toast(t().messages.deleted)
}
