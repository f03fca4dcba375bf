import { signal } from '@preact/signals'
import { t } from '../../kernel/strings.ts'
import { Icon } from '../dom/icons.tsx'
import './toasts.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action: ToastAction | undefined
}

/** What a note offers to do. */
interface ToastAction {
  readonly title: string
  readonly run: () => void
  /** It undoes what the note is of, so that the key for that runs it. */
  readonly undoes?: boolean
  /** The note stays until it is closed. */
  readonly stays?: boolean
}

/** How long a note stays; one with something to do stays longer. */
const SHOWN_MILLISECONDS = 5_000
const ACTION_MILLISECONDS = 10_000
const MOST_TOASTS = 3

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Tells what happened, with something to do about it: a function undoes it. Screen readers hear it as a status. */
export function toast(text: string, offered?: (() => void) | ToastAction): void {
  lastId += 1
  const id = lastId
  const action = typeof offered === 'function' ? { title: t().app.undo, run: offered, undoes: true } : offered
  toasts.value = [...toasts.value, { id, text, action }].slice(-MOST_TOASTS)
  if (action !== undefined && 'stays' in action) return
  setTimeout(() => dismiss(id), action === undefined ? SHOWN_MILLISECONDS : ACTION_MILLISECONDS)
}

/** Undoes the last thing that can be undone. */
export function undoLast(): void {
  const last = toasts.value.findLast(({ action }) => action?.undoes === true)
  if (last === undefined) return
  dismiss(last.id)
  last.action?.run()
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              class="toast-undo"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.title}
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
