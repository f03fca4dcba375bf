import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { Icon } from '../dom/icons.tsx'
import { useLayer } from '../layers.ts'
import { Toasts } from './toasts.tsx'
import './dialog.css'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly class?: string
  readonly children: ComponentChildren
}

const FOCUSABLE_SELECTOR = 'input, select, textarea, button, a[href], [tabindex="0"]'

/** Modal dialog, in which the browser traps the focus. When it closes, the browser restores the focus. */
export function Dialog({ title, onClose, class: className = '', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget | null>(null)
  const heading = useId()
  useLayer(onClose)
  // Uses a layout effect, so that typing immediately after the opening key reaches the dialog.
  useLayoutEffect(() => {
    const dialog = element.current
    if (dialog === null) return undefined
    dialog.showModal()
    // Skips the close button, which the browser focuses first.
    if (document.activeElement?.closest('.dialog-head') !== null)
      dialog.querySelector<HTMLElement>(`.dialog-body :is(${FOCUSABLE_SELECTOR})`)?.focus()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${className}`}
      aria-labelledby={heading}
      onCancel={onClose}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      onClick={({ target }) => {
        // A press that begins in the dialog and ends outside, such as selecting a text, also clicks the dialog itself.
        if (target === element.current && pressed.current === target) onClose()
      }}
    >
      <header class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button class="icon-button" aria-label={t().app.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      <Toasts />
    </dialog>
  )
}

interface DialogActionsProps {
  readonly action: string
  readonly isDisabled?: boolean
  readonly isDangerous?: boolean
  readonly onCancel: () => void
  readonly children?: ComponentChildren
}

export function DialogActions({
  action,
  isDisabled = false,
  isDangerous = false,
  onCancel,
  children,
}: DialogActionsProps) {
  return (
    <div class="dialog-actions">
      {children}
      <button class="button" type="button" onClick={onCancel}>
        {t().app.cancel}
      </button>
      <button class={isDangerous ? 'button danger' : 'button primary'} type="submit" disabled={isDisabled}>
        {action}
      </button>
    </div>
  )
}
