import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { GrowingField, keepFocus } from '../../../platform/dom/growing-field.tsx'
import { isSendKey } from '../../composer/state.ts'
import { cancelEdit, endEdit, saveEdit, takeFocusWish, typeEdit, type Edit } from '../state.ts'

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
    if (await saveEdit(id, edit.text, edit.before)) endEdit(id)
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
      <div class="editor-actions">
        <button class="button primary" type="submit" disabled={isSaving}>
          {t().messages.save}
        </button>
        <button class="button" type="button" onClick={cancel}>
          {t().app.cancel}
        </button>
      </div>
    </form>
  )
}
