import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { lazily } from '../../platform/dom/lazy.tsx'

const DIALOGS = {
  move: lazily(
    async () => (await import('./parts/move.tsx')).Move,
    () => null,
  ),
  history: lazily(
    async () => (await import('./parts/history.tsx')).History,
    () => null,
  ),
  receipts: lazily(
    async () => (await import('./parts/receipts.tsx')).Receipts,
    () => null,
  ),
  source: lazily(
    async () => (await import('./parts/source.tsx')).Source,
    () => null,
  ),
} as const

const open = signal<{ readonly name: keyof typeof DIALOGS; readonly message: Message } | undefined>(undefined)

export function opens(name: keyof typeof DIALOGS): (message: Message) => void {
  return (message) => {
    open.value = { name, message }
  }
}

function close(): void {
  open.value = undefined
}

export function MessageDialog() {
  if (open.value === undefined) return null
  const { name, message } = open.value
  const Dialog = DIALOGS[name]
  return <Dialog key={`${name}-${message.id}`} message={message} onClose={close} />
}
