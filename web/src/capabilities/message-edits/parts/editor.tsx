import { ApiError, call } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { storeDraft } from '../../../platform/cache.ts'
import { GrowingField, keepFocus } from '../../../platform/dom/growing-field.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { reasonOf, trackChange } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { undoable } from '../../../platform/undo.ts'
import { isSendKey } from '../../composer/state.ts'
import { ownId } from '../../users/state.ts'
import { endEdit, keyOf, openEditor, rawContent, takeFocusWish, type Edit } from '../state.ts'
import { ChangedText } from './source.tsx'

export function Editor({ id, edit }: { readonly id: number; readonly edit: Edit }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSaving, setSaving] = useState(false)
  const [begunWith] = useState(edit.text)
  const [text, setText] = useState(begunWith)
  useLayoutEffect(() => {
    const element = field.current
    const { activeElement: from } = document
    const row = element?.closest<HTMLElement>('[data-row]')
    if (takeFocusWish(id)) {
      element?.focus()
      element?.setSelectionRange(element.value.length, element.value.length)
    }
    return () => {
      const { activeElement: now, body } = document
      // The user may have focused another element.
      if (now !== null && now !== body && element?.form?.contains(now) !== true) return
      const isFromThere = from instanceof HTMLElement && from !== body && from.isConnected
      const back = isFromThere ? from : row
      back?.focus({ preventScroll: true })
    }
  }, [])
  const cancel = (): void => cancelEdit(id, edit)
  const save = async (): Promise<void> => {
    if (isSaving) return
    if (edit.text === edit.before) return endEdit(id)
    setSaving(true)
    if (await saveEdit(id, edit)) endEdit(id)
    else setSaving(false)
  }
  return (
    <form
      class="editor"
      onMouseDown={keepFocus}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <GrowingField text={text}>
        <textarea
          ref={field}
          class="input editor-field"
          dir="auto"
          aria-label={t().messages.editing}
          defaultValue={begunWith}
          readOnly={isSaving}
          onInput={({ currentTarget }) => {
            typeEdit(id, edit, currentTarget.value)
            setText(edit.text)
          }}
          onKeyDown={(event) => {
            if (isSendKey(event)) {
              event.preventDefault()
              void save()
            } else if (event.key === 'Escape') {
              event.preventDefault()
              event.stopPropagation()
              cancel()
            }
          }}
        />
      </GrowingField>
      {edit.changed !== undefined && <ChangedText text={edit.changed} />}
      <div class="editor-actions">
        <button class="button primary" type="submit" disabled={isSaving}>
          {edit.changed === undefined ? t().messages.save : t().messages.saveAnyway}
        </button>
        <button class="button" type="button" onClick={cancel}>
          {t().app.cancel}
        </button>
      </div>
    </form>
  )
}

function typeEdit(id: number, edit: Edit, text: string): void {
  edit.text = text
  const { before } = edit
  void storeDraft({ key: keyOf(id), userId: ownId(), messageId: id, before, content: text, editedAt: Date.now() })
}

function cancelEdit(id: number, canceled: Edit): void {
  endEdit(id)
  if (canceled.text === canceled.before) return
  undoable(t().messages.editCanceled, async () => {
    openEditor(id, canceled)
    typeEdit(id, canceled, canceled.text)
  })
}

/** If the message changed since the edit began, notes its text instead of replacing it. @returns whether it is saved */
async function saveEdit(id: number, edit: Edit): Promise<boolean> {
  const { text, before } = edit
  const replace = async (content: string, former: string): Promise<unknown> =>
    call(SESSION, messageEdits.updateMessage, {
      message_id: id,
      content,
      prev_content_sha256: await digestOf(former),
    })
  try {
    await trackChange(replace(text, before))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EXPECTATION_MISMATCH') {
      edit.changed = await rawContent(id)
      edit.before = edit.changed ?? before
      return edit.changed === text
    }
    toast(reasonOf(error))
    return false
  }
  undoable(t().messages.wasEdited, async () => replace(before, text))
  return true
}

/** Undefined without HTTPS, where browsers cannot hash. */
async function digestOf(text: string): Promise<string | undefined> {
  if (!('subtle' in crypto)) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
