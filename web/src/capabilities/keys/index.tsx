import { signal } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import type { KeyMap } from './parts/key-map.tsx'

const shown = signal<typeof KeyMap | undefined>(undefined)

export const keys: Capability = {
  name: 'keys',
  overlays: [OpenKeyMap],
  commands: [{ id: 'keys.help', title: () => t().keys.help, keys: ['?'], run: () => void openKeyMap() }],
}

async function openKeyMap(): Promise<void> {
  shown.value = (await import('./parts/key-map.tsx')).KeyMap
}

function close(): void {
  shown.value = undefined
}

function OpenKeyMap() {
  const { value: Map } = shown
  return Map === undefined ? null : <Map onClose={close} />
}
