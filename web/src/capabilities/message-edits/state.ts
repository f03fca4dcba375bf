import { history } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { deleteStoredDraft, storedDraftsOf } from '../../platform/cache.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { callOrToast } from '../../platform/requests.ts'
import { ownId } from '../users/state.ts'
import { editPermit } from './rules.ts'

export interface Edit {
  before: string
  text: string
  /** Text that someone saved since the edit began, usually the same person in another tab. */
  changed?: string | undefined
  /** Whether only this tab has the text, because the browser stores nothing. */
  isUnstored?: boolean
}

export const editsByMessageId = signal<ReadonlyMap<number, Edit>>(new Map())

let focusRequestedId: number | undefined

export async function fetchSource({ id }: Message): Promise<string | undefined> {
  return rawContent(id)
}

export async function rawContent(id: number): Promise<string | undefined> {
  return (await callOrToast(history.getMessage, { message_id: id, apply_markdown: false }))?.raw_content
}

export async function startEdit(message: Message): Promise<void> {
  const { id } = message
  if (editsByMessageId.value.has(id)) {
    document.querySelector<HTMLElement>(`[data-row="${id}"] textarea`)?.focus()
    return
  }
  const permit = editPermit(message)
  if (permit !== 'granted') return withPart(import('../../kernel/later-texts.ts'), ({ tl }) => toast(tl().edit[permit]))
  const before = await fetchSource(message)
  if (before === undefined || editsByMessageId.value.has(id)) return
  openEditor(id, { before, text: before })
}

export function openEditor(id: number, edit: Edit): void {
  focusRequestedId = id
  editsByMessageId.value = new Map(editsByMessageId.value).set(id, edit)
}

export function editKey(id: number): string {
  return `edit:${id}`
}

/** @returns whether there are edits to restore */
export async function restoreEdits(): Promise<boolean> {
  const kept = (await storedDraftsOf(ownId())).filter((text) => 'messageId' in text)
  const restored = kept.map(({ messageId, before, content }): [number, Edit] => [messageId, { before, text: content }])
  editsByMessageId.value = new Map([...restored, ...editsByMessageId.value])
  return restored.length > 0
}

/** Whether the editor takes the focus: only when it opens, not when the reader scrolls back to it. */
export function takeFocusRequest(id: number): boolean {
  const isWished = focusRequestedId === id
  if (isWished) focusRequestedId = undefined
  return isWished
}

export async function endEdit(id: number): Promise<void> {
  const left = new Map(editsByMessageId.value)
  left.delete(id)
  editsByMessageId.value = left
  await deleteStoredDraft(editKey(id))
}

export type DialogName = 'move' | 'rename' | 'history' | 'receipts' | 'source' | 'forward'

export const openedDialog = signal<{ readonly name: DialogName; readonly message: Message } | undefined>(undefined)

export interface DialogProps {
  readonly message: Message
  readonly onClose: () => void
}
