import { signal } from '@preact/signals'
import { useLayoutEffect, useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { Icon } from '../dom/icons.tsx'
import './toasts.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly actions: readonly ToastAction[]
  readonly close: () => boolean
}

export interface ToastAction {
  readonly title: string
  readonly run: () => void
  readonly stays?: boolean
  readonly isUndo?: boolean
}

const TOAST_MILLISECONDS = 5_000
const TOAST_WITH_ACTION_MILLISECONDS = 10_000
const MAX_TOASTS = 3

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** @returns a function that closes the toast and returns whether it was open */
export function toast(text: string, action?: ToastAction, milliseconds?: number, link?: ToastAction): () => boolean {
  lastId += 1
  const id = lastId
  const close = (): boolean => {
    const before = toasts.value
    toasts.value = before.filter((one) => one.id !== id)
    return toasts.value.length < before.length
  }
  const actions = [link, action].filter((one) => one !== undefined)
  toasts.value = [...toasts.value, { id, text, actions, close }].slice(-MAX_TOASTS)
  if (action?.stays !== true) {
    setTimeout(close, milliseconds ?? (action === undefined ? TOAST_MILLISECONDS : TOAST_WITH_ACTION_MILLISECONDS))
  }
  return close
}

/** Mounted instances, innermost last. A modal dialog makes the rest of the page inert, so it shows the toasts itself. */
const places = signal<readonly symbol[]>([])

/** @param props.isAbove whether toasts are at the top of the view instead of over its end */
export function Toasts({ isAbove = false }: { readonly isAbove?: boolean }) {
  const [place] = useState(() => Symbol('toasts'))
  useLayoutEffect(() => {
    places.value = [...places.peek(), place]
    return () => {
      places.value = places.peek().filter((one) => one !== place)
    }
  }, [])
  const shown = places.value.at(-1) === place ? toasts.value : []
  return (
    <div class={isAbove ? 'toast-place is-above' : 'toast-place'}>
      <div class="toasts" role="status" aria-live="polite">
        {shown.map(({ id, text, actions, close }) => (
          <div class="toast" key={id}>
            <span>{text}</span>
            {actions.map(({ title, isUndo, run }) => (
              <button
                key={title}
                class={isUndo === true ? 'toast-action toast-undo' : 'toast-action'}
                onClick={() => {
                  close()
                  run()
                }}
              >
                {title}
              </button>
            ))}
            <button class="icon-button" aria-label={t().app.close} onClick={close}>
              <Icon name="close" size={16} />
            </button>
          </div>
        ))}
      </div>
    </div>
  )
}
