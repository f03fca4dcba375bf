import { signal } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import type { KeyMap } from './parts/key-map.tsx'

const loadedKeyMap = signal<typeof KeyMap | undefined>(undefined)

export const keys: Capability = {
  name: 'keys',
  overlays: [OpenKeyMap],
  commands: [{ id: 'keys.help', title: () => t().keys.help, keys: ['?'], run: () => void openKeyMap() }],
}

async function openKeyMap(): Promise<void> {
  loadedKeyMap.value = (await import('./parts/key-map.tsx')).KeyMap
}

function closeKeyMap(): void {
  loadedKeyMap.value = undefined
}

function OpenKeyMap() {
  const { value: Map } = loadedKeyMap
  return Map === undefined ? null : <Map onClose={closeKeyMap} />
}
