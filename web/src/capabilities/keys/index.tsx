import { signal } from '@preact/signals'
import type { Capability } from '../../kernel/capability.ts'
import { t } from '../../kernel/strings.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import type { KeyMap } from './parts/key-map.tsx'

const loadedKeyMap = signal<typeof KeyMap | undefined>(undefined)

export const keys: Capability = {
  name: 'keys',
  overlays: [OpenKeyMap],
  commands: [{ id: 'keys.help', title: () => t().keys.help, keys: ['?'], run: openKeyMap }],
}

export function openKeyMap(): void {
  void withPart(import('./parts/key-map.tsx'), (part) => {
    loadedKeyMap.value = part.KeyMap
  })
}

function closeKeyMap(): void {
  loadedKeyMap.value = undefined
}

function OpenKeyMap() {
  const { value: Map } = loadedKeyMap
  return Map === undefined ? null : <Map onClose={closeKeyMap} />
}
