import { signal } from '@preact/signals'
import { t } from '../../kernel/strings.ts'
import { Icon } from '../dom/icons.tsx'
import './toasts.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: (() => void) | undefined
}

/** How long a note stays; one with something to undo stays longer. */
const SHOWN_MILLISECONDS = 5_000
const UNDO_MILLISECONDS = 10_000
const MOST_TOASTS = 3

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Tells what happened, with a way to undo it. Screen readers hear it as a status. */
export function toast(text: string, undo?: () => void): void {
  lastId += 1
  const id = lastId
  toasts.value = [...toasts.value, { id, text, undo }].slice(-MOST_TOASTS)
  setTimeout(() => dismiss(id), undo === undefined ? SHOWN_MILLISECONDS : UNDO_MILLISECONDS)
}

/** Undoes the last thing that can be undone. */
export function undoLast(): void {
  const last = toasts.value.findLast(({ undo }) => undo !== undefined)
  if (last === undefined) return
  dismiss(last.id)
  last.undo?.()
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {undo !== undefined && (
            <button
              class="toast-undo"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              {t().app.undo}
            </button>
          )}
          <button class="icon-button" aria-label={t().app.close} onClick={() => dismiss(id)}>
            <Icon name="close" size={16} />
          </button>
        </div>
      ))}
    </div>
  )
}
