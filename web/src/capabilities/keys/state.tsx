import { signal } from '@preact/signals'
import type { KeyMap } from './parts/key-map.tsx'

const shown = signal<typeof KeyMap | undefined>(undefined)

export async function openKeyMap(): Promise<void> {
  shown.value = (await import('./parts/key-map.tsx')).KeyMap
}

function close(): void {
  shown.value = undefined
}

export function OpenKeyMap() {
  const { value: Map } = shown
  return Map === undefined ? null : <Map onClose={close} />
}
