import { batch } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import type { StoredWindow, WindowsChange } from '../cache.ts'
import { MessageWindow } from './window.ts'

const MAX_STORED_MESSAGES = 120

export class StoredMessages {
  readonly #packed = new Map<string, StoredWindow>()
  readonly #written = new Map<string, Pick<StoredWindow, 'position'> & { readonly ids: readonly number[] }>()
  readonly #changed = new Set<number>()
  /** Whether another tab may have stored other windows. */
  #isForgotten = false

  restore(windows: readonly StoredWindow[]): void {
    for (const kept of windows) this.#packed.set(kept.key, kept)
  }

  forget(): void {
    this.#isForgotten = true
    this.#written.clear()
  }

  change(id: number): void {
    this.#changed.add(id)
  }

  unpack(only?: string): { window: MessageWindow; messages: readonly Message[] }[] {
    if (this.#packed.size === 0) return []
    const keys = only === undefined ? [...this.#packed.keys()] : [only]
    return keys.flatMap((key) => {
      const kept = this.#packed.get(key)
      if (kept === undefined) return []
      this.#packed.delete(key)
      // Safe: written by `storedWindowOf`.
      const messages = JSON.parse(kept.messages) as readonly Message[]
      const window = new MessageWindow(kept.place)
      batch(() => {
        window.ids.value = messages.map(({ id }) => id)
        window.atOldest.value = kept.atOldest
        window.atNewest.value = kept.atNewest
        window.position = kept.position
        // Marks the window as older than any log position of this session.
        window.readAt = 0
      })
      return [{ window, messages }]
    })
  }

  takeChanged(
    windows: ReadonlyMap<string, MessageWindow>,
    messageOf: (id: number) => Message | undefined,
  ): WindowsChange {
    const kept = new Map([...windows].filter(([, window]) => isStorable(window)))
    const changed = [...kept].filter(([key, window]) => {
      const ids = window.ids.peek()
      const written = this.#written.get(key)
      if (written?.ids !== ids || ids.some((id) => this.#changed.has(id))) return true
      return written.position?.id !== window.position?.id || written.position?.offset !== window.position?.offset
    })
    const gone = [...this.#written.keys()].filter((key) => !kept.has(key))
    for (const key of gone) this.#written.delete(key)
    for (const [key, window] of changed) this.#written.set(key, { ids: window.ids.peek(), position: window.position })
    this.#changed.clear()
    const deletesOthers = this.#isForgotten
    this.#isForgotten = false
    return { windows: changed.map(([key, window]) => storedWindowOf(key, window, messageOf)), gone, deletesOthers }
  }
}

/** Excludes search results, which only the server can find, and stale data. */
function isStorable(window: MessageWindow): boolean {
  return (
    window.place.view !== 'search' && !window.stale.peek() && !window.failed.peek() && window.loading.peek() !== 'all'
  )
}

function storedWindowOf(
  key: string,
  window: MessageWindow,
  messageOf: (id: number) => Message | undefined,
): StoredWindow {
  const ids = window.ids.peek()
  const messages = ids.slice(-MAX_STORED_MESSAGES).flatMap((id) => messageOf(id) ?? [])
  return {
    key,
    place: window.place,
    atOldest: window.atOldest.peek() && ids.length <= MAX_STORED_MESSAGES,
    atNewest: window.atNewest.peek(),
    position: window.position,
    messages: JSON.stringify(messages),
  }
}
