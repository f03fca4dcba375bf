import { signal } from '@preact/signals'
import { isPanelShown, togglePanel } from './frame.ts'

export interface PanelPartRequest {
  readonly id: 'pins' | 'people' | 'files'
}

/** Part of the panel that the user opened. A new object for each request. */
export const requestedPart = signal<PanelPartRequest | undefined>(undefined)

export function openPanelAt(id: PanelPartRequest['id']): void {
  requestedPart.value = { id }
  if (!isPanelShown()) togglePanel()
}
