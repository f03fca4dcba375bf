import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { Icon } from '../dom/icons.tsx'
import './dialog.css'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly class?: string
  readonly children: ComponentChildren
}

/** A modal dialog: the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, class: className = '', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const dialog = element.current
    if (dialog === null) return undefined
    dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${className}`}
      aria-labelledby={heading}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      <header class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button class="icon-button" aria-label={t().app.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}
