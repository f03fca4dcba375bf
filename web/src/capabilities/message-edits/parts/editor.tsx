import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { keepFocus } from '../../../platform/dom/keep-focus.ts'
import { editing, saveEdit } from '../state.ts'

/** The field in which a message is edited, in its place. */
export function Editor({ id, content }: { readonly id: number; readonly content: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSaving, setSaving] = useState(false)
  useLayoutEffect(() => {
    const element = field.current
    const { activeElement: from } = document
    const row = element?.closest<HTMLElement>('[data-row]')
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
    return () => {
      const { activeElement: now, body } = document
      // Who went on elsewhere meanwhile stays there.
      if (now !== null && now !== body && now.closest('.editor') === null) return
      const isFromThere = from instanceof HTMLElement && from !== body && from.isConnected
      const back = isFromThere ? from : row
      back?.focus({ preventScroll: true })
    }
  }, [])
  const close = (): void => {
    editing.value = undefined
  }
  const save = async (): Promise<void> => {
    const text = field.current?.value ?? ''
    if (text === content) return close()
    setSaving(true)
    if (!(await saveEdit(id, text, content))) setSaving(false)
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
      <textarea
        ref={field}
        class="input editor-field"
        aria-label={t().messages.editing}
        defaultValue={content}
        disabled={isSaving}
        onKeyDown={(event) => {
          if (event.isComposing) return
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void save()
          } else if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            close()
          }
        }}
      />
      <div class="editor-actions">
        <button class="button primary" type="submit" disabled={isSaving}>
          {t().messages.save}
        </button>
        <button class="button" type="button" onClick={close}>
          {t().app.cancel}
        </button>
      </div>
    </form>
  )
}
